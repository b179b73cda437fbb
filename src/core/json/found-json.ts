import { type ParseLimits, type ParseResult, parseJson } from './strict.ts'

/**
 * Reads the one JSON value that a model's words hold: the whole text, what stands in its one Markdown code fence, or
 * the one object or array among its words. It guesses nothing beyond that: each is parsed strictly, and of two values
 * none is taken. The fault is that of the whole text, or says how many values there are. It never throws.
 */
export function foundJson(text: string, limits: ParseLimits = {}): ParseResult {
  const whole = parseJson(text, limits)
  if (whole.ok) return whole
  const fenced = fencedText(text)
  if (fenced !== undefined) {
    const inner = parseJson(fenced, limits)
    if (inner.ok) return inner
  }
  const found = valuesIn(text, limits)
  if (found.length === 1) return found[0] as ParseResult
  if (found.length === 0) return whole
  const message = 'More than one JSON object or array stands in the text, so that none can be taken'
  return { ok: false, fault: { message, position: 0 } }
}

const fence = /^ {0,3}(?:```|~~~)/

/** What stands in the only code fence of a text; undefined when there is none, or more than one. */
function fencedText(text: string): string | undefined {
  const lines = text.split(/\r?\n/)
  const marks = [...lines.keys()].filter((index) => fence.test(lines[index] as string))
  const [from, to] = marks
  if (marks.length !== 2 || from === undefined) return undefined
  return lines.slice(from + 1, to).join('\n')
}

/** A text with more brackets than this beside each other is no answer. */
const groupsMax = 1_000

/** The objects and arrays that stand in a text beside each other, two at most; what is no JSON counts as words. */
function valuesIn(text: string, limits: ParseLimits): ParseResult[] {
  const found: ParseResult[] = []
  let groups = 0
  for (let at = 0; at < text.length && found.length < 2; at += 1) {
    if (text[at] !== '{' && text[at] !== '[') continue
    const end = endOf(text, at)
    // What is not closed holds whatever follows it.
    groups += 1
    if (end === undefined || groups > groupsMax) break
    const parsed = parseJson(text.slice(at, end), limits)
    if (parsed.ok) found.push(parsed)
    at = end - 1
  }
  return found
}

/** The place behind the bracket that closes the one at `from`; brackets in strings do not count. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0
  let isText = false
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at += 1
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return undefined
}
