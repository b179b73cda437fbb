import { ToolpostError } from '../error.ts'
import { messageOf } from '../message-of.ts'
import { jsonPointer } from './pointer.ts'
import { quoted } from './quoted.ts'

const depthMax = 128
const valuesMax = 1_000_000
const fewKeys = 12

/**
 * The canonical JSON text of a value (RFC 8785), the form that digests are made of. Keys are sorted by UTF-16 code
 * units, numbers have their ECMAScript form, `-0` is `0`, an undefined member is left out. Strings are written as
 * they are, without Unicode normalisation. Only own enumerable members with string keys count.
 *
 * One extension, so that two different numbers never share a text: every integer from 2^53 up to 10^21 is
 * written as its exact digits, whether it is a number or a bigint (RFC 8785 would pad a number's digits with zeros).
 *
 * Throws NOT_ENCODABLE, with the place as a JSON pointer in `details.pointer`, for what JSON cannot say: a function,
 * a symbol, NaN, Infinity, undefined outside an object, half a surrogate pair, a cycle, an object that is no plain
 * object or array. Throws LIMIT_EXCEEDED beyond 128 levels or 1,000,000 values.
 */
export function canonicalJson(value: unknown): string {
  const writer = new CanonicalWriter()
  try {
    return writer.write(value)
  } catch (thrown) {
    if (thrown === writer.refusal) throw thrown
    return writer.refuse(`A value that cannot be read (${messageOf(thrown, 200)})`)
  }
}

class CanonicalWriter {
  refusal: ToolpostError | undefined
  private readonly path: (string | number)[] = []
  private readonly ancestors: object[] = []
  private values = 0

  write(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return this.string(value)
      case 'number':
        return Number.isFinite(value) ? numberText(value) : this.refuse(`The number ${value}`)
      case 'boolean':
      case 'bigint':
        return String(value)
      case 'object':
        return value === null ? 'null' : this.container(value)
      default:
        return this.refuse(typeof value === 'undefined' ? 'An undefined value' : `A ${typeof value}`)
    }
  }

  refuse(what: string): never {
    this.stop('NOT_ENCODABLE', `${what} has no canonical JSON form; hand in plain JSON data`)
  }

  private container(value: object): string {
    if (this.ancestors.includes(value)) this.refuse('A cycle')
    if (this.path.length >= depthMax) this.exceed(`${depthMax} levels`)
    this.ancestors.push(value)
    const text = Array.isArray(value) ? this.array(value) : this.object(value)
    this.ancestors.pop()
    return text
  }

  private array(value: readonly unknown[]): string {
    let text = ''
    for (let index = 0; index < value.length; index += 1) {
      text += `${index === 0 ? '' : ','}${this.child(index, value[index])}`
    }
    return `[${text}]`
  }

  private object(value: object): string {
    if (!isPlain(value)) this.refuse('An object of a class')
    let text = ''
    for (const key of sortedKeys(value)) {
      const member = (value as Record<string, unknown>)[key]
      if (member === undefined) continue
      text += `${text === '' ? '' : ','}${this.string(key)}:${this.child(key, member)}`
    }
    return `{${text}}`
  }

  private child(key: string | number, value: unknown): string {
    this.values += 1
    if (this.values > valuesMax) this.exceed(`${valuesMax} values`)
    this.path.push(key)
    const text = this.write(value)
    this.path.pop()
    return text
  }

  private string(value: string): string {
    if (!value.isWellFormed()) this.refuse('A string with half of a surrogate pair')
    return quoted(value)
  }

  private exceed(bound: string): never {
    this.stop('LIMIT_EXCEEDED', `The value has more than ${bound}, the most that has a canonical form`)
  }

  private stop(code: 'NOT_ENCODABLE' | 'LIMIT_EXCEEDED', message: string): never {
    const pointer = jsonPointer(this.path)
    const place = pointer === '' ? 'at the top' : `at ${pointer.slice(0, 200)}`
    this.refusal = new ToolpostError(code, `${message} (${place}).`, { details: { pointer } })
    throw this.refusal
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's Object.prototype is a different object, but ends the chain as well.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  return keys.length > fewKeys ? keys.sort() : sortFew(keys)
}

/** By insertion: for a few keys that costs a fraction of what the engine's sort does. */
function sortFew(keys: string[]): string[] {
  for (let end = 1; end < keys.length; end += 1) {
    const key = keys[end]!
    let at = end
    for (; at > 0 && keys[at - 1]! > key; at -= 1) keys[at] = keys[at - 1]!
    keys[at] = key
  }
  return keys
}

function numberText(value: number): string {
  const isBareLong = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21
  return isBareLong ? BigInt(value).toString() : String(value)
}
