import { ToolpostError } from '../../core/error.ts'
import { named } from '../../core/json/named.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { personAtCommandLine } from '../person.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type ReconcileOptions = AgentOptions & { readonly note?: string }

const findings = ['completed', 'failed', 'not_run'] as const

/** Records what became of a call whose outcome nobody saw; then the same call may be made again. */
export async function reconcile(call: string, given: string, options: ReconcileOptions): Promise<number> {
  const found = findings.find((each) => each === given)
  if (found === undefined) throw new UsageError(`A call is found ${findings.join(', ')}, not "${given}".`)
  return await withAgents(placeOf(options), async ({ store, any }) => {
    const [row] = await store.list({ kind: 'call', id: call, limit: 1 })
    if (row === undefined)
      throw new ToolpostError('CALL_NOT_FOUND', `There is no call ${named(call)} with an uncertain outcome.`)
    const session = await any.openSession(String(row.data.session))
    const by = personAtCommandLine()
    const { note } = options
    await session.reconcile(call, found, { by, ...(note === undefined ? {} : { note }) })
    if (options.json === true) writeJson({ call, found, by, ...(note === undefined ? {} : { note }) })
    else process.stdout.write(`Recorded: ${call} was found ${found}.\n`)
    return 0
  })
}
