import { judgeFailure } from '../../agent/tool-failure.ts'
import { isToolpostError } from '../../core/error.ts'
import type { CallOutcome, Event } from '../../core/event.ts'
import { endsRun, nextMove } from '../../core/move/next.ts'
import type { CallState, RunState } from '../../core/run/state.ts'
import { closeOpenCalls } from '../../runtime/cancel.ts'
import { reconcileCall } from '../../runtime/reconcile.ts'
import { settleExecution } from '../../runtime/settle.ts'
import { outcomeEvent, startCall } from '../../runtime/start.ts'
import { StrictEnding } from '../../runtime/strict.ts'
import type { Task } from '../../runtime/task.ts'
import { AskPlayer } from './ask-player.ts'
import type { CassetteCall, CassetteOutcome, CassetteRun } from './cassette.ts'
import { callOutcomeOf, fromJsonText } from './recorded-values.ts'
import type { Stage } from './stage.ts'

const notRecorded: CallOutcome = {
  status: 'failed',
  code: 'not_recorded',
  message: 'The cassette has no result of this call.',
  effect: 'none',
}

/** Plays what becomes of calls: starts them, gives their recorded outcomes, answers their asks as recorded. */
export class CallPlayer {
  readonly #stage: Stage
  readonly #finalize: boolean
  readonly #asks: AskPlayer
  /** Ends the run that is under way over a call that failed, if the agent says so. */
  #strict: StrictEnding | undefined

  constructor(stage: Stage, finalize: boolean) {
    this.#stage = stage
    this.#finalize = finalize
    this.#asks = new AskPlayer(stage)
  }

  /** A run begins: from here on its calls are played. */
  begin(task: Task): void {
    const { onToolFailure = 'tell' } = this.#stage.definition
    this.#strict = new StrictEnding(task, (call) => judgeFailure(task, onToolFailure, call))
  }

  /** Judges a call and claims it, if it is its turn. */
  async start(task: Task, id: string): Promise<void> {
    const move = this.#move(task)
    const call = move.move === 'start' ? move.calls.find((each) => each.id === id) : undefined
    if (call === undefined) return
    await Promise.race([this.#stage.entered(id), startCall(task, call)])
  }

  /** Gives a claimed call the outcome that was recorded, or that there is none. */
  async end(task: Task, recorded: CassetteCall): Promise<void> {
    const call = this.#callOf(recorded)
    if (call?.status !== 'started') return
    const outcome = await this.#outcomeFor(task, call, recorded.outcome)
    await this.#stage.write([outcomeEvent(recorded.id, outcome, { tries: 1, durationMs: 0 })])
  }

  async answer(task: Task, recorded: CassetteCall): Promise<void> {
    await this.#asks.answer(task, recorded)
  }

  async late(task: Task, recorded: CassetteCall): Promise<void> {
    const call = this.#callOf(recorded)
    const outcome = callOutcomeOf(recorded.late)
    if (outcome === undefined || call?.end?.status !== 'failed' || call.late !== undefined) return
    await this.#keepLarge(task, recorded.late)
    const reported: Event = { type: 'call.late', call: call.id, outcome }
    await this.#stage.journal.write(() => [reported])
  }

  /** Finds out what was found out; a call that is not uncertain this time needs no finding. */
  async found({ id, found }: CassetteCall): Promise<void> {
    if (found === undefined) return
    try {
      await reconcileCall(this.#stage.journal, id, found.found, found.by, found.note)
    } catch (error) {
      if (!isToolpostError(error)) throw error
    }
  }

  /** Closes what is open, if a call has ended the run or its step. */
  async close(task: Task, run: CassetteRun): Promise<void> {
    const calls = this.#callsOf(task)
    const isFailed = calls.some(({ end }) => end !== undefined && end.status !== 'completed')
    if (calls.some(endsRun)) await closeOpenCalls(task, 'An earlier call ended the run.')
    else if (isFailed && this.#stage.definition.failFast === true)
      await closeOpenCalls(task, 'Another call of the same step failed.')
    // A run that was stopped is stopped at its end.
    if (run.ended?.status !== 'cancelled') await this.#strict?.hasEnded()
  }

  /** Brings the calls of the newest step to the end that they had, where the recorded order alone did not. */
  async settle(task: Task, run: CassetteRun): Promise<void> {
    const recorded = new Map(run.steps.flatMap(({ calls }) => calls).map((call) => [call.id, call]))
    for (;;) {
      const before = this.#stage.journal.state.sequence
      await this.close(task, run)
      const call = this.#nextToBring(task, run, recorded)
      if (call !== undefined) await this.#bring(task, call)
      if (this.#stage.journal.state.sequence === before) return
    }
  }

  async #bring(task: Task, recorded: CassetteCall): Promise<void> {
    const status = this.#callOf(recorded)?.status
    if (status === 'started') await this.end(task, recorded)
    else if (status === 'asking') await this.#asks.answerOrDecline(task, recorded)
    else await this.start(task, recorded.id)
  }

  #nextToBring(
    task: Task,
    run: CassetteRun,
    recorded: ReadonlyMap<string, CassetteCall>,
  ): CassetteCall | undefined {
    const move = this.#move(task)
    const free = move.move === 'start' ? move.calls : []
    const under = this.#callsOf(task).filter(({ status }) => status === 'started' || status === 'asking')
    for (const call of [...free, ...under]) {
      const known = recorded.get(call.id)
      if (known !== undefined && wasBrought(run, known, call)) return known
    }
    return undefined
  }

  async #outcomeFor(
    task: Task,
    call: CallState,
    recorded: CassetteOutcome | undefined,
  ): Promise<CallOutcome> {
    const outcome = callOutcomeOf(recorded) ?? notRecorded
    await this.#keepLarge(task, recorded)
    const tool = task.catalog.find(call.name)
    const isPlain = recorded?.status === 'completed' && recorded.control === undefined
    if (!this.#finalize || !isPlain || tool?.finalize === undefined) return outcome
    const value = { json: fromJsonText, text: (text: string) => text, empty: () => undefined }[recorded.kind](
      recorded.text,
    )
    return await settleExecution(task, tool, call, { status: 'completed', value })
  }

  /** A large result is there for a preparation or a check that reads it, under its handle unless it was redacted. */
  async #keepLarge({ parts, journal }: Task, outcome: CassetteOutcome | undefined): Promise<void> {
    if (outcome?.status !== 'completed' || outcome.large === undefined) return
    await parts.store.putBlob(journal.stream, new TextEncoder().encode(outcome.text))
  }

  #callOf({ id }: CassetteCall): CallState | undefined {
    return this.#stage.journal.state.calls.get(id)
  }

  #callsOf({ journal, run }: Task): readonly CallState[] {
    const ids = (journal.state.runs.get(run) as RunState).stepCalls
    return ids.map((id) => journal.state.calls.get(id) as CallState)
  }

  #move({ journal, run, lease }: Task) {
    return nextMove(journal.state, journal.state.runs.get(run) as RunState, lease.epoch)
  }
}

/** Whether a call came further in the recording than it stands now: what was left open stays open. */
function wasBrought(run: CassetteRun, { outcome, asks }: CassetteCall, call: CallState): boolean {
  if (outcome?.status === 'cancelled') return run.ended?.status !== 'cancelled'
  if (outcome !== undefined) return true
  const wasLeftAsking = asks.length > 0 && asks.at(-1)?.answer === undefined
  return wasLeftAsking && call.status !== 'asking'
}
