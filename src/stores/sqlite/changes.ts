import { type OnChange, Watchers } from '../../core/watchers.ts'

/** Tells watchers of changes: of this process's own at once, of other processes' by asking `foreignVersion`. */
export class Changes {
  private readonly watchers = new Watchers()
  private readonly foreignVersion: () => unknown
  private readonly pollMs: number
  private timer: NodeJS.Timeout | undefined
  private version: unknown

  /** `foreignVersion` gives another value after another connection has committed. */
  constructor(foreignVersion: () => unknown, pollMs: number) {
    this.foreignVersion = foreignVersion
    this.pollMs = pollMs
  }

  watch(onChange: OnChange, stream?: string): () => void {
    const stop = this.watchers.add(onChange, stream)
    this.startPolling()
    return () => {
      stop()
      if (this.watchers.size === 0) this.stopPolling()
    }
  }

  /** What this process has changed. */
  announce(changed: readonly string[]): void {
    this.watchers.announce(changed)
  }

  stop(): void {
    this.watchers.clear()
    this.stopPolling()
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
    // What another process has changed may be anything.
    this.watchers.announce()
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
