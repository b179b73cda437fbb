import type { Endpoint } from './message.ts'

/** What the module `this-page` gives to the cell with a key. */
export interface EndpointModule {
  /** For `createOpenAI`. The key itself is not in it: `fetch` adds it. */
  readonly endpoint: { readonly baseURL: string; readonly apiKey: string; readonly fetch: typeof fetch }
  readonly modelName: string
}

/**
 * The reader's endpoint for the code of a cell. The key is added to a request only here, and only when the request
 * goes to the base URL; a redirect, which could take it elsewhere, is an error.
 */
export function endpointModule({ key, baseUrl, model }: Endpoint): EndpointModule {
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  const withKey: typeof fetch = async (input, init) => {
    const request = new Request(input, { ...init, redirect: 'error', credentials: 'omit', referrer: '' })
    const target = new URL(request.url)
    if (target.origin !== base.origin || !target.pathname.startsWith(base.pathname))
      throw new Error(`The key is for ${base.href}; this request goes to ${request.url}.`)
    request.headers.set('authorization', `Bearer ${key}`)
    return await fetch(request)
  }
  return {
    endpoint: { baseURL: base.href.replace(/\/$/, ''), apiKey: 'kept-by-the-page', fetch: withKey },
    modelName: model,
  }
}
