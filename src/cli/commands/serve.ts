import { isHostError } from '../../protocol/host-error.ts'
import { invalidConfig } from '../../server/config/invalid-config.ts'
import { serve } from '../../server/http/serve.ts'
import { type LoadedConfig, loadConfig } from '../serve/load-config.ts'
import { offerLines, offerOf } from '../serve/offer.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'

export interface ServeCommandOptions {
  readonly config: string
  readonly host?: string
  readonly port?: string
  readonly json?: boolean
}

/** Serves the host of a configuration until the process is told to stop; then what goes on is brought to an end. */
export async function serveConfigured(options: ServeCommandOptions): Promise<number> {
  const address = addressOf(options)
  const config = await loadConfig(options.config)
  const { store } = config.host.options
  try {
    const running = await served(config, options.config, address)
    const offer = offerOf(config.host.options, config.serve)
    if (options.json === true) writeJson({ type: 'serve', url: running.url, ...offer })
    else
      process.stdout.write(
        `${[`Toolpost ${version()} listens on ${running.url}`, ...offerLines(offer)].join('\n')}\n`,
      )
    const signal = await toldToStop()
    if (options.json === true) writeJson({ type: 'closing', signal })
    else process.stdout.write('Closing: nothing new is taken, and what goes on comes to an end.\n')
    await running.close()
  } finally {
    await store?.close()
  }
  return 0
}

/** Errors: INVALID_CONFIG with the file. */
async function served({ host, serve: given }: LoadedConfig, path: string, address: object) {
  try {
    return await serve(host, { ...given, ...address })
  } catch (fault) {
    const isConfig = isHostError(fault) && fault.code === 'INVALID_CONFIG'
    throw isConfig ? invalidConfig(`${path}: ${fault.message}`, fault) : fault
  }
}

function addressOf({ host, port }: ServeCommandOptions) {
  const isPort = port === undefined || (/^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535)
  if (!isPort) throw new UsageError(`--port takes a number from 0 to 65535, not "${port}".`)
  return { ...(host !== undefined && { host }), ...(port !== undefined && { port: Number(port) }) }
}

/** Waits for the first of the signals by which processes are stopped. A second one ends the process at once. */
async function toldToStop(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.once(signal, () => {
      resolve(signal)
      process.once(signal, () => process.exit(128 + number))
    })
  }
  return await promise
}
