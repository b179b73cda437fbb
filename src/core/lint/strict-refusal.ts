import type { SchemaFinding } from './finding.ts'

/** The keywords below which the strict mode looks at schemas; inside of others all is refused with them. */
export const looksThrough: ReadonlySet<string> = new Set([
  ...['properties', 'items', 'anyOf', '$defs', 'definitions'],
])

/** A finding of the strict mode: `what` goes on after "OpenAI's strict mode". */
export function strictRefusal(pointer: string, keyword: string, what: string): SchemaFinding {
  const says = `OpenAI's strict mode ${what}; the tool is sent as it is, with strict mode off.`
  return { pointer, keyword, effect: 'refused', says }
}
