import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonValue } from '../../core/json/value.ts'

/**
 * Control characters, line separators, half surrogate pairs, and the marks that turn the direction of writing:
 * what could steer a terminal or show text otherwise than it is.
 */
const steering =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** All that, and every other character that shows nothing. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text that cannot steer a terminal: such characters are written as escapes. Line feeds and tabs stay. */
export function inertText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(steering, (character) => (isLayout(character) ? character : escaped(character)))
}

/** The same on one line. */
export function inertLine(text: string): string {
  return text.replace(steering, escaped)
}

/** A text with everything made visible that does not show by itself, for who has to decide about it. Line feeds stay. */
export function revealedText(text: string): string {
  return text.replace(unseen, (character) => (character === '\n' ? character : escaped(character)))
}

/** JSON text of a value on one line with everything made visible; it can be parsed back. */
export function visibleJson(value: JsonValue): string {
  return stringifyJson(value).replace(unseen, unitEscapes)
}

function isLayout(character: string): boolean {
  return character === '\n' || character === '\t'
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`
}

/** As JSON escapes: one for each unit of UTF-16. */
function unitEscapes(character: string): string {
  let text = ''
  for (let at = 0; at < character.length; at += 1) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }
  return text
}
