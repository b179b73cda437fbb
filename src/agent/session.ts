import type { ApprovalDecision } from '../core/decision.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import { isToolMode, narrowerMode, type ToolMode } from '../core/policy/mode.ts'
import type { SessionState } from '../core/run/state.ts'
import type { LeaseProof, StoredEvent } from '../core/store.ts'
import { decideTicket } from '../runtime/decide.ts'
import type { Journal } from '../runtime/journal.ts'
import { reconcileCall } from '../runtime/reconcile.ts'
import type { Answer } from '../runtime/task.ts'
import type { Definition } from './definition.ts'
import { type Drive, type DriveOptions, drive, driveToEnd } from './drive.ts'
import {
  foreignStep,
  type HandedInStep,
  handedInModel,
  nothingMore,
  type StepResult,
  stepResults,
} from './foreign-step.ts'
import { propose } from './propose.ts'
import type { RunEvent } from './run-event.ts'
import { type RunResult, runResult } from './run-result.ts'

function requireText(input: unknown): string {
  if (typeof input === 'string') return input
  throw new ToolpostError('INVALID_ARGUMENT', 'The input of a run must be a text.')
}

/** A conversation with an agent. Everything that it is stands in the store. */
export class Session {
  readonly #definition: Definition
  readonly #journal: Journal
  #modeWritten: Promise<unknown> = Promise.resolve()
  #chosenMode: ToolMode | undefined

  constructor(definition: Definition, journal: Journal) {
    this.#definition = definition
    this.#journal = journal
  }

  get id(): string {
    return this.#journal.state.id
  }

  /** What the log says, folded. Read-only. */
  get state(): SessionState {
    return this.#journal.state
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
   * Takes up an input and gives what happens, as it happens. Leaving the loop early stops the run.
   * Errors: RUN_OPEN, SESSION_BUSY, LEASE_LOST.
   */
  stream(input: string, options: DriveOptions = {}): AsyncGenerator<RunEvent, RunResult, undefined> {
    return this.#drive(options, (lease) => this.#begin(requireText(input), lease))
  }

  /** The same without looking on. */
  async run(input: string, options: DriveOptions = {}): Promise<RunResult> {
    await this.#modeWritten
    return await driveToEnd(this.#input(options, (lease) => this.#begin(requireText(input), lease)))
  }

  /**
   * Goes on with the run that has not ended: after a crash, after an answer, in this process or another.
   * Errors: RUN_NOT_FOUND when every run has ended, SESSION_BUSY.
   */
  resume(options: DriveOptions = {}): AsyncGenerator<RunEvent, RunResult, undefined> {
    return this.#drive(options, async () => this.#openRun())
  }

  /**
   * For another loop: takes what a model answered, walks all of its calls the one way, and gives their results.
   * The step is a run of its own. Errors: RUN_OPEN, SESSION_BUSY, INVALID_ARGUMENT.
   */
  async step(answer: HandedInStep, options: DriveOptions = {}): Promise<StepResult> {
    const proposeHanded = foreignStep(answer)
    const input = answer.input === undefined ? undefined : requireText(answer.input)
    const begin = (lease: LeaseProof) => this.#begin(input, lease, handedInModel)
    await this.#modeWritten
    const result = await driveToEnd(this.#input(options, begin, (_task, step) => proposeHanded(step)))
    return stepResults(this.state, result)
  }

  /** What became of the calls of a run, for another loop: after `resume` of a step that had to wait. Errors: RUN_NOT_FOUND. */
  results(run: string): StepResult {
    if (!this.state.runs.has(run))
      throw new ToolpostError('RUN_NOT_FOUND', `The session has no run "${run}".`)
    return stepResults(this.state, runResult(this.state, run))
  }

  /**
   * Answers an ask of this session; whoever waits for it, in any process, goes on. `by` says who answers and by
   * which door; default the session's subject, by the library.
   * Errors: INVALID_DECISION, TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH.
   */
  async decide(ticket: string, decision: ApprovalDecision, by: Actor = this.#actor()): Promise<void> {
    const { catalog, parts } = this.#definition
    await decideTicket({ journal: this.#journal, catalog, clock: parts.clock, by }, ticket, decision)
  }

  /** Records what became of a call whose outcome nobody saw. Errors: CALL_NOT_FOUND, CALL_NOT_UNCERTAIN. */
  async reconcile(
    call: string,
    found: 'completed' | 'failed' | 'not_run',
    options: { note?: string; by?: Actor } = {},
  ): Promise<void> {
    await reconcileCall(this.#journal, call, found, options.by ?? this.#actor(), options.note)
  }

  /** The whole log of the session. */
  events(): Promise<readonly StoredEvent[]> {
    return this.#definition.parts.store.read(this.#journal.stream)
  }

  #actor(): Actor {
    return { id: this.state.subject, method: 'library' }
  }

  async *#drive(
    options: DriveOptions,
    begin: Drive['begin'],
  ): AsyncGenerator<RunEvent, RunResult, undefined> {
    await this.#modeWritten
    return yield* drive(this.#input(options, begin))
  }

  #input(
    options: DriveOptions,
    begin: Drive['begin'],
    proposer: Drive['propose'] = (task, step, emit) => this.#propose(task, step, emit),
  ): Drive {
    return { definition: this.#definition, journal: this.#journal, options, begin, propose: proposer }
  }

  async #begin(
    input: string | undefined,
    lease: LeaseProof,
    model = this.#definition.driver.name,
  ): Promise<string> {
    const { parts } = this.#definition
    const run = parts.ids.next('run')
    await this.#journal.write((state) => {
      if (state.openRun !== undefined) {
        throw new ToolpostError(
          'RUN_OPEN',
          `The run ${state.openRun} of this session has not ended; resume it first.`,
        )
      }
      const started = this.#startedEvent(run, state, model)
      if (input === undefined) return [started]
      return [started, { type: 'message.added', run, message: { role: 'user', text: input } }]
    }, lease)
    return run
  }

  #startedEvent(run: string, state: SessionState, model: string): Event {
    const { stepsMax, callsMax, onUncertain } = this.#definition
    const mode = this.#modeOfRun(state)
    return {
      type: 'run.started',
      run,
      ...(mode === undefined ? {} : { mode }),
      model,
      stepsMax,
      callsMax,
      ...(onUncertain === 'tell' ? {} : { onUncertain }),
    }
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
