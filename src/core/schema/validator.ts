import { digestBytes } from '../json/digest.ts'
import type { JsonValue } from '../json/value.ts'
import { Cache } from './cache.ts'
import { Compiler } from './compiler.ts'
import type { Surroundings } from './dialect.ts'
import { type Fault, FaultList, faultAt } from './fault.ts'
import { type Frame, nothingEvaluated, OutOfBounds, type Rule, stepsMax } from './frame.ts'
import { identityOf } from './identity.ts'
import type { Subschema } from './json-schema.ts'
import { refuseLoops } from './loops.ts'
import type { Resource } from './resource.ts'
import { isOfType } from './rules/value.ts'
import { Survey } from './survey.ts'

/** Gives every fault of a value, none when it is valid. It never throws on a JSON value. */
export type Validator = (value: JsonValue) => readonly Fault[]

/** What a validator is asked to do beyond JSON Schema; each default is false. */
export interface ValidatorOptions {
  /** A required member must not be null unless its schema names null. */
  readonly requiredNotNull?: boolean
  /** Only an object is valid, whether the schema says so or not. */
  readonly objectOnly?: boolean
}

/** Schemas of this many contents stay compiled. */
const cacheSizeMax = 500

const cache = new Cache<Validator>(cacheSizeMax)

/**
 * Compiles a schema, once for all schemas of the same content. Its forms, references and patterns are looked at
 * now, and SchemaRefusal is thrown for what cannot be used; its rules are made when a value first needs them.
 */
export function compile(schema: Subschema, options: ValidatorOptions = {}): Validator {
  const { requiredNotNull = false, objectOnly = false } = options
  const content = identityOf([schema, requiredNotNull, objectOnly])
  return cache.get(digestBytes(new TextEncoder().encode(content)), () => compileWith(schema, options))
}

/** Compiles a schema with other surroundings, such as documents that it may refer to. It is not cached. */
export function compileWith(
  schema: Subschema,
  options: ValidatorOptions = {},
  surroundings?: Surroundings,
): Validator {
  const { requiredNotNull = false, objectOnly = false } = options
  const survey = new Survey(schema, surroundings)
  refuseLoops(survey)
  const compiler = new Compiler(survey, { requiredNotNull })
  const rule = compiler.rule(schema, true)
  const tracks = compiler.tracksEvaluation
  return (value) => {
    if (objectOnly && !isOfType(value, 'object')) return [faultAt('', 'must be an object')]
    return faultsOf(rule, value, survey.root, tracks)
  }
}

function faultsOf(rule: Rule, value: JsonValue, root: Resource, tracks: boolean): readonly Fault[] {
  try {
    // Most values are valid: the first pass only answers, the second one words the faults.
    if (rule(value, newFrame(root, tracks, undefined))) return []
    const faults = new FaultList()
    rule(value, newFrame(root, tracks, faults))
    return faults.all()
  } catch (thrown) {
    if (!(thrown instanceof OutOfBounds)) throw thrown
    const bound = stepsMax.toLocaleString('en')
    return [faultAt('', `takes more than ${bound} steps or too deep a nesting to check; send a smaller one`)]
  }
}

function newFrame(resource: Resource, tracks: boolean, faults: FaultList | undefined): Frame {
  return {
    budget: { steps: 0, nesting: 0 },
    faults,
    path: undefined,
    scope: { resource, outer: undefined },
    evaluated: tracks ? nothingEvaluated() : undefined,
  }
}
