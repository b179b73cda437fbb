import type { AnsweredPart, FinishReason, Usage } from '../../core/driver.ts'
import { partsOf, type ScriptStep } from '../../models/script-step.ts'

/** What can go wrong with an answer on its way. */
export interface WireFaults {
  /** The server refuses with this HTTP status and the provider's form of an error; `error` is its message. */
  readonly status?: number
  /** The connection is cut when this many bytes of the answer's body were delivered. */
  readonly cutAfterBytes?: number
}

/**
 * One answer of a server: a text, or what a scripted model says, with faults. Without `status`, `error` is a failure
 * in the middle of the stream; `breakOff` ends the stream without its end marker. Tools of the provider's own and files
 * are not played.
 */
export type WireStep = string | (Omit<Exclude<ScriptStep, string>, 'providerCalls' | 'files'> & WireFaults)

/** A call as it goes over the wire. */
export interface WireCall {
  readonly id: string
  readonly name: string
  readonly argumentsText: string
  /** The pieces that the arguments are streamed in. */
  readonly pieces: readonly string[]
}

/** One answer, in pieces as it is streamed, and the same in whatever format. */
export interface WireAnswer {
  /** Counts answers of the server, from 1: what ids are made of. */
  readonly number: number
  readonly reasoning: readonly string[]
  readonly text: readonly string[]
  readonly calls: readonly WireCall[]
  readonly finish: FinishReason
  readonly usage: Required<Usage>
  /** The provider fails with this message after the content. */
  readonly failure?: string
  /** The stream ends after the content, with no end marker. */
  readonly breakOff: boolean
}

const pieceCharacters = 8

/** What a server reports when the script does not say. */
const usageByDefault: Required<Usage> = {
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  reasoningTokens: 0,
}

/** A step as the answer that a format writes down. */
export function wireAnswer(step: WireStep, number: number): WireAnswer {
  const parts = partsOf(step, number)
  const last = parts.at(-1)
  if (last?.type !== 'finish') throw new Error('A step has no end.')
  const { error, breakOff = false } = typeof step === 'string' ? {} : step
  const failure = error ?? (last.reason === 'error' ? 'The model failed.' : undefined)
  return {
    number,
    reasoning: parts.flatMap((part) => (part.type === 'reasoning' ? [part.delta] : [])),
    text: parts.flatMap((part) => (part.type === 'text' ? [part.delta] : [])),
    calls: last.parts.flatMap(wireCall),
    finish: last.reason,
    usage: { ...usageByDefault, ...last.usage },
    ...(failure === undefined ? {} : { failure }),
    breakOff,
  }
}

/** The faults that a step names. */
export function faultsOf(step: WireStep): WireFaults & { readonly error?: string } {
  return typeof step === 'string' ? {} : step
}

function wireCall(part: AnsweredPart): WireCall[] {
  if (part.kind !== 'call') return []
  const { modelCallId: id, name, argumentsText } = part
  return [{ id, name, argumentsText, pieces: piecesOf(argumentsText) }]
}

function piecesOf(text: string): string[] {
  const characters = [...text]
  const pieces: string[] = []
  for (let start = 0; start < characters.length; start += pieceCharacters)
    pieces.push(characters.slice(start, start + pieceCharacters).join(''))
  return pieces
}
