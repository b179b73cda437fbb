import type { Definition } from '../../agent/definition.ts'
import { handedInModel } from '../../agent/foreign-step.ts'
import { propose } from '../../agent/propose.ts'
import type { Driver } from '../../core/driver.ts'
import type { Event, EventOf } from '../../core/event.ts'
import type { FileReference } from '../../core/file.ts'
import { type Move, nextMove } from '../../core/move/next.ts'
import type { RunState } from '../../core/run/state.ts'
import { advance } from '../../runtime/advance.ts'
import { cancelRun } from '../../runtime/cancel.ts'
import { endRun } from '../../runtime/end-run.ts'
import { abandonCall } from '../../runtime/recover.ts'
import { takeStep } from '../../runtime/step.ts'
import type { Answer, Task } from '../../runtime/task.ts'
import { CallPlayer } from './call-player.ts'
import type { Cassette, CassetteRun, CassetteStep } from './cassette.ts'
import { type Happening, happeningOf } from './happening.ts'
import { answerOf, fromJsonText } from './recorded-values.ts'
import type { Stage } from './stage.ts'

const stoppedPrefix = 'Stopped: '

/** Plays a cassette on a stage, in its order; what no longer fits is left out, and shows in what the stage's log says. */
export class Player {
  readonly #stage: Stage
  readonly #cassette: Cassette
  readonly #calls: CallPlayer
  /** The run that is under way. */
  #task: Task | undefined

  constructor(stage: Stage, cassette: Cassette, finalize: boolean) {
    this.#stage = stage
    this.#cassette = cassette
    this.#calls = new CallPlayer(stage, finalize)
  }

  async play(): Promise<void> {
    const { order, runs } = this.#cassette
    for (const entry of order) await this.#happen(happeningOf(this.#cassette, entry) as Happening)
    const last = runs.at(-1)
    if (this.#task !== undefined && last !== undefined) await this.#calls.settle(this.#task, last)
  }

  async #happen(happening: Happening): Promise<void> {
    if (happening.kind === 'mode') {
      const by = { id: this.#cassette.subject, method: 'library' }
      return await this.#stage.journal.write(() => [{ type: 'mode.changed', mode: happening.mode, by }])
    }
    if (happening.kind === 'run') return await this.#begin(happening.run)
    const task = this.#task
    if (happening.kind === 'found') return await this.#calls.found(happening.call)
    if (happening.kind === 'late') {
      const any = task ?? this.#stage.taskOf(happening.run.id)
      return await this.#calls.late(any, happening.call)
    }
    if (task === undefined) return
    switch (happening.kind) {
      case 'step':
        return await this.#step(task, happening.run, happening.step)
      case 'start':
        return await this.#calls.start(task, happening.call.id)
      case 'answer':
        return await this.#calls.answer(task, happening.call)
      case 'end':
        return await this.#calls.end(task, happening.call)
      case 'close':
        return await this.#calls.close(task, happening.run)
      case 'over':
        return await this.#over(task, happening.run)
    }
  }

  async #begin({ id, at, model, input, filesJson }: CassetteRun): Promise<void> {
    const { definition, journal } = this.#stage
    this.#stage.standAt(at)
    const { stepsMax, callsMax, onUncertain, layers, defaultMode } = definition
    const mode = journal.state.mode ?? (layers.governed ? defaultMode : undefined)
    const started: Event = {
      type: 'run.started',
      run: id,
      ...(mode === undefined ? {} : { mode }),
      model,
      stepsMax,
      callsMax,
      ...(onUncertain === 'tell' ? {} : { onUncertain }),
    }
    const said: Event[] =
      input === undefined ? [] : [{ type: 'message.added', run: id, message: saidBy(input, filesJson) }]
    await this.#stage.write([started, ...said])
    this.#task = this.#stage.taskOf(id)
    this.#calls.begin(this.#task)
  }

  /** Gives the model's recorded answer, if the model is asked at this point. */
  async #step(task: Task, run: CassetteRun, step: CassetteStep): Promise<void> {
    await this.#calls.settle(task, run)
    // Words that are no output do not end the run: the recorded model was told so, and answered again.
    if (task.output !== undefined && isAnswered(this.#move(task))) await endRun(task, 'text')
    const move = this.#move(task)
    if (move.move !== 'model') return
    this.#stage.ids.know(
      'call',
      step.calls.map(({ id }) => id),
    )
    const answer = answerOf(step)
    const isHandedIn = run.model === handedInModel
    await takeStep(task, isHandedIn ? answer : await this.#proposed(task, move.step, run.model, answer))
  }

  /** The way of a real answer: the tools are offered, the context is composed, the driver's words are read. */
  async #proposed(task: Task, step: number, model: string, answer: Answer): Promise<Answer> {
    const definition: Definition = { ...this.#stage.definition, driver: speaking(model, answer) }
    const proposed = await propose(definition, task, step, () => undefined)
    const given = answer.by === undefined ? proposed : { ...proposed, by: answer.by }
    return answer.usage === undefined ? withoutUsage(given) : given
  }

  async #over(task: Task, run: CassetteRun): Promise<void> {
    await this.#calls.settle(task, run)
    this.#task = undefined
    const move = this.#move(task)
    if (move.move === 'none') return
    if (run.ended?.status === 'cancelled') return await stop(task, stopReason(run.ended.text))
    if (move.move !== 'end' && move.move !== 'model')
      return await stop(task, 'The replay cannot go on from here.')
    const { status, text } = run.ended ?? {}
    // What a guardrail or another hook ended is not judged again.
    const isTold = status === 'failed' || status === 'refused'
    const words = (isTold ? text : undefined) ?? 'The cassette has no further answer.'
    await advance({
      task,
      propose: () => Promise.reject(new Error(words)),
      rest: async () => 'leave',
      describe: () => words,
      endingFor: () => (status === 'refused' ? status : 'failed'),
    })
  }

  #move({ journal, run, lease }: Task): Move {
    return nextMove(journal.state, journal.state.runs.get(run) as RunState, lease.epoch)
  }
}

function isAnswered(move: Move): boolean {
  return move.move === 'end' && move.by === 'text'
}

/** Ends a run that was stopped; calls that run are given up. */
async function stop(task: Task, reason: string): Promise<void> {
  const { journal, run } = task
  for (const id of (journal.state.runs.get(run) as RunState).stepCalls) {
    const call = journal.state.calls.get(id)
    if (call?.status === 'started') await abandonCall(task, call)
  }
  await cancelRun({ ...task, signal: AbortSignal.abort(new Error(reason)) })
}

function stopReason(text: string): string {
  return text.startsWith(stoppedPrefix) ? text.slice(stoppedPrefix.length) : text
}

function saidBy(text: string, filesJson: string | undefined): EventOf<'message.added'>['message'] {
  if (filesJson === undefined) return { role: 'user', text }
  return { role: 'user', text, files: fromJsonText(filesJson) as unknown as readonly FileReference[] }
}

/** A driver that says one answer. */
function speaking(name: string, { parts, finish, usage = {} }: Answer): Driver {
  return {
    name,
    async *propose() {
      yield { type: 'finish', reason: finish, parts, usage }
    },
  }
}

function withoutUsage({ usage: _usage, ...answer }: Answer): Answer {
  return answer
}
