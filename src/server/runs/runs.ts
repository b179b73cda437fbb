import type { Agent } from '../../agent/agent.ts'
import { readOrigin as readKeptOrigin } from '../../agent/origin.ts'
import type { Session } from '../../agent/session.ts'
import { suspend } from '../../agent/suspend.ts'
import { isToolpostError } from '../../core/error.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { limits } from '../../core/limits.ts'
import type { IndexRow, Store } from '../../core/store.ts'
import { HostError } from '../../protocol/host-error.ts'
import { requestFingerprint } from '../../protocol/request-fingerprint.ts'
import { Journal, sessionStream } from '../../runtime/journal.ts'
import { listAll } from '../../runtime/list-all.ts'
import { isOwned } from '../../runtime/ownership.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { sameCaller } from '../access/same-caller.ts'
import type { HostOptions } from '../host-options.ts'
import { Retention } from '../sessions/retention.ts'
import { maySee, subjectOf, type Who } from '../who.ts'
import { asRefusal, isTaken, unlessRemoved } from './as-refusal.ts'
import type { Capacity } from './capacity.ts'
import { type Admission, tokensOf } from './host-driver.ts'
import { idleOf } from './idle-of.ts'
import { keyedIds } from './keyed-ids.ts'
import { LiveRun } from './live-run.ts'
import { openSessionFor } from './open-session.ts'
import { type RunOrigin, readOrigin } from './origin.ts'
import { Places } from './places.ts'
import { planAgain, preflight, type RunForm, type RunPlan } from './preflight.ts'
import { refusals } from './refusals.ts'
import { reviews } from './reviews.ts'
import { hostAgentName, runAgent } from './run-agent.ts'
import type { RunNews } from './run-reader.ts'
import { type RunStream, readerStream } from './run-stream.ts'
import { hasWordFirst, recordShown, wasShown } from './shown-asks.ts'
import { type Slot, Slots } from './slots.ts'
import { storedStream } from './stored-stream.ts'
import type { WireRun } from './wire-run.ts'

/** A run of a host, found in its store. */
export interface FoundRun {
  readonly run: WireRun
  readonly subject: string
  readonly origin: RunOrigin
  /** Knows the tools of the run. */
  readonly session: Session
  /** There when this process drives the run. */
  readonly live?: LiveRun
}

/** What a new run begins with. */
interface Beginning {
  readonly plan: RunPlan
  readonly origin: RunOrigin
  readonly subject: string
  readonly slot: Slot
  readonly ids: { readonly run: string; readonly session?: string }
}

/** How long the reader of a run may take to come back after a restart of its host. */
const returnMs = 60_000

const leftSentence = 'The reader left.'

/** The runs of one host: those that it drives, and those that stand in its store. */
export class Runs {
  readonly #options: HostOptions
  readonly #store: Store
  readonly #parts: RuntimeParts
  readonly #slots: Slots
  readonly #live = new Map<string, LiveRun>()
  readonly #listeners = new Set<(run: LiveRun, news: RunNews) => void>()
  readonly #places: Places
  readonly #retention: Retention
  #isClosing = false
  #cancelLook = () => {}

  constructor(options: HostOptions, parts: RuntimeParts) {
    this.#options = options
    this.#store = parts.store
    this.#parts = parts
    this.#slots = new Slots(options.limits)
    this.#places = new Places(options)
    this.#retention = new Retention(options.limits, parts)
  }

  /** The places of executions that wait for a result. */
  get executions(): Capacity {
    return this.#places.executions
  }

  /** The places of asks that are before people. */
  get approvals(): Capacity {
    return this.#places.approvals
  }

  /** Runs at work, and runs that wait for room. */
  get load(): { readonly active: number; readonly queued: number } {
    return { active: this.#slots.active, queued: this.#slots.queued }
  }

  /** A run that this process drives. */
  liveRun(runId: string): LiveRun | undefined {
    const live = this.#live.get(runId)
    return live?.isOver === true ? undefined : live
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Follows all that the runs of this process do. */
  listen(listener: (run: LiveRun, news: RunNews) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes a request up, or replays what its key stands for. Refusals reject, and nothing has happened then. */
  async start(given: unknown, who: Who, form: RunForm): Promise<RunStream> {
    if (this.#isClosing) throw new HostError('HOST_SHUTTING_DOWN')
    const plan = preflight(this.#options, given, who, form)
    const { request } = plan
    const subject = subjectOf(who)
    const fingerprint = request.idempotencyKey === undefined ? undefined : requestFingerprint(request)
    const ids = keyedIds(this.#parts.ids, subject, request)
    const before = await this.#before(ids.run, fingerprint, subject)
    if (before !== undefined) return before
    const slot = this.#slots.admit(subject, sameCaller(who))
    try {
      const origin: RunOrigin = {
        ...{ kind: 'toolpost.host', request, reviewed: plan.reviewed },
        ...(who.group === undefined ? {} : { group: who.group }),
        ...(fingerprint === undefined ? {} : { fingerprint }),
      }
      return await this.#begin({ plan, origin, subject, slot, ids }, who)
    } catch (error) {
      slot.leave()
      if (fingerprint === undefined || !isTaken(error, request)) throw asRefusal(error)
      const other = await this.#replayOf(ids.run, fingerprint, subject)
      if (other !== undefined) return other
      throw new HostError('OPERATION_IN_PROGRESS')
    }
  }

  /** A run that the caller may see. Errors: RUN_NOT_FOUND. */
  async find(runId: string, who: Who): Promise<FoundRun> {
    const found = await this.lookUp(runId)
    if (found === undefined || !maySee(who, found.subject)) throw new HostError('RUN_NOT_FOUND')
    return found
  }

  /** A run of this host, whoever asks; undefined when there is none. */
  async lookUp(runId: string): Promise<FoundRun | undefined> {
    // A search for no id finds any run.
    if (typeof runId !== 'string') return undefined
    const live = this.liveRun(runId)
    const [row] = live === undefined ? await this.#store.list({ kind: 'run', id: runId, limit: 1 }) : []
    const sessionId = live?.session.id ?? (row && String(row.data.session))
    if (sessionId === undefined || (row !== undefined && row.data.agent !== hostAgentName)) return undefined
    return await unlessRemoved(() => this.#open(runId, sessionId, live))
  }

  /** A run whose record was read just now. */
  async ofRecord(recorded: Pick<FoundRun, 'run' | 'origin'>): Promise<FoundRun> {
    return await this.#found(recorded, this.liveRun(recorded.run.runId))
  }

  /** The stream of a run from a place on, for somebody who comes back. */
  async follow(found: FoundRun, lastEventId: string | undefined): Promise<RunStream> {
    const { run, live, session } = found
    if (live !== undefined && !live.isOver) {
      live.begin()
      const reader = await live.read(lastEventId, () => this.#endUnread(live))
      return readerStream(run.runId, reader)
    }
    return await storedStream(this.#stored(run, session), lastEventId, false)
  }

  #stored(run: WireRun, session: Session) {
    return { run, session, store: this.#store, asksHost: hasWordFirst(this.#options) }
  }

  /** Stops a run, wherever it rests or is driven. Errors: SESSION_BUSY when another process has not ended it in 30 seconds. */
  async cancel({ run, live, session }: FoundRun, sentence: string): Promise<void> {
    if (live !== undefined) {
      live.cancel(sentence)
      await live.done
      return
    }
    if (session.state.openRun !== run.runId) return
    await session.cancel(sentence).catch((error: unknown) => {
      throw asRefusal(error)
    })
  }

  /** Takes up the runs that an earlier process left. */
  async recover(): Promise<void> {
    const rows: IndexRow[] = []
    for await (const row of listAll(this.#store, { kind: 'run', status: ['open', 'waiting'] })) rows.push(row)
    for (const { id, data } of rows) {
      if (data.agent !== hostAgentName || this.#live.has(id) || this.#isClosing) continue
      if (await isOwned(this.#parts, sessionStream(String(data.session)))) continue
      await this.#takeUp(id, String(data.session)).catch(() => undefined)
    }
    this.#lookAgain()
  }

  /** Another process may die while this one lives: what it leaves is taken up when its lease is over. */
  #lookAgain(): void {
    this.#cancelLook()
    if (this.#isClosing) return
    this.#cancelLook = this.#parts.clock.timer(limits.leaseMs, () => {
      this.recover().then(
        () => this.#retention.look(),
        (error: unknown) => {
          const isClosed = isToolpostError(error) && error.code === 'STORE_CLOSED'
          if (!isClosed) this.#lookAgain()
        },
      )
    })
  }

  /** Lets no new run in, ends what is to end with its reader, and lets the others rest in the store. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    this.#cancelLook()
    const swept = this.#retention.stop()
    const all = [...this.#live.values()]
    for (const live of all) {
      if (live.run.request.onDisconnect !== 'keep') live.cancel('The host is closing.')
    }
    const giveUp = new AbortController()
    const late = this.#parts.clock.timer(graceMs, () => giveUp.abort())
    await Promise.all([swept, ...all.map((live) => live.rest(giveUp.signal))])
    late()
  }

  async #begin({ plan, origin, subject, slot, ids }: Beginning, who: Who): Promise<RunStream> {
    const { request } = plan
    const agent = this.#agent(() => live, plan, subject, slot)
    const session = await openSessionFor(
      { agent, options: this.#options, request, subject, id: ids.session },
      who,
    )
    const live: LiveRun = this.#liveRun({ runId: ids.run, sessionId: session.id, request }, session, slot)
    const isKept = request.onDisconnect === 'keep'
    const stream = session.stream(request.input, {
      ...{ id: ids.run, origin: origin as unknown as JsonValue, signal: live.signal },
      ...idleOf(this.#options, origin),
    })
    // The first event is fetched before anybody is told that the run began: what refuses the run refuses it here.
    const first = await stream.next()
    if (first.done === true) throw new Error('A run began with its end.')
    this.#live.set(ids.run, live)
    // Whoever else follows it only looks on: whether he is there makes no difference.
    const reader = await live.read(undefined, (reason) => {
      if (!isKept) live.cancel(reason === 'behind' ? refusals.behind.sentence : leftSentence)
    })
    live.follow(stream, first.value)
    live.done.then(() => {
      this.#live.delete(ids.run)
      slot.leave()
    })
    return readerStream(ids.run, reader)
  }

  async #takeUp(runId: string, sessionId: string): Promise<void> {
    const found = await this.#open(runId, sessionId, undefined)
    if (found === undefined || found.session.state.openRun !== runId) return
    const { origin, subject, run } = found
    const slot = this.#slots.resume(subject)
    const plan = planAgain(this.#options, origin.request, origin.reviewed)
    const agent = this.#agent(() => live, plan, subject, slot)
    const session = await agent.openSession(sessionId)
    const live: LiveRun = this.#liveRun(run, session, slot)
    this.#places.hold(live, subject)
    live.begin()
    this.#live.set(runId, live)
    live.followWhenFree(() => session.resume({ signal: live.signal }))
    // A crash is no disconnect, but who does not come back after it has left.
    const giveUp = this.#parts.clock.timer(returnMs, () => this.#endUnread(live))
    live.done.then(() => {
      giveUp()
      this.#live.delete(runId)
      slot.leave()
    })
  }

  /** Ends a run that ends with its readers, when it has none: who started it may be gone with an earlier process. */
  #endUnread(live: LiveRun): void {
    if (live.run.request.onDisconnect !== 'keep' && !live.isRead) live.cancel(leftSentence)
  }

  #agent(live: () => LiveRun, plan: RunPlan, subject: string, slot: Slot): Agent {
    const { request } = plan
    const approvals = reviews({
      ...{ options: this.#options, request, subject, open: this.approvals },
      show: (ticket) => live().show(ticket),
      wasShown: (ticket) => wasShown(live().session.state, ticket),
      recordShown: (ticket) => recordShown(live().session, ticket),
      wireId: (call) => live().session.state.calls.get(call)?.modelCallId ?? call,
    })
    return runAgent(this.#options, plan, {
      ...{ store: this.#store, parts: this.#parts, approvals },
      turn: slot.turn,
      admission: () => this.#admission(live(), slot),
      reserve: (call) => this.executions.take(call, subject),
    })
  }

  #admission({ begun, run, session }: LiveRun, slot: Slot): Admission {
    const tokens = tokensOf(session.state.runs.get(run.runId)?.usage ?? {})
    const tokensMax = this.#options.limits?.runTokensMax
    const bound = tokensMax === undefined ? {} : { tokensMax }
    return { begun, tokens, enter: (signal) => slot.enter(signal), ...bound }
  }

  #liveRun(run: WireRun, session: Session, slot: Slot): LiveRun {
    const { clock } = this.#parts
    const live: LiveRun = new LiveRun({
      ...{ run, session, store: this.#store, clock },
      onNews: (news) => {
        this.#places.follow(live, news, slot)
        for (const listener of [...this.#listeners]) listener(live, news)
      },
    })
    return live
  }

  async #open(runId: string, sessionId: string, live: LiveRun | undefined): Promise<FoundRun | undefined> {
    const origin = await this.#originOf(runId, sessionId)
    if (origin === undefined) return undefined
    const run: WireRun = { runId, sessionId, request: origin.request }
    return await this.#found({ run, origin }, live)
  }

  /** What was read of a run, with what this process has of it. */
  async #found({ run, origin }: Pick<FoundRun, 'run' | 'origin'>, live?: LiveRun): Promise<FoundRun> {
    if (live !== undefined)
      return { run, subject: live.session.state.subject, origin, session: live.session, live }
    const plan = planAgain(this.#options, origin.request, origin.reviewed)
    const session = await this.#bareAgent(plan).openSession(run.sessionId)
    return { run, subject: session.state.subject, origin, session }
  }

  async #originOf(runId: string, sessionId: string): Promise<RunOrigin | undefined> {
    const journal = await Journal.open(this.#store, sessionId, this.#parts.clock)
    const digest = journal.state.runs.get(runId)?.origin
    return readOrigin(await readKeptOrigin(this.#store, journal.stream, digest))
  }

  /** Knows the tools of a run, and drives nothing. */
  #bareAgent(plan: RunPlan): Agent {
    return runAgent(this.#options, plan, {
      ...{ store: this.#store, parts: this.#parts, approvals: () => suspend(), reserve: () => true },
      admission: () => ({ begun: Promise.resolve(), enter: async () => undefined, tokens: 0 }),
    })
  }

  async #before(
    runId: string,
    fingerprint: string | undefined,
    subject: string,
  ): Promise<RunStream | undefined> {
    try {
      return fingerprint === undefined ? undefined : await this.#replayOf(runId, fingerprint, subject)
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /** What the same key stands for already; undefined when it stands for nothing. Errors: IDEMPOTENCY_CONFLICT, OPERATION_IN_PROGRESS. */
  async #replayOf(runId: string, fingerprint: string, subject: string): Promise<RunStream | undefined> {
    const found = await this.lookUp(runId)
    if (found === undefined || found.subject !== subject) return undefined
    if (found.origin.fingerprint !== fingerprint) throw new HostError('IDEMPOTENCY_CONFLICT')
    const { run, session } = found
    if (session.state.runs.get(runId)?.ended === undefined) throw new HostError('OPERATION_IN_PROGRESS')
    return await unlessRemoved(() => storedStream(this.#stored(run, session), undefined, true))
  }
}
