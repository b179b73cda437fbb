import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { callInRun, sessionOfCall } from '../find-call.ts'
import { personAtCommandLine } from '../person.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type ReconcileOptions = AgentOptions & { readonly note?: string; readonly run?: string }

const findings = ['completed', 'failed', 'not_run'] as const

/**
 * Records what became of a call whose outcome nobody saw; then the same call may be made again. The call is named by its
 * own id, or together with its run by the model's, as clients of a host know it.
 */
export async function reconcile(named: string, given: string, options: ReconcileOptions): Promise<number> {
  const found = findings.find((each) => each === given)
  if (found === undefined) throw new UsageError(`A call is found ${findings.join(', ')}, not "${given}".`)
  return await withAgents(placeOf(options), async ({ store, any }) => {
    const { note, run } = options
    const session = await any.openSession(await sessionOfCall(store, named, run))
    const call = run === undefined ? named : callInRun(session.state, named, run)
    const by = personAtCommandLine()
    await session.reconcile(call, found, { by, ...(note === undefined ? {} : { note }) })
    if (options.json === true) writeJson({ call, found, by, ...(note === undefined ? {} : { note }) })
    else process.stdout.write(`Recorded: ${call} was found ${found}.\n`)
    return 0
  })
}
