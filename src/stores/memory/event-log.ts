import { deepFreeze } from '../../core/json/deep-freeze.ts'
import type { StoredEvent, StreamAppend } from '../../core/store.ts'
import { ownCopy } from './own-copy.ts'

/** The streams of a memory store: each an array in which the event of sequence `n` stands at `n - 1`. */
export class EventLog {
  private readonly streams = new Map<string, StoredEvent[]>()

  /** Whether every append continues its stream; one that stands later sees those before it. */
  continues(appends: readonly StreamAppend[]): boolean {
    const [first] = appends
    if (appends.length === 1 && first !== undefined) return first.after === this.lastOf(first.stream)
    const lasts = new Map<string, number>()
    return appends.every(({ stream, after, events }) => {
      const last = lasts.get(stream) ?? this.lastOf(stream)
      lasts.set(stream, last + events.length)
      return after === last
    })
  }

  add({ stream, after, events }: StreamAppend): void {
    if (events.length === 0) return
    const log = this.streams.get(stream) ?? []
    this.streams.set(stream, log)
    let sequence = after
    for (const { at, event } of events) {
      sequence += 1
      log.push({ stream, sequence, at, event: ownCopy(event) })
    }
  }

  read(stream: string, after: number, limit: number): readonly StoredEvent[] {
    return (this.streams.get(stream) ?? []).slice(after, after + limit).map(deepFreeze)
  }

  remove(stream: string): void {
    this.streams.delete(stream)
  }

  private lastOf(stream: string): number {
    return this.streams.get(stream)?.length ?? 0
  }
}
