import type { JsonObject } from '../../core/json/value.ts'
import { openaiFindings } from '../../core/lint/openai-rules.ts'
import { openaiStrictFindings } from '../../core/lint/openai-strict-rules.ts'
import { openaiParam } from './openai-refusal.ts'
import { sayFinding } from './say-finding.ts'
import { WireRefusal } from './wire-refusal.ts'

/** A tool of a request, in whichever of OpenAI's formats. */
export interface OpenaiTool {
  /** A tool of the provider's own has none. */
  readonly name?: string
  readonly parameters?: JsonObject | null
  readonly strict?: boolean | null
  /** Where its parameters stand, as a JSON pointer. */
  readonly at: string
}

const toolsMax = 128

/** Errors: WireRefusal for too many tools, two of one name, and a schema that OpenAI does not take. */
export function checkOpenaiTools(tools: readonly OpenaiTool[]): void {
  if (tools.length > toolsMax) {
    throw new WireRefusal(`"tools" holds ${tools.length} tools; at most ${toolsMax} are taken.`, {
      param: 'tools',
      code: 'array_above_max_length',
    })
  }
  const names = tools.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const twice = names.find((name, place) => names.indexOf(name) < place)
  if (twice !== undefined)
    throw new WireRefusal(`Two tools bear the same name, "${twice}".`, {
      param: 'tools',
      code: 'invalid_value',
    })
  for (const tool of tools) checkSchema(tool)
}

function checkSchema({ name, parameters, strict, at }: OpenaiTool): void {
  if (parameters === undefined || parameters === null) return
  const findings = strict === true ? openaiStrictFindings(parameters) : openaiFindings(parameters)
  const refused = findings.find(({ effect }) => effect === 'refused')
  if (refused === undefined) return
  throw new WireRefusal(`The schema of the function "${name}" is not taken: ${sayFinding(refused)}.`, {
    param: openaiParam(at),
    code: 'invalid_function_parameters',
  })
}
