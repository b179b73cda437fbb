import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isRecord } from '../../core/known-keys.ts'
import { messageOf } from '../../core/message-of.ts'
import { isHostError } from '../../protocol/host-error.ts'
import { type FileToken, type HostFile, readHostFile } from '../../server/config/host-file.ts'
import type { HostModule } from '../../server/config/host-module.ts'
import { invalidConfig } from '../../server/config/invalid-config.ts'
import type { ServeOptions } from '../../server/config/serve-options.ts'
import { createHost, Host } from '../../server/host.ts'
import type { HostOptions } from '../../server/host-options.ts'
import { sqlite } from '../../stores/sqlite/sqlite-store.ts'
import { loadModule } from '../load-module.ts'
import { systemReason } from '../system-reason.ts'
import { variable } from './environment.ts'
import { openProvider } from './open-provider.ts'

/** What a configuration comes to. */
export interface LoadedConfig {
  readonly host: Host
  readonly serve: ServeOptions
}

/**
 * Reads a configuration: a JSON file, or a module whose default export is a `HostModule`. Errors: INVALID_CONFIG, which
 * names the key and what may stand there; MISSING_PACKAGE for a provider's package.
 */
export async function loadConfig(path: string): Promise<LoadedConfig> {
  return path.endsWith('.json') ? await ofFile(path) : ofModule(path, await loaded(path))
}

async function loaded(path: string): Promise<object> {
  try {
    return await loadModule(path)
  } catch (fault) {
    throw invalidConfig(messageOf(fault), fault)
  }
}

function ofModule(path: string, exports: object): LoadedConfig {
  const config: unknown = 'default' in exports ? exports.default : undefined
  const shape =
    'its default export is { host, serve }: what createHost() takes or makes, and what serve() takes'
  if (!isRecord(config)) throw invalidConfig(`The module "${path}" is no configuration; ${shape}.`)
  const unknown = Object.keys(config).find((key) => key !== 'host' && key !== 'serve')
  if (unknown !== undefined) throw invalidConfig(`${path}: /${unknown} is not known; ${shape}.`)
  for (const key of ['host', 'serve'])
    if (!isRecord(config[key])) throw invalidConfig(`${path}: /${key} is missing; ${shape}.`)
  const { host, serve } = config as unknown as HostModule
  return { host: host instanceof Host ? host : hostOf(path, host), serve }
}

function hostOf(path: string, options: HostOptions): Host {
  try {
    return createHost(options)
  } catch (fault) {
    throw isHostError(fault) ? invalidConfig(`${path}: /host: ${fault.message}`, fault) : fault
  }
}

async function ofFile(path: string): Promise<LoadedConfig> {
  const folder = dirname(resolve(path))
  const file = readHostFile(textOf(path, 'The configuration'), path)
  const { applicationTools, approvals, sessions, limits } = file
  const serve = serveOptions(file, folder)
  const providers = await openProviders(file, resolve(path))
  const options: HostOptions = {
    providers,
    ...(applicationTools && { applicationTools }),
    ...(approvals && { approvals }),
    ...(sessions !== undefined && { sessions }),
    ...(limits && { limits }),
  }
  return { host: createHost({ ...options, ...openStore(file, folder) }), serve }
}

async function openProviders(file: HostFile, path: string): Promise<HostOptions['providers']> {
  const opened = Object.entries(file.providers).map(
    async ([name, provider]) => [name, await openProvider(name, provider, path)] as const,
  )
  return Object.fromEntries(await Promise.all(opened))
}

function openStore({ store }: HostFile, folder: string): Pick<HostOptions, 'store'> {
  if (store === undefined) return {}
  try {
    return { store: sqlite(resolve(folder, store)) }
  } catch (cause) {
    const why = systemReason((cause as Error).cause) ?? messageOf(cause)
    throw invalidConfig(`/store: nothing can be recorded in "${store}": ${why}.`, cause)
  }
}

function serveOptions({ host, port, tls, cors, tokens }: HostFile, folder: string): ServeOptions {
  const pem = (key: 'key' | 'cert') => textOf(resolve(folder, tls![key]), `/tls/${key}`)
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(tls && { tls: { key: pem('key'), cert: pem('cert') } }),
    ...(cors && { cors }),
    tokens: tokens.map(tokenOf),
  }
}

function tokenOf({ token, tokenEnv, ...holder }: FileToken, index: number) {
  return { ...holder, token: token ?? variable(tokenEnv!, `/tokens/${index}/tokenEnv`) }
}

function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : (systemReason(cause) ?? messageOf(cause))
    throw invalidConfig(`${what}: "${path}" cannot be read: ${why}.`, cause)
  }
}
