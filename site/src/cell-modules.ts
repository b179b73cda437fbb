import * as openai from '@ai-sdk/openai'
import * as toolpost from 'toolpost'
import * as testing from 'toolpost/testing'
import * as zod from 'zod'
import { endpointModule } from './endpoint-module.ts'
import type { Endpoint } from './message.ts'

/** What cells can import: the modules as they are, not copies for a page. */
const modules: Readonly<Record<string, object>> = {
  toolpost,
  'toolpost/testing': testing,
  zod,
  '@ai-sdk/openai': openai,
}

/** Gives the module of a name; `this-page` only to the cell that was given the endpoint. Throws an Error. */
export async function importModule(name: string, endpoint: Endpoint | undefined): Promise<object> {
  if (name === 'this-page' && endpoint !== undefined) return endpointModule(endpoint)
  const found = Object.hasOwn(modules, name) ? modules[name] : undefined
  if (found !== undefined) return found
  throw new Error(`There is no module "${name}" here; cells import ${Object.keys(modules).join(', ')}.`)
}
