import type { Driver, DriverPart, DriverRequest, DriverTurn, ModelMessage, Usage } from '../../core/driver.ts'
import { ToolpostError } from '../../core/error.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'
import { orAborted } from '../../runtime/race.ts'
import { soon } from '../../runtime/soon.ts'
import { refusals } from './refusals.ts'

/** What has to be before a model is asked, and what is known of the run then. */
export interface Admission {
  /** Tokens that the run's answers have used. */
  readonly tokens: number
  /** The most that it may use; absent: no bound. */
  readonly tokensMax?: number

  /** Resolves when the run's stream has begun. */
  readonly begun: Promise<void>
  /** Resolves when the run may work. */
  enter(signal: AbortSignal): Promise<void>
}

/** The provider's model with what the request says of it: the conversation before, and how long an answer may be. */
export function hostDriver(
  driver: Driver,
  request: RunRequest,
  { admission, turn }: { readonly admission: () => Admission; readonly turn?: DriverTurn },
): Driver {
  return {
    name: driver.name,
    ...(turn === undefined ? {} : { turn }),
    async *propose(asked, signal) {
      const { begun } = admission()
      await orAborted(begun, signal)
      await admission().enter(signal)
      // What readers were told leaves before the next answer is worked on.
      await new Promise<void>(soon)
      signal.throwIfAborted()
      const bound = new AnswerBound(request.maxOutputTokens)
      for await (const part of driver.propose(withRequest(asked, request), signal)) {
        bound.count(part)
        if (part.type === 'finish') {
          if (request.onToolFailure === 'fail') checkIds(part.parts)
          checkTokens(admission(), part)
        }
        yield part
      }
    },
  }
}

/** No token of any model has more characters than this on average: what is longer, no honest provider sends. */
const charactersPerToken = 64

/** Ends an answer that goes on beyond all that was asked for. */
class AnswerBound {
  readonly #charactersMax: number
  #characters = 0

  constructor(outputTokensMax: number = wireBounds.outputTokensDefault) {
    this.#charactersMax = outputTokensMax * charactersPerToken
  }

  count(part: DriverPart): void {
    if (part.type !== 'text' && part.type !== 'reasoning') return
    this.#characters += part.delta.length
    if (this.#characters > this.#charactersMax)
      throw new ToolpostError('LIMIT_EXCEEDED', refusals.endless.sentence)
  }
}

function withRequest(asked: DriverRequest, request: RunRequest): DriverRequest {
  const { history = [], maxOutputTokens = wireBounds.outputTokensDefault } = request
  const earlier = history.map(
    ({ role, content }): ModelMessage =>
      role === 'user' ? { role, text: content } : { role, parts: [{ kind: 'text', text: content }] },
  )
  const at = asked.messages.findIndex(({ role }) => role !== 'system')
  const messages = [...asked.messages.slice(0, at), ...earlier, ...asked.messages.slice(at)]
  return { ...asked, messages, outputTokensMax: maxOutputTokens }
}

/** By the strict endings, an id that is none or that stands twice ends the run before anything of the answer runs. */
function checkIds(parts: readonly { readonly kind: string }[]): void {
  const seen = new Set<string>()
  for (const part of parts) {
    if (part.kind !== 'call' || !('modelCallId' in part)) continue
    const id = String(part.modelCallId)
    if (id === '' || id.length > wireBounds.idCodeUnitsMax || seen.has(id))
      throw new ToolpostError('INVALID_ARGUMENT', refusals.ids.sentence)
    seen.add(id)
  }
}

/** Calls run only while there are tokens left to answer them; a last answer may use them up. */
function checkTokens({ tokens, tokensMax }: Admission, { usage, parts }: FinishPart): void {
  if (tokensMax === undefined) return
  const total = tokens + tokensOf(usage)
  const isLast = !parts.some(({ kind }) => kind === 'call')
  if (total > tokensMax || (total === tokensMax && !isLast))
    throw new ToolpostError('INVALID_ARGUMENT', refusals.tokens.sentence)
}

type FinishPart = Extract<DriverPart, { type: 'finish' }>

/** What counts of a usage. */
export function tokensOf({ inputTokens = 0, outputTokens = 0 }: Usage): number {
  return inputTokens + outputTokens
}
