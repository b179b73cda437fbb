import type { JsonValue } from '../../core/json/value.ts'
import type { SessionState } from '../../core/run/state.ts'

/** What a session was made for. */
export interface SessionProvider {
  readonly provider: string
  /** Absent: any model of the provider. */
  readonly model?: string
}

/** The value of a session in which its provider stands, from its first append on. */
export const sessionProviderKey = 'toolpost.host'

/** What a session was made for; undefined for one that no `POST /v1/sessions/create` has made. */
export function sessionProviderOf({ values }: Pick<SessionState, 'values'>): SessionProvider | undefined {
  const kept: JsonValue | undefined = values[sessionProviderKey]
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined
  const { provider, model } = kept as { readonly [key: string]: JsonValue }
  if (typeof provider !== 'string') return undefined
  return { provider, ...(typeof model === 'string' ? { model } : {}) }
}
