import { plainJson } from '../../core/json/encode.ts'
import { stringifyJson } from '../../core/json/stringify.ts'

/** JSON text of what a server sends; integers of any size that a request had come back exactly. */
export function wireJson(value: object): string {
  return stringifyJson(plainJson(value))
}

/** A server-sent event without a name. */
export function dataFrame(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : wireJson(data)}\n\n`
}

/** A server-sent event whose name stands in its data too. */
export function namedFrame(type: string, data: object): string {
  return `event: ${type}\n${dataFrame({ type, ...data })}`
}
