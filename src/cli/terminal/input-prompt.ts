import type { InputRequest } from '../../agent/input-request.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { clipped } from './clipped.ts'
import { aside, held } from './held.ts'
import { inertLine, visibleJson } from './inert-text.ts'
import { inputCard } from './input-card.ts'
import { askFields } from './input-fields.ts'
import type { Output } from './output.ts'
import { askText, choose } from './prompt.ts'
import { schemaFields } from './schema-fields.ts'
import { schemaInShort } from './schema-in-short.ts'
import { editInEditor, textEditor } from './text-editor.ts'

/** Says every fault of an answer; empty when it passes. */
export type CheckInput = (request: InputRequest, value: JsonValue) => Promise<readonly string[]>

/** What a prompt for an answer needs from its surroundings. */
export interface InputPrompt {
  readonly output: Output
  readonly check: CheckInput
}

/**
 * Shows a question in the terminal until a person has given an answer that passes: a flat object field by field,
 * everything else as JSON. `leave`: they pressed Ctrl-C, or want it left open. Undefined when the signal aborted.
 */
export async function promptForInput(
  request: InputRequest,
  { output, check }: InputPrompt,
  signal: AbortSignal,
): Promise<{ readonly value: JsonValue } | 'leave' | undefined> {
  show(request, output)
  const fields = schemaFields(request.schema)
  let draft: JsonValue | undefined
  for (;;) {
    const given = await held(output, () =>
      fields === undefined ? askJson(request, draft, output, signal) : askFields(fields, draft, signal),
    )
    if (signal.aborted) return undefined
    if (given === undefined) return 'leave'
    draft = given
    const faults = await check(request, given)
    if (faults.length === 0) return { value: given }
    output.line(output.style('yellow', '  The answer does not pass:'))
    for (const fault of faults) output.line(output.style('yellow', `    ${inertLine(fault)}`))
  }
}

function show(request: InputRequest, output: Output): void {
  const [title = '', ...lines] = inputCard(request, Date.now())
  output.line(`\n${output.style('bold', output.style('yellow', `? ${title}`))}`)
  for (const line of lines) output.line(line)
  output.line(output.style('dim', '  Ctrl-C leaves it open, to be answered or declined from any terminal.'))
}

async function askJson(
  request: InputRequest,
  draft: JsonValue | undefined,
  output: Output,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const before = draft ?? request.default
  const initial = before === undefined ? '' : visibleJson(before)
  const editor = textEditor()
  if (editor === undefined) return await askLine(request, initial, signal)
  for (;;) {
    const where = await choose('How do you answer?', ways, signal)
    if (where === undefined || where === 'leave') return undefined
    if (where === 'line') return await askLine(request, initial, signal)
    const text = await editInEditor(editor, initial)
    const parsed = parseJson(text ?? '')
    if (text !== undefined && parsed.ok) return parsed.value
    const fault = parsed.ok || text === undefined ? 'The editor ended with an error.' : parsed.fault.message
    aside(output, output.style('yellow', `  ${inertLine(fault)}`))
  }
}

const ways = [
  { value: 'editor', label: 'In the editor, as JSON' },
  { value: 'line', label: 'On a line, as JSON' },
  { value: 'leave', label: 'Leave it open', hint: 'answer later, from any terminal' },
] as const

async function askLine(
  { schema }: InputRequest,
  initial: string,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const question = {
    message: 'Your answer, as JSON',
    placeholder: clipped(schemaInShort(schema), 100),
    ...(initial === '' ? {} : { initial }),
    fault: (text: string) => {
      const parsed = parseJson(text)
      return parsed.ok ? undefined : inertLine(parsed.fault.message)
    },
  }
  const text = await askText(question, signal)
  const parsed = parseJson(text ?? '')
  return parsed.ok ? parsed.value : undefined
}
