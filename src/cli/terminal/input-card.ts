import type { JsonValue } from '../../core/json/value.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { argumentLines } from './argument-lines.ts'
import { clipped } from './clipped.ts'
import { duration } from './duration.ts'
import { inertLine, visibleJson } from './inert-text.ts'
import { schemaInShort } from './schema-in-short.ts'

/** A question of a tool, as far as a person is shown it. */
export interface ShownQuestion {
  readonly id: string
  readonly tool: { readonly name: string }
  readonly args: JsonValue
  /** Absent when the tool is not known here. */
  readonly schema?: JsonSchema
  readonly expiresAt?: number
  readonly default?: JsonValue
}

const shortMax = 400

/** What a tool asks for, with what, and what an answer must look like, as lines for a person. */
export function inputCard(question: ShownQuestion, now: number): readonly string[] {
  const { id, tool, args, schema } = question
  const wants =
    schema === undefined ? 'unknown here: the tool is not' : clipped(schemaInShort(schema), shortMax)
  return [
    `${inertLine(tool.name)} asks for an answer`,
    `  ask     ${id}`,
    '  asks with',
    ...argumentLines(args, true).lines.map((line) => `    ${line}`),
    `  wants   ${wants}`,
    ...untilLines(question, now),
  ]
}

/** When an ask runs out, and what becomes of it then; empty when it does not. */
export function untilLines(
  ask: { readonly expiresAt?: number; readonly default?: JsonValue },
  now: number,
): readonly string[] {
  const { expiresAt } = ask
  if (expiresAt === undefined) return []
  const left = expiresAt > now ? `in ${duration(expiresAt - now)}` : 'now over'
  const then =
    ask.default === undefined ? 'it is declined' : `the answer is ${clipped(visibleJson(ask.default), 160)}`
  return [`  until   ${timeText(expiresAt)} (${left}), then ${then}`]
}

/** A time as people write it, to the second. */
export function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}
