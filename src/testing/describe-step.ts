import type { DriverRequest, ToolResultPart } from '../core/driver.ts'
import type { TestStep } from './test-step.ts'

const shownCharactersMax = 80

/** A step of a script, short, as a test wrote it. */
export function describeStep(step: TestStep): string {
  if (step.step === 'user') return `user(${quoted(step.text)})`
  if (step.step === 'wait') return `wait(${step.durationMs})`
  if (step.step !== 'model') return `${step.step}({ ${Object.keys(step.values).join(', ')} })`
  const { answer } = step
  if (typeof answer === 'string') return `model(${quoted(answer)})`
  const { text, toolCalls = [], error, breakOff, delayMs } = answer
  const shown = [
    ...(text === undefined ? [] : [`text: ${quoted(text)}`]),
    ...(toolCalls.length === 0 ? [] : [`toolCalls: [${toolCalls.map((call) => call.name).join(', ')}]`]),
    ...(error === undefined ? [] : [`error: ${quoted(errorText(error))}`]),
    ...(breakOff === undefined ? [] : ['breakOff: true']),
    ...(delayMs === undefined ? [] : [`delayMs: ${delayMs}`]),
  ]
  return `model({ ${shown.join(', ')} })`
}

/** The message of what a provider fails with. */
export function errorText(error: string | Error): string {
  return typeof error === 'string' ? error : error.message
}

/** What a model was asked: the last thing that was said to it. */
export function describeRequest({ messages }: DriverRequest): string {
  const last = messages.at(-1)
  if (last?.role === 'user') return `the user said ${quoted(last.text)}`
  if (last?.role === 'tool') return last.results.map(describeResult).join('; ')
  return 'the conversation so far, with nothing new'
}

function describeResult({ name, text, isError }: ToolResultPart): string {
  return `${name} ${isError ? 'failed with' : 'returned'} ${quoted(text)}`
}

function quoted(text: string): string {
  const short = text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
  return JSON.stringify(short)
}
