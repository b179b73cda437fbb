/** What providers run themselves, by one word for all of them. */
export const providerToolTypes = [
  'web_search',
  'web_fetch',
  'code_execution',
  'file_search',
  'image_generation',
] as const

export type ProviderToolType = (typeof providerToolTypes)[number]

/** By the beginning of a model's provider name, what each provider calls its tools. */
const ids: Readonly<Record<string, Partial<Record<ProviderToolType, string>>>> = {
  'openai.responses': {
    web_search: 'openai.web_search',
    code_execution: 'openai.code_interpreter',
    file_search: 'openai.file_search',
    image_generation: 'openai.image_generation',
  },
  anthropic: {
    web_search: 'anthropic.web_search_20250305',
    web_fetch: 'anthropic.web_fetch_20250910',
    code_execution: 'anthropic.code_execution_20250825',
  },
  google: {
    web_search: 'google.google_search',
    web_fetch: 'google.url_context',
    code_execution: 'google.code_execution',
  },
  // A script says itself what its tools found.
  scripted: Object.fromEntries(providerToolTypes.map((type) => [type, `scripted.${type}`])),
}

/** The provider's own id of a tool, or a sentence that says why there is none. `driver` is `<provider>/<model>`. */
export function providerToolId(
  type: ProviderToolType,
  driver: string,
): { readonly id: string } | { readonly fault: string } {
  const provider = providerOf(driver)
  const known = Object.entries(ids).find(([key]) => isBelow(provider, key))
  const id = known?.[1][type]
  if (id !== undefined) return { id }
  const runs = known === undefined ? [] : Object.keys(known[1])
  const instead =
    runs.length === 0
      ? 'if the provider runs such a tool, name it by its own id: providerTool({ id: "<provider>.<tool>" })'
      : `it runs ${runs.join(', ')}`
  return { fault: `"${provider}" is not known to run a tool of type "${type}"; ${instead}.` }
}

const families: readonly string[] = ['openai', 'anthropic', 'google']

/** Why a tool of this id cannot run where the model does; undefined when it can, or when it is not known. */
export function elsewhereFault(id: string, driver: string): string | undefined {
  const provider = providerOf(driver)
  const [family = ''] = id.split('.')
  const home = families.find((each) => isBelow(provider, each))
  if (home === undefined || !families.includes(family)) return undefined
  if (home !== family) return `"${id}" runs at ${family}, and the model is one of "${provider}".`
  if (home !== 'openai' || isBelow(provider, 'openai.responses')) return undefined
  return `"${id}" runs behind OpenAI's Responses API only, and the model is one of "${provider}"; take openai.responses(...).`
}

/** The provider of a driver's name, `<provider>/<model>`. */
function providerOf(driver: string): string {
  const [provider = driver] = driver.split('/')
  return provider
}

function isBelow(provider: string, key: string): boolean {
  return provider === key || provider.startsWith(`${key}.`)
}
