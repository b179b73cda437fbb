export type { WireRequest, WireScript, WireServer, WireServerOptions } from './testing/wire/wire-server.ts'
export { wireServer } from './testing/wire/wire-server.ts'
export type { WireFaults, WireStep } from './testing/wire/wire-step.ts'
