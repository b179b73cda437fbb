import { asJson } from '../core/json/as-json.ts'
import { isSameJson } from '../core/json/is-same-json.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { isJsonObject, type JsonValue } from '../core/json/value.ts'
import type { CallState } from '../core/run/state.ts'
import type { CheckResult } from '../core/schema/schema.ts'
import type { Tool } from '../core/tool/tool.ts'
import { isKept, outputFaults } from './check-output.ts'
import { type CheckSurroundings, checkSchema } from './check-schema.ts'
import { accept, accepted, invalid, listed, type Passed, type Validated } from './validator.ts'

/** What a call had before a person or a migration changed it. */
export type Shown = Pick<CallState, 'args' | 'reparse'>

/**
 * Checks what a person made of the arguments that he was shown. These are the schema's output, so what he wrote is
 * checked as such, is never transformed again, and runs exactly as it stands; only lossless conversions are made where
 * the schema does not transform, and they are recorded. Where the record holds the schema's input (`reparse`), so does
 * what he wrote.
 */
export async function validateEdited(
  surrounding: CheckSurroundings,
  tool: Tool,
  shown: Shown,
  written: JsonValue,
): Promise<Validated> {
  if (!isJsonObject(written)) return invalid('the value must be an object')
  const checked = await checkSchema(surrounding, tool.schema, written)
  if (shown.reparse === true) return asInput(tool, checked)
  const kept = unchanged(tool, checked)
  if (kept !== undefined) return kept
  const sample = shown.args
  if (sample !== undefined && isKept(await checkSchema(surrounding, tool.schema, sample), sample)) {
    if (!checked.ok) return invalid(listed(checked.faults))
    const made = asJson(checked.value)
    const settles = made === undefined || isKept(await checkSchema(surrounding, tool.schema, made), made)
    if (settles) return changedBySchema(made)
  }
  const faults = await outputFaults(tool.schema, written, { sample, untold: 'fault' })
  return faults.length === 0 ? accept(tool, written, written, {}) : invalid(listed(faults))
}

/**
 * The same for arguments that a developer's migration gave for a tool that has changed: what it gives is what runs. He
 * may leave to the schema what it fills in, and gives its input where its output is no JSON.
 */
export async function validateMigrated(
  surrounding: CheckSurroundings,
  tool: Tool,
  given: JsonValue,
): Promise<Validated> {
  if (!isJsonObject(given)) return invalid('the value must be an object')
  const checked = await checkSchema(surrounding, tool.schema, given)
  const made = checked.ok ? asJson(checked.value) : undefined
  if (checked.ok && made === undefined) return accepted(tool, checked)
  const kept = unchanged(tool, checked)
  if (kept !== undefined) return kept
  if (tool.schema.kind === 'json')
    return checked.ok ? accepted(tool, checked) : invalid(listed(checked.faults))
  const faults = await outputFaults(tool.schema, given, { sample: undefined, untold: 'trust' })
  if (faults.length === 0 && !tellsNothing(tool)) return accept(tool, given, given, {})
  const settles = made !== undefined && isKept(await checkSchema(surrounding, tool.schema, made), made)
  if (settles) return accepted(tool, checked as Passed)
  return invalid(listed(checked.ok ? faults : checked.faults))
}

function tellsNothing({ schema }: Tool): boolean {
  return schema.ofOutput?.() === undefined
}

/** What the schema gave back as it took it, conversions aside. */
function unchanged(tool: Tool, checked: CheckResult): Validated | undefined {
  const isSame = checked.ok && isSameJson(asJson(checked.value), checked.input)
  return isSame ? accepted(tool, checked) : undefined
}

function asInput(tool: Tool, checked: CheckResult): Validated {
  if (!checked.ok) return invalid(listed(checked.faults))
  const { input, value, coerced } = checked
  return accept(tool, input, value, { ...(coerced.length === 0 ? {} : { coerced }), reparse: true })
}

const shownCharactersMax = 300

/** A schema that fills in, cuts or drops: what runs is to be what the person wrote, so he writes it. */
function changedBySchema(made: JsonValue | undefined): Validated {
  if (made === undefined) return invalid('the schema makes something of them that is no JSON')
  const text = stringifyJson(made)
  const shown = text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}...`
  return invalid(`the schema would make ${shown.toWellFormed()} of them; write what is to run`)
}
