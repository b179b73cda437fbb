import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseArguments, parseJson } from '../../src/core/json/strict.ts'
import { stringifyJson } from '../../src/core/json/stringify.ts'
import { jsonValue } from '../core/json/arbitrary-json.ts'
import { share } from './log-change.ts'

/** Pieces that JSON is made of, and some that it nearly is. */
const piece = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '\\ud83d',
    '-',
    '0',
    '1',
    '.',
    'e',
    'E+',
    'true',
    'null',
  ],
  ...[
    ' ',
    '\n',
    '\t',
    '\u0000',
    '\ufeff',
    '\u2028',
    '\ud800',
    '😀',
    "'",
    'NaN',
    'Infinity',
    '//',
    '/*',
    '0x',
    '+',
  ],
  ...['"a":', '"__proto__":', '"a":1,', '1e999', '9007199254740993', '[]', '{}'],
)

interface Change {
  readonly at: number
  readonly cut: number
  readonly put: string
}

const change: fc.Arbitrary<Change> = fc.record({
  at: share,
  cut: fc.nat(3),
  put: fc.oneof(piece, fc.constant(''), fc.string({ unit: 'binary', maxLength: 2 })),
})

function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((before, { at, cut, put }) => {
    const place = Math.floor(at * before.length)
    return before.slice(0, place) + put + before.slice(place + cut)
  }, text)
}

const written = jsonValue.map(stringifyJson)
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
  fc.tuple(written, fc.array(change, { maxLength: 3 })).map(([text, changes]) => changed(text, changes)),
  fc.tuple(written, written).map(([a, b]) => `{"a":${a},"b":[${b}]}`),
  fc
    .tuple(written, written, piece)
    .map(([a, b, key]) => `[{${JSON.stringify(key)}:${a},${JSON.stringify(key)}:${b}}]`),
)

/** The only things that the strict parser refuses and JavaScript's own takes. */
const stricter = /stands twice in one object|surrogate pair|is too large|nested more than 64 deep/

function platformParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The JSON text of a value in which a long integer is the double that the platform makes of it. */
function asPlatform(value: unknown): string {
  return JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? Number(member) : member))
}

test('no text makes the parser throw; what it takes, it reads as the platform does; what it refuses beyond, it names', () => {
  const seen = { taken: 0, refused: 0, stricter: 0 }
  fc.assert(
    fc.property(texts, (text) => {
      const strict = parseJson(text)
      const platform = platformParse(text)
      if (strict.ok) {
        seen.taken += 1
        expect(platform).toBeDefined()
        expect(asPlatform(strict.value)).toBe(asPlatform(platform?.value))
        return
      }
      seen.refused += 1
      expect(strict.fault.position).toBeLessThanOrEqual(text.length)
      if (platform === undefined) return
      seen.stricter += 1
      expect(strict.fault.message).toMatch(stricter)
    }),
    { numRuns: 5_000 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

test('arguments differ from JSON only in that no text is an empty object', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.stringMatching(/^\s{0,5}$/)), (text) => {
      const parsed = parseArguments(text)
      expect(parsed).toEqual(text.trim() === '' ? { ok: true, value: {} } : parseJson(text))
    }),
    { numRuns: 1_000 },
  )
})
