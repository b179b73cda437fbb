import type { Host } from '../host.ts'
import type { HostOptions } from '../host-options.ts'
import type { ServeOptions } from './serve-options.ts'

/** What a configuration module exports as its default: `export default { … } satisfies HostModule`. */
export interface HostModule {
  /** What `createHost` takes, or what it made. */
  readonly host: Host | HostOptions
  /** What `serve` takes. */
  readonly serve: ServeOptions
}
