import type { Explanation } from '../../agent/explain-call.ts'
import { parseJson } from '../../core/json/strict.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/value.ts'
import { clipped } from './clipped.ts'
import { inertLine, revealedText, visibleJson } from './inert-text.ts'
import { askText, type Choice, choose } from './prompt.ts'
import { editInEditor, textEditor } from './text-editor.ts'

/** What editing needs from its surroundings. */
export interface Editing {
  readonly args: JsonValue
  /** Checks arguments and says what would run, or the fault. */
  readonly explain: (args: JsonValue) => Promise<Explanation>
  /** Shows a line to the person. */
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

/** A line that can be edited as it is must be short, and show everything that is in it. */
const plainMax = 400
const jsonLineMax = 4_000

/**
 * Lets a person change the arguments, as fields or as JSON, until they pass. Gives what will run: checked, and
 * prepared by the tool. Undefined when the person changed nothing after all.
 */
export async function editArguments(editing: Editing): Promise<JsonValue | undefined> {
  let draft = editing.args
  for (;;) {
    const chosen = await choose('What shall be changed?', choices(draft), editing.signal)
    if (chosen === undefined || chosen === 'back') return undefined
    if (chosen === 'done') {
      const passed = await checked(editing, draft)
      if (passed !== undefined) return passed
      continue
    }
    const edited =
      chosen === 'json' ? await editJson(draft, editing) : await editField(draft, chosen.slice(1), editing)
    if (edited === undefined) continue
    draft = edited
    const explanation = await editing.explain(draft)
    if (explanation.fault !== undefined) editing.say(inertLine(explanation.fault))
  }
}

function choices(draft: JsonValue): readonly Choice<string>[] {
  const fields = isJsonObject(draft) ? Object.entries(draft) : []
  return [
    ...fields.map(([name, value]) => ({
      value: `.${name}`,
      label: revealedText(name),
      hint: clipped(visibleJson(value), 60),
    })),
    { value: 'json', label: 'All of it, as JSON' },
    { value: 'done', label: 'Done: check it and go on' },
    { value: 'back', label: 'Back, without a change' },
  ]
}

async function checked(editing: Editing, draft: JsonValue): Promise<JsonValue | undefined> {
  const { args, fault, decision } = await editing.explain(draft)
  if (fault !== undefined || args === undefined) {
    editing.say(inertLine(fault ?? 'The arguments do not pass.'))
    return undefined
  }
  if (decision.verdict !== 'deny') return args
  editing.say(inertLine(`With these arguments the call is not allowed: ${decision.reason}`))
  return undefined
}

async function editField(draft: JsonValue, name: string, editing: Editing): Promise<JsonValue | undefined> {
  const fields = draft as JsonObject
  const value = fields[name] as JsonValue
  const edited =
    typeof value === 'string' ? await editText(name, value, editing) : await editJson(value, editing)
  return edited === undefined ? undefined : Object.fromEntries([...Object.entries(fields), [name, edited]])
}

async function editText(name: string, value: string, editing: Editing): Promise<JsonValue | undefined> {
  if (value.length <= plainMax && !value.includes('\n') && revealedText(value) === value) {
    return await askText({ message: revealedText(name), initial: value }, editing.signal)
  }
  const editor = textEditor()
  if (editor === undefined) return await editJson(value, editing)
  const edited = await editInEditor(editor, value)
  if (edited === undefined) editing.say('The editor ended with an error; nothing was changed.')
  return edited
}

async function editJson(value: JsonValue, editing: Editing): Promise<JsonValue | undefined> {
  const initial = visibleJson(value)
  if (initial.length > jsonLineMax) {
    editing.say('It is too long for one line; set VISUAL or EDITOR to an editor and start again.')
    return undefined
  }
  const text = await askText({ message: 'As JSON', initial, fault: jsonFault }, editing.signal)
  if (text === undefined) return undefined
  const parsed = parseJson(text)
  return parsed.ok ? parsed.value : undefined
}

function jsonFault(text: string): string | undefined {
  const parsed = parseJson(text)
  return parsed.ok ? undefined : inertLine(parsed.fault.message)
}
