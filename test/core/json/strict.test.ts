import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ParseLimits, parseArguments, parseJson } from '../../../src/core/json/strict.ts'
import { safeValue } from './arbitrary-json.ts'

function parsed(text: string, limits?: ParseLimits): unknown {
  const result = parseJson(text, limits)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value
}

function fault(text: string, limits?: ParseLimits): string {
  const result = parseJson(text, limits)
  return result.ok ? `accepted ${text}` : result.fault.message
}

describe('what is accepted', () => {
  test('every text of JSON.stringify is read as JSON.parse reads it, with any white space', () => {
    const spaces = fc.constantFrom('', ' ', '\n\t', 3)
    fc.assert(
      fc.property(safeValue, spaces, (value, space) => {
        const text = ` ${JSON.stringify(value, null, space)}\r\n`
        assert.deepStrictEqual(parsed(text), JSON.parse(text))
      }),
    )
  })

  test('a text that JSON.parse refuses is refused', () => {
    const mark = fc.constantFrom(...'{}[]:,"\\u0d1-+.eE tfn', 'true', 'null', '"a"', '12', '\u0000')
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 9 }), (marks) => {
        const text = marks.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        if (!isJson) expect(parseJson(text).ok).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('an integer beyond 2^53 is exact, and one below is a number', () => {
    expect(parsed('[9007199254740991, 9007199254740992, -9007199254740993]')).toStrictEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740993n,
    ])
    expect(parsed(`1${'0'.repeat(400)}`)).toBe(10n ** 400n)
  })

  test('a number with a fraction or an exponent is a number', () => {
    expect(parsed('[5.0, 1e2, 18446744073709551616.0, -0, 1e-400]')).toStrictEqual([5, 100, 2 ** 64, -0, 0])
  })

  test('every escape is understood, and a pair of surrogates is one character', () => {
    expect(parsed('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00"')).toBe('"\\/\b\f\n\r\tA😀')
  })

  test('keys that name inherited members become own ones and leave every prototype alone [faults/F9] [faults/F72]', () => {
    const value = parsed('{"__proto__":{"polluted":1},"constructor":2,"toString":3}') as Record<
      string,
      unknown
    >
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(value.polluted).toBeUndefined()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('what is refused', () => {
  test.each([
    ['{"a":1 "b":2}', 'Expected a comma or a closing brace at position 7, but found "'],
    ['[1 2]', 'Expected a comma or a closing bracket at position 3, but found 2'],
    ['{"a" 1}', 'Expected a colon after the key at position 5, but found 1'],
    ["{'a':1}", "Expected a key in double quotes at position 1, but found '"],
    ['{"a":1,}', 'Expected a key in double quotes at position 7, but found }'],
    ['[1,]', 'Expected a value at position 3, but found ]'],
    ['{"a":', 'Expected a value at position 5, but the text ends there'],
    ['nul', 'Expected a value at position 0, but found n'],
    ['\ufeff1', 'Expected a value at position 0, but found U+FEFF'],
    ['01', 'Expected the end of the text at position 1, but found 1'],
    ['{} x', 'Expected the end of the text at position 3, but found x'],
    ['"ab', 'A string is not closed, it starts at position 0'],
    ['["a\nb"]', 'A control character in a string must be escaped at position 3'],
    ['"\\x41"', 'A backslash starts no escape that JSON knows at position 1'],
    ['"\\u00g1"', 'A backslash starts no escape that JSON knows at position 1'],
    ['[1e400]', 'The number is too large at position 1'],
    ['[-1e400]', 'The number is too large at position 1'],
  ])('%j is refused with a sentence that says where', (text, message) => {
    expect(fault(text)).toBe(message)
  })

  test('a truncated text is refused at every length, never taken for a shorter value', () => {
    const text = '{"amount": [1.5, "x\\u0041", true], "b": null}'
    for (let length = 1; length < text.length; length += 1)
      expect(parseJson(text.slice(0, length)).ok).toBe(false)
  })

  test('a key that stands twice is named, also when one of them is escaped', () => {
    expect(fault('{"a":{"b":1,"\\u0062":2}}')).toBe('The key "b" stands twice in one object at position 12')
    expect(fault('{"__proto__":1,"__proto__":2}')).toContain('The key "__proto__" stands twice')
    expect(parsed('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('half a surrogate pair is refused, escaped or not', () => {
    expect(fault('"\\ud83d"')).toContain('half of a surrogate pair')
    expect(fault('{"\\ude00\\ud83d":1}')).toContain('half of a surrogate pair')
    expect(fault('"ab\ud83d"')).toBe('Half of a surrogate pair stands at position 3')
  })

  test('the depth bound counts objects and arrays', () => {
    expect(parsed('[{"a":[]}]', { depthMax: 3 })).toEqual([{ a: [] }])
    expect(fault('[{"a":[]}]', { depthMax: 2 })).toBe(
      'Objects and arrays are nested more than 2 deep at position 6',
    )
    expect(parseJson(`${'['.repeat(64)}${']'.repeat(64)}`).ok).toBe(true)
    expect(parseJson(`${'['.repeat(65)}${']'.repeat(65)}`).ok).toBe(false)
  })

  test('a bottomless text ends in a fault, not in a stack overflow, whatever depth is asked for', () => {
    expect(fault('['.repeat(1_000_000), { depthMax: Number.POSITIVE_INFINITY })).toContain(
      'more than 1000 deep',
    )
    expect(fault('{"a":'.repeat(100_000), { depthMax: 1e9 })).toContain('more than 1000 deep')
  })

  test('the size bound counts UTF-8 bytes', () => {
    expect(parsed('"ü"', { bytesMax: 4 })).toBe('ü')
    expect(fault('"ü"', { bytesMax: 3 })).toBe('The text is larger than 3 bytes')
    expect(parseJson(`"${'x'.repeat(1_048_574)}"`).ok).toBe(true)
    expect(parseJson(`"${'x'.repeat(1_048_575)}"`).ok).toBe(false)
  })

  test('the members of all objects and arrays are counted together', () => {
    expect(parsed('[{"a":1},2]', { membersMax: 3 })).toEqual([{ a: 1 }, 2])
    expect(fault('[{"a":1},2]', { membersMax: 2 })).toContain('more than 2 members and elements in all')
    expect(parseJson(`[${'1,'.repeat(100_000)}1]`).ok).toBe(false)
  })

  test('long tokens are read or refused without an exception', () => {
    const limits = { bytesMax: Number.POSITIVE_INFINITY }
    expect(parsed('7'.repeat(200_000), limits)).toBe(BigInt('7'.repeat(200_000)))
    expect(parsed(`1.${'0'.repeat(3_000_000)}`, limits)).toBe(1)
    expect(parsed(`"${'\\n'.repeat(2_000_000)}"`, limits)).toBe('\n'.repeat(2_000_000))
  })

  test('no text makes the parser throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof parseJson(text).ok === 'boolean'))
  })
})

describe('arguments', () => {
  test.each(['', ' ', '\n\t '])('%j stands for no arguments [faults/F6]', (text) => {
    expect(parseArguments(text)).toStrictEqual({ ok: true, value: {} })
  })

  test('everything else is read strictly [faults/F6]', () => {
    expect(parseArguments('{"a":1}')).toEqual({ ok: true, value: { a: 1 } })
    expect(parseArguments('null')).toEqual({ ok: true, value: null })
    expect(parseArguments('{').ok).toBe(false)
    expect(parseArguments('{"a":1}', { bytesMax: 3 }).ok).toBe(false)
  })
})
