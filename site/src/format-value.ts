const widthMax = 76
const depthMax = 8
const itemsMax = 100
const textCharactersMax = 10_000

/** A value as a person reads it: in one line where that is short, else a line for each member. Reads no getter. */
export function formatValue(value: unknown): string {
  return format(value, 0, [])
}

/** An error in one line: its name, its code where it has one, its message. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return `Thrown: ${formatValue(error)}`
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  return `${error.name}${code}: ${error.message}`
}

function format(value: unknown, indent: number, above: readonly object[]): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return functionName(value)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  if (above.includes(value)) return '[circular]'
  if (above.length >= depthMax) return '[deeper]'
  try {
    return formatObject(value, indent, [...above, value])
  } catch {
    return '[unreadable]'
  }
}

function formatObject(value: object, indent: number, above: readonly object[]): string {
  if (value instanceof Error) return `[${formatError(value)}]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof RegExp) return String(value)
  const inner = (each: unknown) => format(each, indent + 2, above)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const isArray = Array.isArray(value)
    const items = Array.from(value as unknown as ArrayLike<unknown>, inner)
    return block(isArray ? '' : `${className(value)}(${items.length}) `, ['[', ']'], items, indent)
  }
  if (value instanceof Set) return block(`Set(${value.size}) `, ['{ ', ' }'], [...value].map(inner), indent)
  if (value instanceof Map) {
    const pairs = [...value].map(([key, each]) => `${inner(key)} => ${inner(each)}`)
    return block(`Map(${value.size}) `, ['{ ', ' }'], pairs, indent)
  }
  const name = className(value)
  return block(name === 'Object' ? '' : `${name} `, ['{ ', ' }'], members(value, inner), indent)
}

function members(value: object, inner: (each: unknown) => string): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, { enumerable }]) => enumerable)
    .map(([key, property]) => {
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)
      return `${name}: ${'value' in property ? inner(property.value) : '[getter]'}`
    })
}

function block(
  before: string,
  [open, close]: [string, string],
  all: readonly string[],
  indent: number,
): string {
  if (all.length === 0) return `${before}${open.trim()}${close.trim()}`
  const left = all.length - itemsMax
  const items = left > 0 ? [...all.slice(0, itemsMax), `... ${left} more`] : all
  const line = `${before}${open}${items.join(', ')}${close}`
  if (!line.includes('\n') && line.length + indent <= widthMax) return line
  const margin = ' '.repeat(indent)
  return `${before}${open.trim()}\n${items.map((item) => `${margin}  ${item}`).join(',\n')}\n${margin}${close.trim()}`
}

function className(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'Object'
}

function functionName(value: { readonly name: string }): string {
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function'
  return value.name === '' ? `[${kind}]` : `[${kind} ${value.name}]`
}

function quoted(text: string): string {
  const short = text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}...` : text
  const escaped = JSON.stringify(short).slice(1, -1).replaceAll('\\"', '"')
  return escaped.includes("'") && !escaped.includes('"')
    ? `"${escaped}"`
    : `'${escaped.replaceAll("'", "\\'")}'`
}
