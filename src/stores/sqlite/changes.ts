/** Tells watchers of changes: of this process's own at once, of other processes' by asking `foreignVersion`. */
export class Changes {
  private readonly watchers = new Set<{ readonly onChange: () => void }>()
  private readonly foreignVersion: () => unknown
  private readonly pollMs: number
  private timer: NodeJS.Timeout | undefined
  private version: unknown
  private isPending = false

  /** `foreignVersion` gives another value after another connection has committed. */
  constructor(foreignVersion: () => unknown, pollMs: number) {
    this.foreignVersion = foreignVersion
    this.pollMs = pollMs
  }

  watch(onChange: () => void): () => void {
    const watcher = { onChange }
    this.watchers.add(watcher)
    this.startPolling()
    return () => {
      this.watchers.delete(watcher)
      if (this.watchers.size === 0) this.stopPolling()
    }
  }

  /** Many changes of one moment are told once. */
  announce(): void {
    if (this.isPending || this.watchers.size === 0) return
    this.isPending = true
    queueMicrotask(() => {
      this.isPending = false
      for (const watcher of this.watchers) this.tell(watcher)
    })
  }

  stop(): void {
    this.watchers.clear()
    this.stopPolling()
  }

  // Each in a microtask of its own: what one throws is reported as uncaught and keeps no other from hearing.
  private tell(watcher: { readonly onChange: () => void }): void {
    queueMicrotask(() => {
      if (this.watchers.has(watcher)) watcher.onChange()
    })
  }

  private startPolling(): void {
    if (this.timer !== undefined) return
    this.version = this.readVersion()
    this.timer = setInterval(() => this.poll(), this.pollMs)
    this.timer.unref()
  }

  private stopPolling(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private poll(): void {
    const version = this.readVersion()
    if (version === this.version) return
    this.version = version
    this.announce()
  }

  /** A version that cannot be read for a lock may be any: a value that equals no other. */
  private readVersion(): unknown {
    try {
      return this.foreignVersion()
    } catch {
      return Symbol('unknown')
    }
  }
}
