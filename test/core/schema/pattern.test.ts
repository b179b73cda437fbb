import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../../src/core/schema/pattern.ts'
import { faultsOf, refusalOf } from './support.ts'

const evil = '^(a+)+$'
const long = `${'a'.repeat(50_000)}!`

describe('patterns', () => {
  // A backtracking engine takes longer than the age of the universe here, so that the test's own limit is enough.
  test('run in linear time: nested quantifiers cannot stall the host [faults/F10]', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: evil } },
      patternProperties: { [evil]: { type: 'integer' } },
      propertyNames: { pattern: '(a|a)*' },
    }
    const faults = await faultsOf(schema, { a: long, [long]: 1 })
    expect(faults).toContain(`/a must match the pattern "${evil}"`)
    expect(faults).toContain('/a must be an integer')
    expect(faults).toHaveLength(2)
  })

  test.each([
    ['look-ahead', '(?=a)b', '/properties/a/pattern'],
    ['negative look-ahead', '^(?!x).*$', '/properties/a/pattern'],
    ['look-behind', '(?<=a)b', '/properties/a/pattern'],
    ['a back-reference', '(a)\\1', '/properties/a/pattern'],
    ['no regular expression', '(', '/properties/a/pattern'],
    ['syntax of RE2 only', '(?i)a', '/properties/a/pattern'],
  ])('%s is refused at registration [faults/F10]', (_, pattern, pointer) => {
    const refusal = refusalOf({ type: 'object', properties: { a: { pattern } } })
    expect(refusal.pointer).toBe(pointer)
  })

  test.each([
    ['(?=a)b', 'look-around cannot run in linear time'],
    ['(a)\\1', 'a back-reference cannot run in linear time'],
    ['^.{1,6000}$', 'its repeats come to more than 5,000 characters in all; bound a length by "maxLength"'],
    ['(?:.{100}){100}', 'its repeats come to more than 5,000 characters'],
    ['(?m:^a)', 'the modifier "m" is not supported'],
    ['\\p{Nothing}', 'it is no regular expression of ECMA-262'],
  ])('%s is refused with the true reason', (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(reason)
  })

  test('properties take the very characters that they take on the platform', () => {
    for (const source of [
      '\\p{Lu}',
      '\\P{L}',
      '\\p{scx=Hira}',
      '\\p{Cn}',
      '\\p{Co}',
      '\\p{Emoji}',
      '[\\p{L}-]',
    ]) {
      const [ours, theirs] = [compilePattern(`^${source}$`), new RegExp(`^${source}$`, 'u')]
      for (let point = 0; point <= 0x10_ffff; point += point < 0x3000 ? 1 : 61) {
        const character = String.fromCodePoint(point)
        if (ours.test(character) !== theirs.test(character))
          expect.fail(`${source} and U+${point.toString(16)}`)
      }
    }
  })

  test('a pattern with large repeats over a long text ends in a fault, not in minutes [application-tools/schema-bounds]', async () => {
    const pattern = 'a[ab]{1,4900}[c-f]'
    const text = 'aab'.repeat(300_000)
    const schema = { type: 'object', properties: { a: { pattern } }, patternProperties: { [pattern]: {} } }
    expect((await faultsOf(schema, { a: text })).join()).toContain('steps')
    expect((await faultsOf(schema, { [text]: 1 })).join()).toContain('steps')
  })

  test('a pattern of property names is refused with its place', () => {
    const refusal = refusalOf({ type: 'object', patternProperties: { '(?=/)': {} } })
    expect(refusal.pointer).toBe('/patternProperties/(?=~1)')
  })

  test.each([
    ['\\s', '\u00a0', true],
    ['^\\S$', '\u2003', false],
    ['^[\\s]$', '\ufeff', true],
    ['^.$', '\u2028', false],
    ['^.$', '😀', true],
    ['^\\p{Letter}+$', 'Ωmega', true],
    ['^\\p{Script=Greek}$', 'Ω', true],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^\\u{1F600}$', '😀', true],
    ['^[\\w\\-]+$', 'a-b', true],
    ['^a\\@b$', 'a@b', true],
    ['^a$', 'a\n', false],
    ['^\\p{sc=Greek}$', 'Ω', true],
    ['^\\p{sc=Grek}$', 'Ω', true],
    ['^\\p{scx=Latin}$', 'a', true],
    ['^\\P{sc=Latin}$', 'a', false],
    ['^\\P{sc=Latin}$', 'Ω', true],
    ['^\\p{ID_Start}\\p{ID_Continue}*$', 'a1', true],
    ['^\\P{ID_Start}$', '1', true],
    ['^\\p{Assigned}$', 'a', true],
    ['^\\P{Assigned}$', '\u0378', true],
    ['^\\p{ASCII}$', 'é', false],
    ['^\\p{Alpha}$', 'é', true],
    ['^[^\\P{L}]$', 'é', true],
    ['^(?s:.)$', '\n', true],
    ['^(?s:(?-s:.))$', '\n', false],
    ['^(?i:[^k])$', 'K', false],
    ['^(?i:straße)$', 'STRAẞE', true],
    ['^[\\S]$', '\u00a0', false],
    ['^[\\b]$', '\b', true],
    ['(?<$x>a)', 'a', true],
    ['[]', 'a', false],
    ['^[^]$', '\n', true],
    ['^.{1,2000}$', 'x'.repeat(2_000), true],
    ['^.{1,2000}$', 'x'.repeat(2_001), false],
    ['^(?:.{40}){40}$', 'x'.repeat(1_600), true],
    ['^(?:.{40}){40}$', 'x'.repeat(1_599), false],
    ['^a{1500,}$', 'a'.repeat(1_499), false],
    ['^a{1500,}$', 'a'.repeat(4_000), true],
    ['b', 'abc', true],
    ['^(?<year>\\d{4})$', '2026', true],
    ['^\\d$', '٣', false],
  ])('%s reads %j as ECMA-262 does', (pattern, text, matches) => {
    expect(compilePattern(pattern).test(text)).toBe(matches)
  })

  test('agree with the engine of the platform on patterns of the common kind', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '[^a]',
      '.',
      '\\d',
      '\\w',
      '\\s',
      '(a|b)',
      '(?:ab)',
      '\\.',
      '-',
    )
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}'))
      .map((parts) => parts.join(''))
    const pattern = fc
      .tuple(fc.boolean(), fc.array(piece, { maxLength: 4 }), fc.boolean())
      .map(([start, pieces, end]) => `${start ? '^' : ''}${pieces.join('')}${end ? '$' : ''}`)
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '1', ' ', '.', '-', '\n', 'é', '😀'),
      maxLength: 8,
    })
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        expect(compilePattern(source).test(value)).toBe(new RegExp(source, 'u').test(value))
      }),
      { numRuns: 500 },
    )
  })
})
