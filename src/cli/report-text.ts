import { type ToldNumber, toldNumber } from './told-number.ts'

/** A table in Markdown; the first column stands left, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

/** A name from the disk as code: nothing in it is Markdown. */
export function code(value: unknown): string {
  const text = String(value).replace(/\s/g, ' ')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** A text from a file within a line: no table, link, image or tag comes of it. */
export function inline(value: unknown): string {
  return String(value)
    .replace(/\s/g, ' ')
    .replace(/[\\`*_[\]<>|#!]/g, '\\$&')
}

/** A number with its thousands set apart. */
export function number(value: unknown): string {
  return Number(value ?? 0).toLocaleString('en')
}

/** A number with the word for what it counts. */
export function plural(value: unknown, one: string, many = `${one}s`): string {
  return `${number(value)} ${Number(value) === 1 ? one : many}`
}

/** A number of a result with what it counts. */
export function told(result: Readonly<Record<string, unknown>>, name: string, one: string): string {
  const { value, isAtLeast } = toldNumber(result, name)
  return `${isAtLeast ? 'at least ' : ''}${plural(value, one)}`
}

/** A number that says so when it is only a lower bound. */
export function amount({ value, isAtLeast }: ToldNumber): string {
  return `${isAtLeast ? 'at least ' : ''}${number(value)}`
}

/** A text with a capital at its beginning. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A number of bytes in the unit that suits it. */
export function size(value: unknown): string {
  let amount = Number(value ?? 0)
  let unit = 0
  for (; amount >= 1_024 && unit < units.length - 1; unit += 1) amount /= 1_024
  return `${number(Math.round(amount * 10) / 10)} ${units[unit]}`
}
