import type { WireFormat } from './wire-format.ts'
import { WireRefusal } from './wire-refusal.ts'

const path = '/v1/models'

/** Whether this is where a server lists its models. */
export function isModelPath(pathname: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`)
}

/** The formats by which a server lists its models: who asks as Anthropic's clients do is answered as by Anthropic. */
export interface ModelLists {
  readonly openai: WireFormat
  readonly anthropic: WireFormat
}

type Headers = Readonly<Record<string, string | undefined>>

/** Whose client it is that asks for models: all of Anthropic's name the version of the interface. */
export function modelFormat({ openai, anthropic }: ModelLists, headers: Headers): WireFormat {
  return headers['anthropic-version'] === undefined ? openai : anthropic
}

/**
 * The answer to `GET /v1/models` and `GET /v1/models/MODEL`, in the form of OpenAI or Anthropic. A server that was given
 * no models lists some of the provider's. Errors: WireRefusal.
 */
export function modelAnswer(
  lists: ModelLists,
  headers: Headers,
  pathname: string,
  models: readonly string[] | undefined,
): object {
  const format = modelFormat(lists, headers)
  format.checkHeaders(headers)
  const names = models ?? format.someModels
  const isAnthropic = format === lists.anthropic
  const entry = isAnthropic ? anthropicModel : openaiModel
  if (pathname === path)
    return isAnthropic ? anthropicList(names) : { object: 'list', data: names.map(entry) }
  const asked = pathname.slice(path.length + 1)
  const name = models === undefined ? asked : models.find((each) => encodeURIComponent(each) === asked)
  if (name !== undefined && (models !== undefined || format.models.test(name))) return entry(name)
  throw new WireRefusal(`There is no model "${asked}".`, { status: 404, code: 'model_not_found' })
}

function openaiModel(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'script' }
}

function anthropicModel(id: string): object {
  return { type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }
}

function anthropicList(names: readonly string[]): object {
  const ends = { first_id: names[0] ?? null, last_id: names.at(-1) ?? null }
  return { data: names.map(anthropicModel), has_more: false, ...ends }
}
