import { type ApprovalRequest, approvalRequest } from '../../agent/approval-request.ts'
import type { Store } from '../../core/store.ts'
import { commandLine } from '../command-line.ts'
import { type CommandOptions, type Place, placeOf } from '../command-options.ts'
import { mainAgent, mainTools } from '../main-agent.ts'
import { withExistingStore } from '../open-store.ts'
import { silentModel } from '../silent-model.ts'
import { askCard } from '../terminal/ask-card.ts'
import { writeJson } from '../terminal/json-lines.ts'

/** Lists the asks that nobody has answered yet, the oldest first. */
export async function asks(options: CommandOptions): Promise<number> {
  const place = placeOf(options)
  return await withExistingStore(place, async (store) => {
    const open = await openAsks(place, store)
    if (options.json === true) writeJson({ asks: open })
    else
      process.stdout.write(
        open.length === 0 ? 'No ask is open.\n' : open.map((request) => text(place, request)).join('\n'),
      )
    return 0
  })
}

async function openAsks(place: Place, store: Store): Promise<readonly ApprovalRequest[]> {
  const agent = mainAgent({
    dir: place.folder.root,
    store,
    model: silentModel(),
    approvals: () => ({ approved: false }),
  })
  const tools = mainTools(place.folder)
  const rows = await store.list({ kind: 'ticket', status: 'open', limit: 1_000 })
  const requests = rows.map(async (row) => {
    const { state } = await agent.openSession(String(row.data.session))
    return approvalRequest(
      state,
      row.id,
      tools.find((tool) => tool.name === row.data.tool),
    )
  })
  return (await Promise.all(requests)).filter((request) => request !== undefined)
}

function text(place: Place, request: ApprovalRequest): string {
  const { lines } = askCard(request)
  const since = new Date(request.requestedAt).toISOString().slice(0, 19).replace('T', ' ')
  return `${[...lines, `  since   ${since}, run ${request.runId}`, `  answer  ${commandLine(place, 'approve', request.id)}`].join('\n')}\n`
}
