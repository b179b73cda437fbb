import type { Store } from '../core/store.ts'

/** What a person asked a run to do; undefined for a call made by hand. */
export async function runInput(store: Store, stream: string, run: string): Promise<string | undefined> {
  for (const { event } of await store.read(stream)) {
    if (event.type !== 'message.added' || event.run !== run) continue
    return event.message.role === 'user' ? event.message.text : undefined
  }
  return undefined
}
