import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inertLine, inertText, revealedText, visibleJson } from '../../../src/cli/terminal/inert-text.ts'
import { parseJson } from '../../../src/core/json/strict.ts'

const anyText = fc.string({
  unit: fc.oneof(fc.nat(0x9f), fc.nat(0xffff), fc.nat(0x10ffff)).map((code) => String.fromCodePoint(code)),
})

test('text that is printed steers no terminal, whatever it holds', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(inertText(text)).not.toMatch(
        /(?![\n\t])[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
      )
      expect(inertLine(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})

test('who decides sees every character that does not show by itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(revealedText(text)).not.toMatch(
        /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
      )
    }),
  )
  expect(revealedText('pay\u202eme\u200b')).toBe('pay\\u{202e}me\\u{200b}')
})

test('JSON that is shown for editing shows everything and is read back as it was', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const value = { [text]: text.toWellFormed() }
      const shown = visibleJson(value)
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
      expect(parseJson(shown)).toEqual({ ok: true, value: { [text.toWellFormed()]: text.toWellFormed() } })
    }),
  )
})

test('ordinary text, emoji and other scripts stay as they are', () => {
  for (const text of ['Grüße, 你好, नमस्ते\n\ttab', '✅ ⚠️ 👨‍👩‍👧']) expect(inertText(text)).toBe(text)
})
