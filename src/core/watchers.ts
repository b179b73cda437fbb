/** Is told that something may have changed: in these streams, or, without them, in any. */
export type OnChange = (changed?: ReadonlySet<string>) => void

interface Watcher {
  readonly onChange: OnChange
}

/** Who wants to be told of changes in a store, and in which streams they were. Many changes of one moment are told once. */
export class Watchers {
  /** By the stream that they watch; those of all streams are under `undefined`. */
  private readonly watchers = new Map<string | undefined, Set<Watcher>>()
  private isPending = false
  /** Streams that changed since the last announcement; undefined: any may have. */
  private noted: Set<string> | undefined = new Set()

  add(onChange: OnChange, stream?: string): () => void {
    const watcher = { onChange }
    const beside = this.watchers.get(stream)
    if (beside === undefined) this.watchers.set(stream, new Set([watcher]))
    else beside.add(watcher)
    return () => this.remove(watcher, stream)
  }

  announce(changed?: readonly string[]): void {
    if (this.watchers.size === 0) return
    this.note(changed)
    if (this.isPending) return
    this.isPending = true
    queueMicrotask(() => {
      const { noted } = this
      this.isPending = false
      this.noted = new Set()
      // Of a thousand runs that wait, an append to one of them wakes that one.
      const streams = noted === undefined ? this.watchers.keys() : [undefined, ...noted]
      for (const stream of [...streams]) this.tell(stream, noted)
    })
  }

  get size(): number {
    return this.watchers.size
  }

  clear(): void {
    this.watchers.clear()
  }

  private remove(watcher: Watcher, stream: string | undefined): void {
    const beside = this.watchers.get(stream)
    beside?.delete(watcher)
    if (beside?.size === 0) this.watchers.delete(stream)
  }

  private note(changed: readonly string[] | undefined): void {
    if (changed === undefined) this.noted = undefined
    else for (const stream of changed) this.noted?.add(stream)
  }

  // Each in a microtask of its own: what one throws is reported as uncaught and keeps no other from hearing.
  private tell(stream: string | undefined, changed: ReadonlySet<string> | undefined): void {
    for (const watcher of this.watchers.get(stream) ?? [])
      queueMicrotask(() => {
        if (this.watchers.get(stream)?.has(watcher) === true) watcher.onChange(changed)
      })
  }
}
