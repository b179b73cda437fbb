import type { HistoryEntry, SessionState } from '../../core/run/state.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import type { SessionSnapshot } from '../../protocol/sessions/session-snapshot.ts'
import { revisionOf, wasInterrupted } from '../runs/open-session.ts'
import type { SessionProvider } from './session-provider.ts'

type Message = SessionSnapshot['messages'][number]

/** A session as the wire shows it: what user and model said, at most the newest hundred messages. */
export function snapshotOf(state: SessionState, made: SessionProvider): SessionSnapshot {
  const said = state.history.flatMap((entry) => messageOf(entry) ?? [])
  return {
    id: state.id,
    revision: revisionOf({ state }),
    ...made,
    status: statusOf(state),
    createdAt: new Date(state.startedAt).toISOString(),
    messages: said.slice(-wireBounds.historyMax),
  }
}

/** `interrupted`: the newest turn has ended without an answer. */
function statusOf({ openRun, runs }: SessionState): SessionSnapshot['status'] {
  if (openRun !== undefined) return 'busy'
  return wasInterrupted([...runs.values()].at(-1)?.ended?.status) ? 'interrupted' : 'idle'
}

function messageOf(entry: HistoryEntry): Message | undefined {
  if (entry.role === 'user') return entry.by === undefined ? { role: 'user', content: entry.text } : undefined
  const content = entry.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return content === '' ? undefined : { role: 'assistant', content }
}
