import { ToolpostError } from '../../core/error.ts'
import { type CommandOptions, placeOf } from '../command-options.ts'
import { mainAgent } from '../main-agent.ts'
import { withExistingStore } from '../open-store.ts'
import { personAtCommandLine } from '../person.ts'
import { silentModel } from '../silent-model.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type ReconcileOptions = CommandOptions & { readonly note?: string }

const findings = ['completed', 'failed', 'not_run'] as const

/** Records what became of a call whose outcome nobody saw; then the same call may be made again. */
export async function reconcile(call: string, given: string, options: ReconcileOptions): Promise<number> {
  const found = findings.find((each) => each === given)
  if (found === undefined) throw new UsageError(`A call is found ${findings.join(', ')}, not "${given}".`)
  const place = placeOf(options)
  return await withExistingStore(place, async (store) => {
    const [row] = await store.list({ kind: 'call', id: call, limit: 1 })
    if (row === undefined)
      throw new ToolpostError('CALL_NOT_FOUND', `There is no call "${call}" with an uncertain outcome.`)
    const agent = mainAgent({
      dir: place.folder.root,
      store,
      model: silentModel(),
      approvals: () => ({ approved: false }),
    })
    const session = await agent.openSession(String(row.data.session))
    const by = personAtCommandLine()
    const { note } = options
    await session.reconcile(call, found, { by, ...(note === undefined ? {} : { note }) })
    if (options.json === true) writeJson({ call, found, by, ...(note === undefined ? {} : { note }) })
    else process.stdout.write(`Recorded: ${call} was found ${found}.\n`)
    return 0
  })
}
