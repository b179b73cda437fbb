import { isCancel, select, text } from '@clack/prompts'

/** One choice of a menu. Labels and hints must be inert. */
export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

/** Lets a person choose; undefined when they pressed Ctrl-C or the signal aborted. */
export async function choose<Value extends string>(
  message: string,
  choices: readonly Choice<Value>[],
  signal: AbortSignal,
): Promise<Value | undefined> {
  const options = choices.map(({ value, label, hint }) => ({
    value,
    label,
    ...(hint === undefined ? {} : { hint }),
  }))
  const answer = await select<string>({ message, options, signal })
  return isCancel(answer) || signal.aborted ? undefined : (answer as Value)
}

/** How a text is asked for. */
export interface TextQuestion {
  readonly message: string
  readonly initial?: string
  readonly placeholder?: string
  /** A sentence when the text cannot be taken. */
  readonly fault?: (value: string) => string | undefined
}

/** Asks a person for one line; undefined when they pressed Ctrl-C or the signal aborted. */
export async function askText(question: TextQuestion, signal: AbortSignal): Promise<string | undefined> {
  const { message, initial, placeholder, fault } = question
  const answer = await text({
    message,
    signal,
    ...(initial === undefined ? {} : { initialValue: initial }),
    ...(placeholder === undefined ? {} : { placeholder }),
    validate: (value) => fault?.(value ?? ''),
  })
  return isCancel(answer) || signal.aborted ? undefined : (answer ?? '')
}
