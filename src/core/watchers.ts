/** Is told that something may have changed: in these streams, or, without them, in any. */
export type OnChange = (changed?: ReadonlySet<string>) => void

interface Watcher {
  readonly onChange: OnChange
}

/** Who wants to be told of changes in a store. Many changes of one moment are told once. */
export class Watchers {
  private readonly watchers = new Set<Watcher>()
  private isPending = false
  /** Streams that changed since the last announcement; undefined: any may have. */
  private noted: Set<string> | undefined = new Set()

  add(onChange: OnChange): () => void {
    const watcher = { onChange }
    this.watchers.add(watcher)
    return () => {
      this.watchers.delete(watcher)
    }
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
      for (const watcher of this.watchers) this.tell(watcher, noted)
    })
  }

  get size(): number {
    return this.watchers.size
  }

  clear(): void {
    this.watchers.clear()
  }

  private note(changed: readonly string[] | undefined): void {
    if (changed === undefined) this.noted = undefined
    else for (const stream of changed) this.noted?.add(stream)
  }

  // Each in a microtask of its own: what one throws is reported as uncaught and keeps no other from hearing.
  private tell(watcher: Watcher, changed: ReadonlySet<string> | undefined): void {
    queueMicrotask(() => {
      if (this.watchers.has(watcher)) watcher.onChange(changed)
    })
  }
}
