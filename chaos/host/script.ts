import type { ApprovalDecision, RunEvent, WireApproval } from '../../src/host.ts'
import type { FollowedRun } from './followed-run.ts'
import { lastWords } from './host-models.ts'
import type { HostSetup } from './host-orders.ts'
import type { Play } from './play.ts'
import { outputOf, resultOf } from './requests.ts'

/** What is played: steps of the wire against one host, and how they have to come out. */
export interface Script {
  readonly name: string
  readonly setup?: HostSetup
  /** How many executions the functions of the application come to. */
  readonly executions: number
  play(play: Play): Promise<void>
}

/** Gives the result of a call, and sees that the run is told of it. */
export async function carryOut(play: Play, run: FollowedRun, callId: string): Promise<void> {
  const execution = await play.execution(run, callId)
  const receipt = await play.result(resultOf(execution))
  play.expect(receipt.status === 200, `the result was refused: ${receipt.code}`)
  const completed = await play.see('see the output', () =>
    run.first('tool.completed', (event) => event.callId === callId),
  )
  const isSame = JSON.stringify(completed.output) === JSON.stringify(outputOf(execution))
  play.expect(isSame, 'the stream has another output than was sent')
}

export async function endsWell(play: Play, run: FollowedRun): Promise<void> {
  const end = await play.end(run)
  play.expect(end.type === 'run.completed', `the run ended as ${end.type}`)
  if (end.type === 'run.completed')
    play.expect(end.result.text === lastWords, `the run's text is ${JSON.stringify(end.result.text)}`)
}

/** How a run failed that has to. */
export function expectError(play: Play, end: RunEvent, type: RunEvent['type'], code: string): void {
  const found = 'error' in end ? end.error.code : 'none'
  play.expect(end.type === type && found === code, `the run ended as ${end.type} with ${found}`)
}

export function decisionOn(
  { approvalId, runId, call }: WireApproval,
  decision: ApprovalDecision['decision'],
): ApprovalDecision {
  return { approvalId, runId, call, decision }
}
