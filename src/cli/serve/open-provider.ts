import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ToolpostError } from '../../core/error.ts'
import { messageOf } from '../../core/message-of.ts'
import type { Model } from '../../models/model.ts'
import type { FileProvider } from '../../server/config/host-file.ts'
import { invalidConfig } from '../../server/config/invalid-config.ts'
import type { ProviderOptions } from '../../server/host-options.ts'
import { variable } from './environment.ts'

/**
 * Makes a provider's models of its package, which is looked for beside the configuration file first. Errors:
 * MISSING_PACKAGE, INVALID_CONFIG.
 */
export async function openProvider(
  name: string,
  file: FileProvider,
  configFile: string,
): Promise<ProviderOptions> {
  const where = `/providers/${name}`
  const make = factoryOf(await importPackage(file.package, configFile), file, where)
  const { apiKeyEnv, baseUrl, capabilities } = file
  const settings = {
    name,
    ...(apiKeyEnv !== undefined && { apiKey: variable(apiKeyEnv, `${where}/apiKeyEnv`) }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  }
  const models = modelsOf(make(settings), file, where)
  return { models, ...(capabilities !== undefined && { capabilities }) }
}

type Make = (given: unknown) => unknown

async function importPackage(name: string, configFile: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(resolved(name, configFile))) as Readonly<Record<string, unknown>>
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND')
      throw invalidConfig(`The package ${name} cannot be loaded: ${messageOf(cause)}`, cause)
    const message = `This configuration needs the package ${name}: npm install ${name}`
    throw new ToolpostError('MISSING_PACKAGE', message, { cause })
  }
}

/** Where it is for the configuration; else as this program would find it. */
function resolved(name: string, configFile: string): string {
  try {
    return pathToFileURL(createRequire(configFile).resolve(name)).href
  } catch {
    return name
  }
}

function factoryOf(exports: Readonly<Record<string, unknown>>, file: FileProvider, where: string): Make {
  const isMaker = (key: string) => typeof exports[key] === 'function'
  const makers = Object.keys(exports).filter((key) => key.startsWith('create') && isMaker(key))
  const { factory = makers.length === 1 ? makers[0]! : undefined } = file
  if (factory !== undefined && isMaker(factory)) return exports[factory] as Make
  const choice =
    makers.length === 0 ? 'it has none that begins with "create"' : `such as ${makers.join(', ')}`
  throw invalidConfig(`${where}/factory has to name the export of ${file.package} that makes it: ${choice}.`)
}

function modelsOf(provider: unknown, { api, models, package: of }: FileProvider, where: string) {
  const make = api === undefined ? provider : (provider as Record<string, unknown>)[api]
  if (typeof make !== 'function')
    throw invalidConfig(`${where}/api: a provider of ${of} has no method "${api}".`)
  const entries = models.map(
    (model) => [model, (make as (id: string) => Model).call(provider, model)] as const,
  )
  return Object.fromEntries(entries)
}
