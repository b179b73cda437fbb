import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts'

/** What a JSON pointer (RFC 6901) found. */
export type Pointed = { readonly value: JsonValue } | 'missing' | 'malformed'

/**
 * Follows a JSON pointer into a value, by own properties and plain indices only. `malformed`: the text is
 * not a pointer; `missing`: it points at nothing.
 */
export function followPointer(root: JsonValue, pointer: string): Pointed {
  if (!isPointer(pointer)) return 'malformed'
  let value: JsonValue = root
  let start = 1
  while (start <= pointer.length) {
    const slash = pointer.indexOf('/', start)
    const end = slash < 0 ? pointer.length : slash
    const next = member(value, unescapeToken(pointer.slice(start, end)))
    if (next === undefined) return 'missing'
    value = next
    start = end + 1
  }
  return { value }
}

/** Whether a text is a JSON pointer: empty, or `/`-led tokens in which `~` stands only before 0 or 1. */
export function isPointer(text: string): boolean {
  if (text === '') return true
  if (text[0] !== '/') return false
  for (let at = text.indexOf('~'); at >= 0; at = text.indexOf('~', at + 1)) {
    if (text[at + 1] !== '0' && text[at + 1] !== '1') return false
  }
  return true
}

// `~1` first: `~01` stands for `~1`, not for `/`.
function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

function member(value: JsonValue, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return isIndex(token) ? value[Number(token)] : undefined
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
}

function isIndex(token: string): boolean {
  const index = Number(token)
  return Number.isSafeInteger(index) && index >= 0 && String(index) === token
}
