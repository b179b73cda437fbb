import { parseJson } from '../../core/json/strict.ts'
import { isJsonObject, type JsonValue } from '../../core/json/value.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { compile } from '../../core/schema/validator.ts'
import { clipped } from './clipped.ts'
import { inertLine, revealedText, visibleJson } from './inert-text.ts'
import { askText, type Choice, choose } from './prompt.ts'
import type { SchemaField } from './schema-fields.ts'

/**
 * Asks a person for the fields of an answer, one by one; a text or a number that was given before is there to be
 * changed. Undefined when they pressed Ctrl-C or the signal aborted.
 */
export async function askFields(
  fields: readonly SchemaField[],
  before: JsonValue | undefined,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const members: [string, JsonValue][] = []
  for (const field of fields) {
    const { name } = field
    const given = await askField(field, memberOf(before, name) ?? field.schema.default, signal)
    if (given === undefined) return undefined
    if (given === 'empty') continue
    if (name === undefined) return given.value
    members.push([name, given.value])
  }
  return Object.fromEntries(members)
}

type Given = { readonly value: JsonValue } | 'empty'

function memberOf(before: JsonValue | undefined, name: string | undefined): JsonValue | undefined {
  if (name === undefined || before === undefined) return before
  return isJsonObject(before) && Object.hasOwn(before, name) ? before[name] : undefined
}

async function askField(
  field: SchemaField,
  before: JsonValue | undefined,
  signal: AbortSignal,
): Promise<Given | undefined> {
  const message = messageOf(field)
  if (field.kind === 'boolean') return await chosen(message, [true, false], field, signal)
  if (field.kind === 'choice') return await chosen(message, field.choices, field, signal)
  const initial = typeof before === 'string' ? before : before === undefined ? '' : visibleJson(before)
  const fault = (text: string) => faultOf(field, text)
  const text = await askText({ message, ...(initial === '' ? {} : { initial }), fault }, signal)
  if (text === undefined) return undefined
  const read = readText(field, text)
  return 'value' in read ? { value: read.value } : 'empty'
}

function messageOf({ name, schema, isRequired }: SchemaField): string {
  const said = typeof schema.description === 'string' ? schema.description : schema.title
  const about = typeof said === 'string' ? `: ${inertLine(clipped(said, 200))}` : ''
  const label = name === undefined ? 'Your answer' : revealedText(clipped(name, 60))
  return `${label}${about}${isRequired ? '' : ' (may be left empty)'}`
}

async function chosen(
  message: string,
  values: readonly JsonValue[],
  { kind, isRequired }: SchemaField,
  signal: AbortSignal,
): Promise<Given | undefined> {
  const label = (value: JsonValue) => {
    if (kind === 'boolean') return value === true ? 'Yes' : 'No'
    return clipped(
      typeof value === 'string' ? revealedText(value).replaceAll('\n', '\\n') : visibleJson(value),
      100,
    )
  }
  const choices: Choice<string>[] = values.map((value, index) => ({ value: `${index}`, label: label(value) }))
  if (!isRequired) choices.push({ value: 'empty', label: 'Leave it empty' })
  const answer = await choose(message, choices, signal)
  if (answer === undefined || answer === 'empty') return answer
  return { value: values[Number(answer)] as JsonValue }
}

type Read = { readonly value: JsonValue } | { readonly empty: true } | { readonly fault: string }

function readText({ kind, isRequired }: SchemaField, text: string): Read {
  if (text.trim() === '') return isRequired ? { fault: 'It is needed.' } : { empty: true }
  if (kind === 'string') return { value: text }
  const parsed = parseJson(text.trim())
  const isNumber = parsed.ok && (typeof parsed.value === 'number' || typeof parsed.value === 'bigint')
  return isNumber ? { value: parsed.value } : { fault: 'Type a number, such as 12 or 0.5.' }
}

function faultOf(field: SchemaField, text: string): string | undefined {
  const read = readText(field, text)
  if ('fault' in read) return read.fault
  return 'value' in read ? firstFault(field.schema, read.value) : undefined
}

/** What the field's own schema says; one that stands on others, or is no plain JSON Schema, is checked with the whole. */
function firstFault(schema: JsonSchema, value: JsonValue): string | undefined {
  try {
    const [fault] = compile(schema)(value)
    return fault && inertLine(fault.message)
  } catch {
    return undefined
  }
}
