import { isToolpostError, ToolpostError } from '../core/error.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { limits } from '../core/limits.ts'
import type { RunState } from '../core/run/state.ts'
import { type OutputRule, takesTexts } from '../core/schema/output-rule.ts'
import { type SchemaSource, toolSchema } from '../core/schema/schema.ts'
import type { Task } from '../runtime/task.ts'
import type { Definition } from './definition.ts'
import { handedInModel } from './foreign-step.ts'

/** What the end of an agent's runs has to be. */
export interface OutputOptions {
  /**
   * The schema of a run's output: a Standard Schema or a JSON Schema. The model's last answer is read by it, and what a
   * tool ends the run with is checked by it; what passes is the result's `output`.
   */
  readonly output?: SchemaSource
  /** How many answers of a run are read as its output before it fails with OUTPUT_INVALID; default 3. */
  readonly outputAttempts?: number
}

/** Reads the options. Errors: INVALID_SCHEMA; INVALID_AGENT for attempts without a schema. */
export function readOutputOptions(options: OutputOptions): { readonly output?: OutputRule } {
  const { output, outputAttempts: attemptsMax = limits.outputAttemptsMax } = options
  if (output !== undefined) return { output: outputRule(output, attemptsMax) }
  if (options.outputAttempts === undefined) return {}
  throw new ToolpostError(
    'INVALID_AGENT',
    '"outputAttempts" is for an agent with an "output"; give a schema.',
  )
}

/** The rule that a schema makes. What fails is converted without loss, in a plain schema too. Errors: INVALID_SCHEMA. */
export function outputRule(source: unknown, attemptsMax: number): OutputRule {
  try {
    const schema = toolSchema(source, { direction: 'answer', coercion: 'lossless' })
    return Object.freeze({ schema, attemptsMax })
  } catch (error) {
    if (!isToolpostError(error)) throw error
    const { message, details } = error
    throw new ToolpostError(error.code, `The "output" of an agent: ${message}`, { details, cause: error })
  }
}

/** The rule for a run: what another loop handed in has no output of ours. */
export function outputOfRun(
  { output }: Pick<Definition, 'output'>,
  run: RunState | undefined,
): Pick<Task, 'output'> {
  return output === undefined || run?.model === handedInModel ? {} : { output }
}

/** The instructions with what a final answer has to be, so that models are told whose providers cannot hold them to it. */
export function instructionsFor(
  instructions: string | undefined,
  rule: OutputRule | undefined,
): string | undefined {
  if (rule === undefined) return instructions
  const { texts, others } = takesTexts(rule.schema)
  const form = texts
    ? others
      ? 'text or JSON'
      : 'text, without quotes around it,'
    : 'JSON, without words around it,'
  const schema = stringifyJson(rule.schema.jsonSchema)
  const told = `When you are done, your final answer must be ${form} that this JSON Schema takes: ${schema}`
  return instructions === undefined ? told : `${instructions}\n\n${told}`
}
