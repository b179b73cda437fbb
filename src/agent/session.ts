import type { ApprovalDecision } from '../core/decision.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import type { Progress } from '../core/executor.ts'
import type { RunInput } from '../core/input-part.ts'
import { named } from '../core/json/named.ts'
import type { JsonValue } from '../core/json/value.ts'
import { checkNothingMore, checkOptions } from '../core/known-keys.ts'
import type { UserMessage } from '../core/message.ts'
import { isToolMode, narrowerMode, type ToolMode } from '../core/policy/mode.ts'
import { readActor } from '../core/read-actor.ts'
import { readNote } from '../core/read-note.ts'
import type { SessionState } from '../core/run/state.ts'
import type { LeaseProof, StoredEvent } from '../core/store.ts'
import type { StateUpdate, StateValues } from '../core/tool/tool-state.ts'
import { decideTicket } from '../runtime/decide.ts'
import { giveInput } from '../runtime/give-input.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import { reconcileCall } from '../runtime/reconcile.ts'
import type { GivenResult } from '../runtime/redeem.ts'
import { closeIfOver } from '../runtime/run-over.ts'
import type { Answer } from '../runtime/task.ts'
import { cancelRun } from './cancel-run.ts'
import { refuseFiles } from './children/child-input.ts'
import type { Definition } from './definition.ts'
import { type Drive, drive, driveToEnd } from './drive.ts'
import {
  type ResumeOptions,
  type RunOptions,
  readShown,
  resumeOptionKeys,
  runOptionKeys,
  type StreamOptions,
  streamOptionKeys,
} from './drive-input.ts'
import { type FoundAsk, findAsk, findQuestion } from './find-ask.ts'
import {
  foreignStep,
  type HandedInStep,
  handedInModel,
  nothingMore,
  type StepResult,
  stepResults,
} from './foreign-step.ts'
import { keepOrigin, readOrigin } from './origin.ts'
import { OutsideProgress } from './outside-progress.ts'
import { propose } from './propose.ts'
import { takeInput } from './read-input.ts'
import { type RedeemedBy, redeemIn } from './redeem.ts'
import type { ChildEvent, RunEvent } from './run-event.ts'
import { type RunResult, runResult } from './run-result.ts'
import { runStartedEvent } from './run-started.ts'
import { readValues, updateValues } from './session-values.ts'
import { watchEvents } from './watch-events.ts'

function saidText(input: unknown): UserMessage {
  if (typeof input === 'string') return { role: 'user', text: input }
  throw new ToolpostError('INVALID_ARGUMENT', 'The input of a step must be a text.')
}

/** What happens in a run and below it, and at last how it ended. */
type Shown = AsyncGenerator<RunEvent | ChildEvent, RunResult, undefined>

/** How the log of a child run is read through the session above it. */
export const eventsBelow: unique symbol = Symbol('eventsBelow')

/** A conversation with an agent. Everything that it is stands in the store. */
export class Session {
  readonly #definition: Definition
  readonly #journal: Journal
  #modeWritten: Promise<unknown> = Promise.resolve()
  #chosenMode: ToolMode | undefined
  readonly #outside = new OutsideProgress()

  constructor(definition: Definition, journal: Journal) {
    this.#definition = definition
    this.#journal = journal
    watchEvents(definition.hooks, journal)
  }

  get id(): string {
    return this.#journal.state.id
  }

  /** What the log says, folded. Read-only. */
  get state(): SessionState {
    return this.#journal.state
  }

  /** The values of the session's own scope, as far as this process has read. Frozen. */
  get values(): StateValues {
    return this.state.values
  }

  /** The newest values of a scope: `session`, `run` of the run that has not ended, or one of the agent's own. Errors: INVALID_ARGUMENT, RUN_NOT_FOUND. */
  async readState(scope = 'session'): Promise<StateValues> {
    return await readValues({ definition: this.#definition, journal: this.#journal }, scope)
  }

  /**
   * Changes values of the state, in any process, whoever drives the session: `undefined` deletes, a function gets the
   * newest values and may run more than once. Resolves when it is stored. The scope is as in `readState`.
   * Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED, RUN_NOT_FOUND.
   */
  async updateState(changes: StateUpdate, options: { readonly scope?: string } = {}): Promise<void> {
    checkOptions(options, ['scope'], 'session.updateState()')
    const whose = { definition: this.#definition, journal: this.#journal }
    await updateValues(whose, changes, options.scope ?? 'session')
  }

  /** The mode that the person chose; it holds from the next run on. A session starts in the agent's default, `ask`. */
  get toolMode(): ToolMode {
    return this.#chosenMode ?? this.state.mode ?? this.#definition.defaultMode
  }

  /** Errors: INVALID_ARGUMENT for what is no mode. */
  set toolMode(mode: ToolMode) {
    if (!isToolMode(mode)) {
      const given = String(mode)
      throw new ToolpostError(
        'INVALID_ARGUMENT',
        `There is no tool mode "${given}"; the modes are off, read_only, ask, auto.`,
      )
    }
    this.#chosenMode = mode
    const changed: Event = { type: 'mode.changed', mode, by: this.#actor() }
    const written = this.#modeWritten.then(() => this.#journal.write(() => [changed]))
    written.catch(() => undefined)
    this.#modeWritten = written
  }

  /** The mode that runs are judged in: `toolMode`, narrowed by the profile. */
  get effectiveToolMode(): ToolMode {
    const max = this.#definition.layers.profile?.modeMax
    return max === undefined ? this.toolMode : narrowerMode(this.toolMode, max)
  }

  /**
   * Takes up an input, a text or parts with images and files, and gives what happens, as it happens. Leaving the loop
   * early stops the run. With `children`, what happens in the runs below is given too, each event as a `child.event`.
   * Errors: INVALID_ARGUMENT, RUN_OPEN, SESSION_BUSY, LEASE_LOST.
   */
  stream(
    input: RunInput,
    options?: StreamOptions & { readonly children?: false },
  ): AsyncGenerator<RunEvent, RunResult, undefined>
  stream(input: RunInput, options: StreamOptions): Shown
  stream(input: RunInput, options: StreamOptions = {}): Shown {
    checkOptions(options, streamOptionKeys, 'session.stream()')
    readShown(options)
    return this.#drive(options, async (lease) => this.#begin(await this.#said(input), lease, options))
  }

  /** The same without looking on. */
  async run(input: RunInput, options: RunOptions = {}): Promise<RunResult> {
    checkOptions(options, runOptionKeys, 'session.run()')
    await this.#modeWritten
    const begin = async (lease: LeaseProof) => this.#begin(await this.#said(input), lease, options)
    return await driveToEnd(this.#input(options, begin))
  }

  /**
   * Goes on with the run that has not ended: after a crash, after an answer, in this process or another.
   * When the agent is not what it was, its `onChange` decides. `children` is as in `stream`.
   * Errors: RUN_NOT_FOUND when every run has ended, SESSION_BUSY, DEFINITION_CHANGED, INVALID_ARGUMENT.
   */
  resume(
    options?: ResumeOptions & { readonly children?: false },
  ): AsyncGenerator<RunEvent, RunResult, undefined>
  resume(options: ResumeOptions): Shown
  resume(options: ResumeOptions = {}): Shown {
    checkOptions(options, resumeOptionKeys, 'session.resume()')
    readShown(options)
    return this.#drive(options, async () => this.#openRun())
  }

  /**
   * Stops the run that has not ended, wherever it rests, with all that hangs on it; its asks are closed, and the calls
   * that a process has left behind are recovered. A run that somebody drives, here or in another process, is ended there:
   * the request is recorded, and the end is waited for. Errors: RUN_NOT_FOUND when every run has ended; SESSION_BUSY when
   * it has not ended in 30 seconds: it ends when the request is seen.
   */
  async cancel(reason = 'it was cancelled.', ...more: readonly never[]): Promise<RunResult> {
    checkNothingMore(more, 'session.cancel()', 'a reason')
    const said = readNote('reason', reason)
    const stopped = { signal: AbortSignal.abort(new Error(said)) }
    const { parts } = this.#definition
    await this.#journal.refresh()
    const run = this.#openRun()
    const endHere = async (): Promise<RunResult> => {
      await this.#journal.refresh()
      if (this.state.openRun !== run) return runResult(this.state, run)
      return await driveToEnd(this.#input(stopped, async () => this.#openRun()))
    }
    return await cancelRun({ parts, reason: said, by: this.#actor(), endHere })
  }

  /**
   * For another loop: takes what a model answered, walks all of its calls the one way, and gives their results.
   * The step is a run of its own. Errors: RUN_OPEN, SESSION_BUSY, INVALID_ARGUMENT.
   */
  async step(answer: HandedInStep, options: RunOptions = {}): Promise<StepResult> {
    checkOptions(options, runOptionKeys, 'session.step()')
    const proposeHanded = foreignStep(answer)
    const input = answer.input === undefined ? undefined : saidText(answer.input)
    const begin = (lease: LeaseProof) => this.#begin(input, lease, options, handedInModel)
    await this.#modeWritten
    const result = await driveToEnd(this.#input(options, begin, (_task, step) => proposeHanded(step)))
    return stepResults(this.state, result)
  }

  /** What became of the calls of a run, for another loop: after `resume` of a step that had to wait. Errors: RUN_NOT_FOUND. */
  results(run: string): StepResult {
    if (!this.state.runs.has(run))
      throw new ToolpostError('RUN_NOT_FOUND', `The session has no run ${named(run)}.`)
    return stepResults(this.state, runResult(this.state, run))
  }

  /**
   * Answers an ask of this session; whoever waits for it, in any process, goes on. `by` says who answers and by
   * which door; default the session's subject, by the library.
   * Errors: INVALID_DECISION, INVALID_ARGUMENT for a wrong `by`, TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH.
   */
  async decide(ticket: string, decision: ApprovalDecision, by?: Actor): Promise<void> {
    const actor = this.#actor(by)
    const { clock } = this.#definition.parts
    await decideTicket({ ...(await this.#findAsk(ticket)), clock, by: actor }, ticket, decision)
  }

  /**
   * Gives a tool what it stopped to ask for, by the ask's id or the call's; whoever waits for it goes on. A value that
   * does not pass the tool's `yieldSchema` leaves the question open. `decide` declines it.
   * Errors: INVALID_INPUT, TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH.
   */
  async answer(ask: string, value: unknown, by?: Actor): Promise<void> {
    const actor = this.#actor(by)
    const { clock } = this.#definition.parts
    await giveInput({ ...(await this.#findAsk(ask, findQuestion)), clock, by: actor }, ask, value)
  }

  /**
   * Gives the outcome of a call that was handed out, by its ticket: an output, or a sentence that says that there is
   * none. Once; the same result may be sent again under its `resultKey`.
   * Errors: TICKET_NOT_FOUND, TOOL_OUTPUT_LIMIT, INVALID_TOOL_OUTPUT, INVALID_ARGUMENT, UNKNOWN_TOOL, TICKET_MISMATCH.
   */
  async redeem(ticket: string, given: GivenResult, options: Partial<RedeemedBy> = {}): Promise<void> {
    checkOptions(options, ['by', 'resultKey'], 'session.redeem()')
    const { by = this.#actor(), resultKey } = options
    const whose = { definition: this.#definition, journal: this.#journal }
    await redeemIn(whose, ticket, given, { by, ...(resultKey === undefined ? {} : { resultKey }) })
  }

  /** Reports progress of a call that was handed out; false when this session object drives no run at present. */
  reportProgress(call: string, progress: Progress): boolean {
    return this.#outside.report(call, progress)
  }

  /** Records what became of a call whose outcome nobody saw. Errors: INVALID_ARGUMENT, CALL_NOT_FOUND, CALL_NOT_UNCERTAIN. */
  async reconcile(
    call: string,
    found: 'completed' | 'failed' | 'not_run',
    options: { note?: string; by?: Actor } = {},
  ): Promise<void> {
    checkOptions(options, ['note', 'by'], 'session.reconcile()')
    await reconcileCall(this.#journal, call, found, this.#actor(options.by), options.note)
  }

  /** What the log said at one of its events, folded. Errors: INVALID_ARGUMENT when there is no such event. */
  async stateAt(sequence: number): Promise<SessionState> {
    await this.#journal.stored()
    return await Journal.stateAt(this.#definition.parts, this.id, sequence)
  }

  /**
   * The bytes of a file of the conversation, by the digest that the log gives: one that the user sent, as it was sent
   * on, or one that the model made. Errors: INVALID_ARGUMENT when the session holds none.
   */
  async file(digest: string): Promise<Uint8Array> {
    const bytes = await this.#definition.parts.store.getBlob(this.#journal.stream, digest)
    if (bytes !== undefined) return bytes
    throw new ToolpostError('INVALID_ARGUMENT', `The session holds no file ${named(digest)}.`)
  }

  /** The whole log of the session. */
  async events(): Promise<readonly StoredEvent[]> {
    await this.#journal.refresh()
    return await this.#definition.parts.store.read(this.#journal.stream)
  }

  /** What a run was started for, if its starter said so. Errors: RUN_NOT_FOUND. */
  async originOf(run: string): Promise<JsonValue | undefined> {
    const state = this.state.runs.get(run)
    if (state === undefined) throw new ToolpostError('RUN_NOT_FOUND', `The session has no run "${run}".`)
    return await readOrigin(this.#definition.parts.store, this.#journal.stream, state.origin)
  }

  /** The log of a session below this one. @internal */
  async [eventsBelow](session: string): Promise<readonly StoredEvent[]> {
    return await this.#definition.parts.store.read(sessionStream(session))
  }

  async #said(input: RunInput): Promise<UserMessage> {
    refuseFiles(this.#definition, input)
    return await takeInput({ parts: this.#definition.parts, journal: this.#journal }, input)
  }

  /** An ask of this session, or of a child run in it. What is asked by a run whose time is over is closed. */
  async #findAsk(id: string, find = findAsk): Promise<FoundAsk> {
    const { catalog } = this.#definition
    const own: FoundAsk = { journal: this.#journal, catalog }
    const { parts } = this.#definition
    await closeIfOver(parts, this.#journal)
    if (this.state.tickets.has(id) || this.state.calls.has(id)) return own
    const found = await find(this.#definition, id)
    if (found.journal.state.parent?.root !== this.id) return own
    await closeIfOver(parts, found.journal)
    return found
  }

  /** Who answers: by default the session's subject. Errors: INVALID_ARGUMENT. */
  #actor(by?: Actor): Actor {
    return by === undefined ? { id: this.state.subject, method: 'library' } : readActor(by)
  }

  async *#drive(options: ResumeOptions, begin: Drive['begin']): Shown {
    await this.#modeWritten
    return yield* drive(this.#input(options, begin))
  }

  #input(
    options: ResumeOptions,
    begin: Drive['begin'],
    proposer: Drive['propose'] = (task, step, emit) => this.#propose(task, step, emit),
  ): Drive {
    const own = { definition: this.#definition, journal: this.#journal, outside: this.#outside }
    return { ...own, options, begin, propose: proposer }
  }

  async #begin(
    message: UserMessage | undefined,
    lease: LeaseProof,
    options: RunOptions,
    model = this.#definition.driver.name,
  ): Promise<string> {
    const { parts } = this.#definition
    const { id: run = parts.ids.next('run'), origin: given } = options
    const origin =
      given === undefined ? undefined : await keepOrigin(parts.store, this.#journal.stream, given)
    await this.#journal.write((state) => {
      if (state.openRun !== undefined) {
        throw new ToolpostError(
          'RUN_OPEN',
          `The run ${state.openRun} of this session has not ended; resume it first.`,
        )
      }
      const started = runStartedEvent(this.#definition, state, {
        run,
        mode: this.#modeOfRun(state),
        model,
        times: options,
        ...(origin === undefined ? {} : { origin }),
      })
      if (message === undefined) return [started]
      return [started, { type: 'message.added', run, message }]
    }, lease)
    return run
  }

  /** A step that another loop handed in has nothing after it; every other run asks the model. */
  async #propose(...[task, step, emit]: Parameters<Drive['propose']>): Promise<Answer> {
    if (this.state.runs.get(task.run)?.model === handedInModel) return nothingMore
    return await propose(this.#definition, task, step, emit)
  }

  /** No mode governs an agent for which none was ever given. */
  #modeOfRun(state: SessionState): ToolMode | undefined {
    return state.mode ?? (this.#definition.layers.governed ? this.#definition.defaultMode : undefined)
  }

  #openRun(): string {
    const { openRun } = this.state
    if (openRun !== undefined) return openRun
    throw new ToolpostError(
      'RUN_NOT_FOUND',
      `Every run of the session ${this.id} has ended; there is nothing to resume.`,
    )
  }
}
