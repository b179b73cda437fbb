import type { JsonObject } from '../../../core/json/value.ts'
import { anthropicFindings } from '../../../core/lint/anthropic-rules.ts'
import { isOfObjects } from '../../../core/lint/is-of-objects.ts'
import { schemasWithin } from '../../../core/lint/walk-schema.ts'
import { sayFinding } from '../say-finding.ts'
import { WireRefusal } from '../wire-refusal.ts'

/** Errors: WireRefusal for two tools of one name, a schema that is not taken, and a choice that is none. */
export function checkTools({ tools = [], tool_choice: choice }: JsonObject): void {
  const listed = tools as readonly JsonObject[]
  const names = listed.map((tool) => tool.name)
  if (new Set(names).size < names.length) throw new WireRefusal('tools: two tools bear the same name.')
  for (const [place, tool] of listed.entries()) checkSchema(tool, place)
  if (choice !== undefined && names.length === 0) throw new WireRefusal('tool_choice needs tools.')
  const chosen = (choice as JsonObject | undefined)?.name
  if (chosen !== undefined && !names.includes(chosen))
    throw new WireRefusal(`tool_choice: no tool is called "${String(chosen)}".`)
}

/** A tool of the provider's own has no schema. */
function checkSchema({ input_schema: given, strict }: JsonObject, place: number): void {
  if (given === undefined) return
  const schema = given as JsonObject
  const findings = anthropicFindings(schema).filter(({ effect }) => effect === 'refused')
  const refused = findings[0] ?? (strict === true ? openObject(schema) : undefined)
  if (refused === undefined) return
  throw new WireRefusal(`tools.${place}.custom.input_schema: ${sayFinding(refused)}.`)
}

/** Structured outputs: every object says that it is closed. */
function openObject(schema: JsonObject) {
  const open = schemasWithin(schema).find(
    (each) => isOfObjects(each.schema) && each.schema.additionalProperties !== false,
  )
  return open && { keyword: 'additionalProperties', pointer: open.pointer }
}
