import type { Clock } from '../../core/clock.ts'
import { systemClock } from '../../runtime/system.ts'
import { checkServeOptions, type ServeOptions } from '../config/serve-options.ts'
import type { HostApi } from './host-api.ts'
import { createHostApp } from './host-app.ts'
import { HostLife } from './host-life.ts'
import type { Listener } from './listen.ts'

/** A host that listens. */
export interface RunningHost extends AsyncDisposable {
  /** Where, without a path: `http://127.0.0.1:7433`. */
  readonly url: string
  readonly port: number
  /**
   * Takes nothing more, closes the host, ends the streams, and resolves when every connection is closed; what has not
   * ended by itself after 5 seconds is cut.
   */
  close(): Promise<void>
}

/** Answers on their way may take so long after everything has ended. */
const farewellMs = 5_000

/**
 * Serves a host over HTTP, or HTTPS with `tls`, on Node. It takes up what an earlier process left before it answers
 * anything. Errors: INVALID_CONFIG, TLS_REQUIRED.
 */
export async function serve(host: HostApi, options: ServeOptions): Promise<RunningHost> {
  checkServeOptions(options)
  const { host: address = '127.0.0.1', port = 7433, tls, clock = systemClock, ...appOptions } = options
  const { onFault = (fault: unknown) => console.error(fault) } = options
  const life = new HostLife('starting')
  const app = createHostApp(host, { ...appOptions, isSecure: tls !== undefined, onFault, clock, life })
  // Only here Node is needed: the app itself runs anywhere.
  const { listen } = await import('./listen.ts')
  const fetch = (request: Request) => app.fetch(request)
  const listener = await listen({ fetch, host: address, port, tls, report: onFault })
  const close = once(() => farewell(host, life, listener, clock))
  try {
    await host.recover()
  } catch (thrown) {
    await close()
    throw thrown
  }
  life.open()
  const url = `${tls === undefined ? 'http' : 'https'}://${inUrl(address)}:${listener.port}`
  return { url, port: listener.port, close, [Symbol.asyncDispose]: close }
}

async function farewell(host: HostApi, life: HostLife, listener: Listener, clock: Clock): Promise<void> {
  life.close()
  const stopped = listener.stop()
  try {
    await host.close()
  } finally {
    const giveUp = clock.timer(farewellMs, () => {
      life.endStreams()
      listener.cut()
    })
    // Runs have said goodbye on their streams, and it is on its way.
    await life.quiet()
    listener.closeIdle()
    await stopped
    giveUp()
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

function inUrl(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
}
