import { ToolpostError } from '../core/error.ts'
import type { Event, EventOf, RunEnding } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import { limits } from '../core/limits.ts'
import { endsRun, type Move } from '../core/move/next.ts'
import type { CallState, RunState, SessionState } from '../core/run/state.ts'
import type { OutputRule } from '../core/schema/output-rule.ts'
import { readRunOutput } from './run-output.ts'
import type { Task } from './task.ts'

type EndedBy = Extract<Move, { move: 'end' }>['by']
type Ended = Omit<EventOf<'run.ended'>, 'type' | 'run'>

const endings: Readonly<Record<EndedBy, RunEnding>> = {
  text: 'completed',
  control: 'completed',
  cut_short: 'cut_short',
  step_limit: 'step_limit',
  call_limit: 'call_limit',
  uncertain: 'uncertain',
}

/**
 * Ends a run as the move says. Where its output has a schema, the model's last words are read by it; words that do not
 * pass do not end the run: the model is told every fault, and the next move asks it again, as often as the rule says.
 */
export async function endRun(task: Task, by: EndedBy): Promise<void> {
  const { state } = task.journal
  const text = endText(state, by)
  if (by === 'text' && task.output !== undefined) return await endWithOutput(task, task.output, text)
  const output = by === 'control' ? outputOf(state, runOf(task)) : undefined
  await writeEnd(task, { status: endings[by], text, ...(output === undefined ? {} : { output }) })
}

/** Writes the end, unless somebody did. */
export async function writeEnd(task: Task, end: Ended): Promise<void> {
  const ended: Event = { type: 'run.ended', run: task.run, ...end }
  await task.journal.write(
    (state) => (state.runs.get(task.run)?.ended === undefined ? [ended] : []),
    task.lease,
  )
}

async function endWithOutput(task: Task, rule: OutputRule, text: string): Promise<void> {
  const { step, outputRefused } = runOf(task)
  const read = await readRunOutput(task, rule, text)
  if ('value' in read) return await writeEnd(task, { status: 'completed', text, output: read.value })
  // A check that was broken off says nothing of the answer.
  if (task.signal.aborted) return
  const fault = read.fault.slice(0, limits.messageCharactersMax)
  const attempts = (outputRefused?.count ?? 0) + 1
  if (attempts >= rule.attemptsMax) {
    const often = attempts === 1 ? 'answer does not' : `${attempts} answers did not`
    const { message: text, code } = new ToolpostError(
      'OUTPUT_INVALID',
      `The model's ${often} pass the output schema; the last fault: ${fault}`,
    )
    return await writeEnd(task, { status: 'failed', text, code })
  }
  const message = `Your answer does not pass the schema of the output: ${fault}. Answer again with the whole corrected output and nothing else.`
  const refused: Event = { type: 'output.refused', run: task.run, step, message }
  await task.journal.write((state) => (isStillLast(state, refused) ? [refused] : []), task.lease)
}

function isStillLast({ runs }: SessionState, { run: id, step }: EventOf<'output.refused'>): boolean {
  const run = runs.get(id)
  return run?.ended === undefined && run?.step === step && run.outputRefused?.step !== step
}

function runOf({ journal, run }: Task): RunState {
  return journal.state.runs.get(run) as RunState
}

function outputOf(state: SessionState, run: RunState): JsonValue | undefined {
  for (const id of run.stepCalls) {
    const call: CallState | undefined = state.calls.get(id)
    if (call !== undefined && endsRun(call) && call.end?.status === 'completed') return call.end.value
  }
  return undefined
}

function endText(state: SessionState, by: EndedBy): string {
  if (by === 'step_limit') return 'The run used all of its steps before the model was done.'
  if (by === 'call_limit') return 'The run used all of its calls before the model was done.'
  if (by === 'uncertain') return 'Nobody saw the outcome of a call; find out, and reconcile it.'
  const last = state.history.at(-1)
  if (last?.role !== 'assistant') return ''
  return last.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}
