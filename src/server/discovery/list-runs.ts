import type { Store } from '../../core/store.ts'
import { type RunFilters, type RunPage, runFiltersBody } from '../../protocol/run/run-status.ts'
import { listAll } from '../../runtime/list-all.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import { rowPage } from '../row-page.ts'
import { RecordedRuns } from '../tickets/recorded-runs.ts'
import { isAdministrator, subjectOf, type Who } from '../who.ts'
import { statusOfRun } from './run-status.ts'

/** The caller's runs, an administrator's those of all, the newest first. Errors: INVALID_REQUEST. */
export async function listRuns(host: HostParts, filters: RunFilters, who: Who): Promise<RunPage> {
  const wanted = readGiven(runFiltersBody, filters, 'INVALID_REQUEST')
  const { store } = host.parts
  const whose = isAdministrator(who) ? {} : { subject: subjectOf(who) }
  const among = wanted.uncertain === true ? await uncertainRuns(store, whose) : undefined
  const recordedRuns = new RecordedRuns(host.parts)
  const question = { kind: 'run', newestFirst: true, ...whose } as const
  const { items, ...more } = await rowPage(store, question, wanted, async (row) => {
    if (among?.has(row.id) === false) return undefined
    const recorded = await recordedRuns.ofRow(row)
    const status = recorded && statusOfRun(host, recorded)
    return (wanted.status ?? status?.status) === status?.status ? status : undefined
  })
  return { runs: items, ...more }
}

/** The runs in which nobody knows what became of some call. */
async function uncertainRuns(store: Store, whose: { readonly subject?: string }): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const { data } of listAll(store, { kind: 'call', status: 'uncertain', ...whose }))
    found.add(String(data.run))
  return found
}
