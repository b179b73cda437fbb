import { asJson } from '../core/json/as-json.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { messageOf } from '../core/message-of.ts'

const charactersMax = 500

/** Why a signal stopped something, as a sentence says it: the reason's message, its text, or its JSON. */
export function stopReason(reason: unknown): string {
  const json = typeof reason === 'object' && reason !== null ? asJson(reason) : undefined
  if (json === undefined || hasMessage(reason)) return messageOf(reason)
  return messageOf(stringifyJson(json), charactersMax)
}

function hasMessage(reason: unknown): boolean {
  return typeof (reason as { message?: unknown }).message === 'string'
}
