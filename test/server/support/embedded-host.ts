import { memoryStore, type Store, scriptedModel, tool } from '../../../src/index.ts'
import type { ScriptStep } from '../../../src/models/script-step.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import type { RuntimeParts } from '../../../src/runtime/parts.ts'
import { systemParts } from '../../../src/runtime/system.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'
import type { HostParts } from '../../../src/server/host-parts.ts'
import { Runs } from '../../../src/server/runs/runs.ts'
import type { Who } from '../../../src/server/who.ts'
import { type ManualClock, manualClock } from '../../../src/testing.ts'
import { mortal } from '../../support/places.ts'

/** A host in this process, as if it were one of several over its store. */
export interface EmbeddedHost extends HostParts {
  readonly clock: ManualClock
  /** How often a model was asked. */
  readonly asked: { count: number }
  /** Starts a run and reads its stream from the side. */
  start(request: object, who?: Who): Promise<ReadRun>
}

interface Wanted {
  readonly store?: Store
  readonly clock?: ManualClock
  readonly options?: Partial<HostOptions>
  /** What the model answers; after these, "finished". */
  readonly steps?: readonly ScriptStep[]
  /** The process. Default: one that others may follow at once. */
  readonly owner?: RuntimeParts['owner']
}

/** A call of `lookup`, as a step of the model. */
export const lookingUp: ScriptStep = {
  calls: [{ id: 'lookup-one', name: 'lookup', args: { query: 'solar', limits: { max: 3, min: 1 } } }],
}

/** A call of `slow` before one of `lookup`. */
export const slowAndLookingUp: ScriptStep = {
  calls: [
    { id: 'slow-one', name: 'slow', args: {} },
    { id: 'lookup-one', name: 'lookup', args: { query: 'solar' } },
  ],
}

/** A tool of the host that heeds no signal and ends when the test says so; other calls may run beside it. */
export function slowTool() {
  const started = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<string>()
  const execute = () => {
    started.resolve()
    return ending.promise
  }
  const slow = tool({ name: 'slow', description: 'Takes long', toolClass: 'read', parallel: true, execute })
  return { tool: slow, started: started.promise, mayEnd: ending.resolve }
}

/** Anything may be looked up, and found. */
export const lookup = {
  name: 'lookup',
  description: 'Looks something up',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
} as const

export const request = {
  provider: 'double',
  model: 'small',
  input: 'Find something about the sun.',
  tools: ['lookup'],
  applicationTools: [lookup],
} as const

export const reviewed = { ...request, approvals: { mode: 'interactive', idlePolicy: 'pause' } } as const

export function embeddedHost({
  store = memoryStore(),
  clock = manualClock(),
  options,
  steps = [lookingUp],
  owner = mortal().owner,
}: Wanted = {}): EmbeddedHost {
  const asked = { count: 0 }
  const model = scriptedModel(({ messages }) => {
    asked.count += 1
    return steps[messages.filter(({ role }) => role === 'assistant').length] ?? 'finished'
  })
  const full: HostOptions = {
    providers: { double: { models: { small: model } } },
    applicationTools: { enabled: true, requireApproval: false },
    approvals: { interactive: true },
    ...options,
  }
  const parts = { ...systemParts(store), owner, clock }
  const runs = new Runs(full, parts)
  const start = async (given: object, who: Who = {}) => new ReadRun(await runs.start(given, who, 'stream'))
  return { options: full, runs, parts, clock, asked, start }
}

/** The same store in another process; by default one that takes every other for dead. */
export function beside(host: EmbeddedHost, store: Store, wanted: Wanted = {}): EmbeddedHost {
  return embeddedHost({ store, clock: host.clock, options: host.options, ...wanted })
}

/** A process that waits for the leases of others. */
export const patient = { owner: { name: 'patient', hasEnded: () => false } }

type Stream = Awaited<ReturnType<Runs['start']>>
type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

/** What was read of a run so far. */
export class ReadRun {
  readonly runId: string
  readonly events: RunEvent[] = []
  readonly done: Promise<void>
  readonly #stream: Stream

  constructor(stream: Stream) {
    this.#stream = stream
    this.runId = stream.runId
    this.done = this.#read()
    this.done.catch(() => undefined)
  }

  /** The first event of a type, as soon as it is there. */
  async first<Type extends RunEvent['type']>(type: Type): Promise<EventOf<Type>> {
    return await eventually(() => this.events.find((event): event is EventOf<Type> => event.type === type))
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type)
  }

  get last(): RunEvent | undefined {
    return this.events.at(-1)
  }

  /** The reader goes. */
  close(): void {
    this.#stream.close()
  }

  async #read(): Promise<void> {
    for await (const { event } of this.#stream) this.events.push(event)
  }
}

/** What is there at last, however many turns of the event loop that takes. */
export async function eventually<Value>(look: () => Value | undefined): Promise<Value> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The code of what something is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const refused = await promise.then(
    () => 'Nothing was refused.',
    (error: { readonly code?: string }) => error.code ?? String(error),
  )
  return refused
}

/** A caller whose grants are these, and nothing else. */
export function granted(
  subject: string,
  access: Partial<NonNullable<Who['access']>> = {},
  group?: string,
): Who {
  const none = {
    providers: [],
    tools: [],
    applicationTools: [],
    approveTools: [],
    sessions: [],
    reviewerGroups: [],
  }
  return {
    subject,
    access: { ...none, administration: false, ...access },
    ...(group === undefined ? {} : { group }),
  }
}

/** A caller who may do all with what is his own. */
export function worker(
  subject: string,
  access: Partial<NonNullable<Who['access']>> = {},
  group?: string,
): Who {
  const all = {
    providers: ['*'],
    applicationTools: [{ name: '*', requiresApproval: false }],
    approveTools: ['*'],
    sessions: ['create', 'read', 'continue', 'delete'] as const,
  }
  return granted(subject, { ...all, ...access }, group)
}
