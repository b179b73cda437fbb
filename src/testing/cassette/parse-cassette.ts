import { ToolpostError } from '../../core/error.ts'
import { asJson } from '../../core/json/as-json.ts'
import { jsonPointer } from '../../core/json/pointer.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonObject, JsonValue } from '../../core/json/value.ts'
import { limits } from '../../core/limits.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { compile } from '../../core/schema/validator.ts'
import type { Cassette, CassetteStep } from './cassette.ts'
import { headSchema, runSchema, stepSchema } from './cassette-schema.ts'
import { isHappening } from './happening.ts'

/** Of a cassette as JSON: each child run stands nine levels below the call that started it, in trees as deep as they may be. */
const depthMax = 9 * (limits.childDepthMax + 1) + 128

type Path = readonly (string | number)[]

/**
 * Reads a cassette from outside, such as what `JSON.parse` gave. Every key has to be one that a cassette has, and
 * everything that it points at has to be there.
 *
 * Errors: INVALID_ARGUMENT with the place as a JSON pointer.
 */
export function parseCassette(value: unknown): Cassette {
  const json = asJson(value, depthMax)
  if (json === undefined) refuse([], 'it is no plain JSON value')
  checkJsonTexts(json, [])
  return checkCassette(json, [])
}

function checkCassette(json: JsonValue, path: Path): Cassette {
  check(headSchema, json, path)
  const cassette = json as unknown as Cassette
  for (const [index, run] of cassette.runs.entries()) {
    const place = [...path, 'runs', index]
    check(runSchema, run as unknown as JsonValue, place)
    for (const [step, each] of run.steps.entries()) checkStep(each, [...place, 'steps', step])
  }
  for (const [index, entry] of cassette.order.entries()) {
    if (!isHappening(cassette, entry))
      refuse([...path, 'order', index], 'it names nothing that the cassette has')
  }
  return cassette
}

function checkStep(step: CassetteStep, path: Path): void {
  check(stepSchema, step as unknown as JsonValue, path)
  const places = step.parts.filter(({ kind }) => kind === 'call').length
  // An answer that was cut short has no calls, and its parts none either.
  if (places !== step.calls.length)
    refuse([...path, 'calls'], `it has ${step.calls.length} calls for ${places} places in the answer`)
  for (const [index, { children = [] }] of step.calls.entries()) {
    for (const [child, { cassette }] of children.entries()) {
      const place = [...path, 'calls', index, 'children', child, 'cassette']
      if (cassette !== undefined) checkCassette(cassette as unknown as JsonValue, place)
    }
  }
}

function check(schema: JsonSchema, value: JsonValue, path: Path): void {
  const [fault] = compile(schema)(value)
  if (fault === undefined) return
  const { pointer, message } = fault
  // The fault's own sentence begins with its pointer, which is given from the top instead.
  const says = pointer !== '' && message.startsWith(pointer) ? message.slice(pointer.length).trim() : message
  refusePointer(`${jsonPointer(path)}${pointer}`, says)
}

function checkJsonTexts(value: JsonValue, path: Path): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const place = [...path, key]
    if (key.endsWith('Json') && typeof member === 'string') {
      const parsed = parseJson(member, { depthMax: 1_000, bytesMax: Number.POSITIVE_INFINITY })
      if (!parsed.ok) refuse(place, `its text is no JSON: ${parsed.fault.message}`)
    } else checkJsonTexts(member, place)
  }
}

function refuse(path: Path, what: string): never {
  refusePointer(jsonPointer(path), what)
}

function refusePointer(pointer: string, what: string): never {
  const place = pointer === '' ? 'the top' : pointer.slice(0, 500)
  throw new ToolpostError('INVALID_ARGUMENT', `This is no cassette: at ${place}: ${what}.`, {
    details: { pointer },
  })
}
