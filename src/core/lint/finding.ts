import type { JsonValue } from '../json/value.ts'

/** Whose rules tools are held against; `openai-strict` is OpenAI's strict mode, which is never switched on here. */
export type LintProvider = 'openai' | 'openai-strict' | 'anthropic' | 'gemini'

/** One thing about a tool that a provider will not take, or not take as it is written. */
export interface LintFinding {
  readonly provider: LintProvider
  /** The tool's own name. */
  readonly tool: string
  /** Where in the tool, as a JSON pointer: `/name`, `/jsonSchema/properties/day/pattern`. */
  readonly pointer: string
  /** The keyword of JSON Schema that it is about. */
  readonly keyword?: string
  /** The provider refuses the request; the model is not held to it; something else is sent. */
  readonly effect: 'refused' | 'ignored' | 'changed'
  /** What happens and what is sent, as one sentence. */
  readonly says: string
  /** What is sent in its place, for `changed`. */
  readonly sentInstead?: JsonValue
}

/** What a rule finds in a schema; its pointer begins at the schema's root. */
export type SchemaFinding = Omit<LintFinding, 'provider' | 'tool'>
