import type { Agent } from '../agent/agent.ts'
import type { ChildEvent, RunEvent } from '../agent/run-event.ts'
import { type RunResult, runResult } from '../agent/run-result.ts'
import type { Session } from '../agent/session.ts'
import { giveAnswers } from './give-answers.ts'
import { openAsks, waitingFor } from './open-asks.ts'
import type { ScriptPlay } from './script-play.ts'
import type { ScriptTime } from './script-time.ts'
import { seeThrough } from './test-run.ts'
import type { TestTurn } from './test-script.ts'

/** What a script is played on. */
export interface Stage {
  readonly agent: Agent
  readonly session: Session
  readonly play: ScriptPlay
  /** Absent when no step of the script lets time pass. */
  readonly time?: ScriptTime
  /** What the runs stream is put here. */
  readonly streamEvents: RunEvent[]
  readonly signal?: AbortSignal
}

/** Plays all turns of a script, and gives how the last run stands. Errors: SCRIPT_EXHAUSTED, INVALID_ARGUMENT. */
export async function playTurns(stage: Stage, turns: readonly TestTurn[]): Promise<RunResult> {
  let result: RunResult | undefined
  for (const turn of turns) result = await playTurn(stage, turn)
  return result as RunResult
}

async function playTurn(stage: Stage, turn: TestTurn): Promise<RunResult> {
  const { session, play, time } = stage
  play.begin(turn)
  let result = await see(stage, (options) => session.stream(turn.text, options))
  for (let next: RunResult | undefined = result; next !== undefined; next = await goOn(stage, result))
    result = next
  // What stands behind the end of the run passes too.
  await time?.passAll()
  play.end(result, result.status === 'waiting' ? waitingFor(session, result.tickets) : undefined)
  return result
}

/** What comes of a run that waits by the script's next step; undefined when none brings it on. */
async function goOn(stage: Stage, result: RunResult): Promise<RunResult | undefined> {
  if (result.status !== 'waiting') return undefined
  const { session, play } = stage
  if (isTimeNext(stage, result)) return await letPass(stage, result)
  if (!(await giveAnswers(session, play, result.tickets))) return undefined
  return await see(stage, (options) => session.resume(options))
}

/** Whether the next wait stands before the answers to what is asked. */
function isTimeNext({ session, play, time }: Stage, { tickets }: RunResult): boolean {
  const waitAt = play.waitPlace
  if (time === undefined || waitAt === undefined) return false
  return openAsks(session, tickets).every(({ kind, call }) => {
    const answerAt = play.placeOf(kind === 'input' ? 'input' : 'decide', call.name)
    return answerAt === undefined || answerAt > waitAt
  })
}

/** Lets time pass while nobody drives the run; then does what a process does for what is due. */
async function letPass(stage: Stage, result: RunResult): Promise<RunResult> {
  const { agent, session } = stage
  await stage.time?.passOne()
  const goingOn = await agent.runTimers()
  await session.events()
  if (goingOn.includes(session.id)) return await see(stage, (options) => session.resume(options))
  // Those of agents that it called stand in other logs.
  const below = result.tickets.filter((ticket) => !session.state.tickets.has(ticket))
  return runResult(session.state, result.run, below)
}

type Shown = AsyncGenerator<RunEvent | ChildEvent, RunResult, undefined>

/** Sees a run through. Where time may pass, what happens below it is looked at too: a run is quiet when all of it is. */
async function see(
  { time, streamEvents, signal }: Stage,
  begin: (options: { signal?: AbortSignal; children: boolean }) => Shown,
): Promise<RunResult> {
  let seen = 0
  const running = seeThrough(
    begin({ ...(signal === undefined ? {} : { signal }), children: time !== undefined }),
    (event) => {
      seen += 1
      if (event.type !== 'child.event') streamEvents.push(event)
    },
  )
  return time === undefined ? await running : await time.during(running, () => seen)
}
