/** Who wants to be told of changes in this process. Many changes of one moment are told once. */
export class Watchers {
  private readonly watchers = new Set<{ readonly onChange: () => void }>()
  private isPending = false

  add(onChange: () => void): () => void {
    const watcher = { onChange }
    this.watchers.add(watcher)
    return () => {
      this.watchers.delete(watcher)
    }
  }

  announce(): void {
    if (this.isPending || this.watchers.size === 0) return
    this.isPending = true
    queueMicrotask(() => {
      this.isPending = false
      for (const watcher of this.watchers) this.tell(watcher)
    })
  }

  clear(): void {
    this.watchers.clear()
  }

  // Each in a microtask of its own: what one throws is reported as uncaught and keeps no other from hearing.
  private tell(watcher: { readonly onChange: () => void }): void {
    queueMicrotask(() => {
      if (this.watchers.has(watcher)) watcher.onChange()
    })
  }
}
