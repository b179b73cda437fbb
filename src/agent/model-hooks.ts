import type { AssistantPart, FinishReason, ModelMessage } from '../core/driver.ts'
import { messageOf } from '../core/message-of.ts'
import type { HistoryEntry } from '../core/run/state.ts'
import type { Answer, Task } from '../runtime/task.ts'
import { runStoppingHook, unreadable } from './hook-stop.ts'
import type { Hooks, ModelHookAnswer, ModelHookRequest } from './hooks.ts'
import { type Offer, shortenedOffer } from './offered.ts'
import { readParts } from './read-answer.ts'

/** What the model is to be sent, or what counts as its answer. */
export type BeforeModel = { readonly messages: readonly ModelMessage[]; readonly offer: Offer } | EarlyAnswer

/** An answer of one text, which somebody gave in the model's place. */
export function standIn(text: string, by: NonNullable<Answer['by']>): Answer {
  return { parts: [{ kind: 'text', text }], finish: 'stop', by }
}

/** An answer that somebody gave in the model's place, and the hooks that stand outside of him. */
export interface EarlyAnswer {
  readonly answer: Answer
  readonly outside: readonly Hooks[]
}

/** Before a run's first step, from the outside in: the first text is its answer. */
export async function beforeRun(hooks: readonly Hooks[], task: Task): Promise<EarlyAnswer | undefined> {
  const input = inputOf(task)
  for (const [index, each] of hooks.entries()) {
    if (each.beforeRun === undefined) continue
    const said = await runStoppingHook(task, each, 'beforeRun', (place) =>
      each.beforeRun?.({ ...place, input }),
    )
    if (typeof said === 'string') return { answer: standIn(said, 'hook'), outside: hooks.slice(0, index) }
    if (said !== undefined) throw unreadable(each, 'beforeRun', 'it gave something else than a text.')
  }
  return undefined
}

function inputOf({ journal, run }: Task): string {
  const isSaid = (each: HistoryEntry) => each.role === 'user' && each.run === run && each.by === undefined
  const entry = journal.state.history.findLast(isSaid)
  return entry?.role === 'user' ? entry.text : ''
}

/** Before a request, from the outside in; each sees what those outside of it made of the request. */
export async function beforeModel(
  hooks: readonly Hooks[],
  task: Task,
  step: number,
  composed: { readonly messages: readonly ModelMessage[]; readonly offer: Offer },
): Promise<BeforeModel> {
  let { messages, offer } = composed
  for (const [index, each] of hooks.entries()) {
    if (each.beforeModel === undefined) continue
    const { tools, providerTools } = offer
    const request = { step, messages: Object.freeze([...messages]), tools, providerTools }
    const said = await runStoppingHook(task, each, 'beforeModel', (place) =>
      each.beforeModel?.({ ...place, ...request } satisfies ModelHookRequest),
    )
    if (said === undefined) continue
    const { answer, ...change } = readChange(each, said)
    if (answer !== undefined) return { answer: standIn(answer, 'hook'), outside: hooks.slice(0, index) }
    messages = withInstructions(change.messages ?? messages, change.instructions)
    offer = shorten(each, offer, change)
  }
  return { messages, offer }
}

interface Change {
  readonly answer?: string
  readonly messages?: readonly ModelMessage[]
  readonly instructions?: string
  readonly tools?: readonly unknown[]
  readonly providerTools?: readonly unknown[]
}

function readChange(each: Hooks, said: unknown): Change {
  const { answer, messages, instructions, tools, providerTools } = (said ?? {}) as Record<string, unknown>
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  const isList = (value: unknown) => value === undefined || Array.isArray(value)
  const isRead = isText(answer) && isText(instructions) && [messages, tools, providerTools].every(isList)
  const isSomething = [answer, messages, instructions, tools, providerTools].some((key) => key !== undefined)
  if (isRead && isSomething && isMessages(messages)) return said as Change
  throw unreadable(each, 'beforeModel', 'it gave no { messages, instructions, tools } and no { answer }.')
}

function isMessages(messages: unknown): boolean {
  const roles: readonly unknown[] = ['system', 'user', 'assistant', 'tool']
  return (messages as { role?: unknown }[] | undefined)?.every((each) => roles.includes(each?.role)) ?? true
}

/** Behind what the agent itself instructs. */
function withInstructions(
  messages: readonly ModelMessage[],
  text: string | undefined,
): readonly ModelMessage[] {
  if (text === undefined) return messages
  const end = messages.findIndex(({ role }) => role !== 'system')
  const place = end < 0 ? messages.length : end
  return [...messages.slice(0, place), { role: 'system', text }, ...messages.slice(place)]
}

/** A list of tools can become shorter; what the policy does not show, nobody shows. */
function shorten(each: Hooks, offer: Offer, { tools, providerTools }: Change): Offer {
  if (tools === undefined && providerTools === undefined) return offer
  const own = namesOf(tools ?? offer.tools)
  const ofProvider = namesOf(providerTools ?? offer.providerTools)
  const isShown = (list: readonly { readonly name: string }[], name: unknown) =>
    list.some((shown) => shown.name === name)
  const hidden = [
    ...own.filter((name) => !isShown(offer.tools, name)),
    ...ofProvider.filter((name) => !isShown(offer.providerTools, name)),
  ]
  if (hidden.length === 0) return shortenedOffer(offer, new Set([...own, ...ofProvider]))
  const names = hidden.map((name) => JSON.stringify(name) ?? String(name)).join(', ')
  throw unreadable(each, 'beforeModel', `it gave tools that the model may not see here: ${names}.`)
}

function namesOf(tools: readonly unknown[]): readonly unknown[] {
  return tools.map((tool) => (typeof tool === 'string' ? tool : (tool as { name?: unknown } | null)?.name))
}

/** After an answer, from the inside out; each sees what those within made of it. */
export async function afterModel(
  hooks: readonly Hooks[],
  task: Task,
  step: number,
  given: Answer,
): Promise<Answer> {
  let answer = given
  for (const each of hooks.toReversed()) {
    if (each.afterModel === undefined) continue
    const { parts, finish, usage } = answer
    const facts = { step, text: textOf(parts), parts, finish, ...(usage === undefined ? {} : { usage }) }
    const said = await runStoppingHook(task, each, 'afterModel', (place) =>
      each.afterModel?.({ ...place, ...facts } satisfies ModelHookAnswer),
    )
    if (said !== undefined) answer = { ...answer, ...replaced(each, said, answer), by: 'hook' }
  }
  return answer
}

function replaced(each: Hooks, said: unknown, { parts, finish }: Answer): Pick<Answer, 'parts' | 'finish'> {
  if (typeof said === 'string') return { parts: [{ kind: 'text', text: said }], finish: 'stop' }
  try {
    const { parts: own, finish: reason = finish } = said as { parts: unknown; finish?: FinishReason }
    if (!Array.isArray(own)) throw new Error('it gave no text and no { parts }.')
    const reasons: readonly unknown[] = ['stop', 'calls', 'length', 'filter', 'other']
    if (!reasons.includes(reason)) throw new Error('there is no such reason to finish.')
    return { parts: own.flatMap((part, index) => readPart(parts, part, index)), finish: reason }
  } catch (error) {
    throw unreadable(each, 'afterModel', messageOf(error, 500))
  }
}

/** A part of the answer itself may stand again as it is; all others are read like a driver's. */
function readPart(parts: readonly AssistantPart[], part: unknown, index: number): readonly AssistantPart[] {
  return parts.includes(part as AssistantPart) ? [part as AssistantPart] : readParts([part], index)
}

/** The text of an answer's parts. */
export function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}
