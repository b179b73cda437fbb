import { parseJson } from '../core/json/strict.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { followPointer } from '../core/policy/follow-pointer.ts'
import { byteLength } from '../runtime/preview.ts'
import { countLines, lineCharactersMax, linesOf, partEnd, wholeCharacter } from './result-text.ts'
import { searchText } from './search-result.ts'

/** What a model asks to read of a result. */
export interface Wanted {
  readonly handle: string
  readonly fromLine?: number
  readonly lines?: number
  readonly fromCharacter?: number
  readonly characters?: number
  readonly search?: string
  readonly pointer?: string
}

/** The bounds of one reading, whatever is left of the run's budget. */
export const linesMax = 200
export const charactersMax = 16_000

/** For the last line, which says what was read and where to go on. */
const lastLineBytes = 160

/**
 * Reads a part of a text, in at most so many bytes of UTF-8. The pointer chooses a value first; the rest is about the
 * text of that value. Throws an Error with a sentence for the model when nothing can be read so.
 */
export function readPart(whole: string, wanted: Wanted, bytesMax: number): string {
  refuseClashes(wanted)
  const room = Math.max(lastLineBytes, bytesMax - lastLineBytes)
  const { pointer, search, fromLine, lines, fromCharacter, characters } = wanted
  const text = pointer === undefined ? whole : valueAt(whole, pointer)
  if (search !== undefined) return searchText(text, search, { ...wanted, bytesMax: room })
  if (fromCharacter !== undefined || characters !== undefined) return someCharacters(text, wanted, room)
  if (pointer === undefined || fromLine !== undefined || lines !== undefined)
    return someLines(text, wanted, room)
  if (text.length <= charactersMax && byteLength(text) <= room) return text
  return someCharacters(text, { characters: charactersMax }, room)
}

function refuseClashes({ fromLine, lines, fromCharacter, characters, search }: Wanted): void {
  const byLine = fromLine !== undefined || lines !== undefined
  const byCharacter = fromCharacter !== undefined || characters !== undefined
  if (byLine && byCharacter)
    throw new Error(
      'Read by lines (fromLine, lines) or by characters (fromCharacter, characters), not by both.',
    )
  if (search === undefined || (lines === undefined && characters === undefined)) return
  throw new Error(
    'A search takes no "lines" and no "characters": it gives as many matches as fit, from fromLine or fromCharacter on.',
  )
}

function valueAt(text: string, pointer: string): string {
  const parsed = parseJson(text, {
    depthMax: 1_000,
    bytesMax: Number.POSITIVE_INFINITY,
    membersMax: Number.POSITIVE_INFINITY,
  })
  if (!parsed.ok) throw new Error('This result is no JSON; read its lines instead.')
  const found = followPointer(parsed.value, pointer)
  if (found === 'malformed')
    throw new Error(`"${pointer}" is no JSON pointer; one begins with "/", as in /items/0.`)
  if (found === 'missing') throw new Error(`The result has nothing at ${pointer}.`)
  return typeof found.value === 'string' ? found.value : stringifyJson(found.value)
}

function someCharacters(
  text: string,
  { fromCharacter = 0, characters = 8_000 }: Partial<Wanted>,
  room: number,
): string {
  if (fromCharacter >= text.length && fromCharacter > 0) return `[There are ${text.length} characters.]`
  const from = wholeCharacter(text, fromCharacter)
  const end = partEnd(text, from, Math.max(2, characters), room)
  const isCut = end < Math.min(text.length, from + characters) || fromCharacter === 0
  const goOn = isCut && end < text.length ? `: go on with fromCharacter: ${end}` : ''
  return `${text.slice(from, end)}\n[Characters ${from} to ${end} of ${text.length}${goOn}]`
}

function someLines(text: string, { fromLine = 1, lines = 100 }: Wanted, room: number): string {
  const total = countLines(text)
  if (fromLine > total) return `There are ${total} lines.`
  const wantedLast = Math.min(total, fromLine - 1 + lines)
  const longest = wantedLast === fromLine ? charactersMax : lineCharactersMax
  const shown: string[] = []
  let left = room
  for (const line of linesOf(text)) {
    if (line.number < fromLine) continue
    if (line.number > wantedLast) break
    const end = partEnd(
      line.text,
      0,
      longest,
      shown.length === 0 ? room - lastLineBytes : Number.POSITIVE_INFINITY,
    )
    const told = end === line.text.length ? line.text : cutLine(line, end)
    left -= byteLength(told) + 1
    if (left < 0) break
    shown.push(told)
  }
  const last = fromLine - 1 + shown.length
  const goOn = last < wantedLast ? `: go on with fromLine: ${last + 1}` : ''
  return `${shown.join('\n')}\n[Lines ${fromLine} to ${last} of ${total}${goOn}]`
}

function cutLine({ text, start }: { readonly text: string; readonly start: number }, end: number): string {
  return `${text.slice(0, end)} [${text.length - end} more characters in this line: go on with fromCharacter: ${start + end}]`
}
