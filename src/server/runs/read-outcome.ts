import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { limits } from '../../core/limits.ts'
import type { CompletedOutcome } from '../../core/outcome.ts'
import type { Store } from '../../core/store.ts'
import { sessionStream } from '../../runtime/journal.ts'

/** As deep as what can be handed in, and as many values as a result can have. */
const depthMax = 128
const membersMax = 1_000_000

/** What a call gave, whole, as the model and the stream are told it. */
export async function readOutcome(
  store: Store,
  session: string,
  outcome: CompletedOutcome,
): Promise<JsonValue> {
  const text = await wholeText(store, session, outcome)
  if (outcome.kind === 'empty') return null
  if (outcome.kind === 'text') return text
  const parsed = parseJson(text, { bytesMax: limits.resultKeptBytesMax, depthMax, membersMax })
  return parsed.ok ? parsed.value : text
}

async function wholeText(store: Store, session: string, { text }: CompletedOutcome): Promise<string> {
  if ('inline' in text) return text.inline
  const bytes = await store.getBlob(sessionStream(session), text.blob)
  return bytes === undefined ? text.preview : new TextDecoder().decode(bytes)
}
