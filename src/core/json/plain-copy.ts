import { messageOf } from '../message-of.ts'
import { base64Of } from './base64.ts'
import { jsonPointer } from './pointer.ts'
import { setOwn } from './set-own.ts'
import type { JsonValue } from './value.ts'

const depthMax = 100
const valuesMax = 100_000
const bytesMax = 65_536
/** Written as escapes, six characters for one, they still fit into the longest text of an engine. */
const charactersMax = 67_108_864
const lossyMax = 20

/** Copies one value of any kind into plain JSON, by the rules of `plainJson`. Use a new one for each value. */
export class PlainCopy {
  /** JSON pointers of the places where something was replaced or dropped, at most 20. */
  readonly lossy: string[] = []
  private readonly path: (string | number)[] = []
  private readonly ancestors: object[] = []
  private values = 0
  private characters = 0

  /** The JSON value; undefined where JSON would leave the value out. */
  of(value: unknown): JsonValue | undefined {
    switch (typeof value) {
      case 'string':
        return this.string(value)
      case 'number':
        if (!Number.isFinite(value)) return this.replaced(null)
        return value === 0 ? 0 : value
      case 'bigint':
        return this.bigint(value)
      case 'boolean':
      case 'undefined':
        return value
      case 'object':
        return value === null ? null : this.object(value)
      default:
        return this.replaced(undefined)
    }
  }

  private object(value: object): JsonValue | undefined {
    if (this.ancestors.includes(value)) return this.replaced('[circular]')
    const depth = this.path.length
    if (depth >= depthMax) return this.replaced('[too deep]')
    this.ancestors.push(value)
    try {
      return this.encoded(value)
    } catch (thrown) {
      this.path.length = depth
      return this.unreadable(thrown)
    } finally {
      this.ancestors.pop()
    }
  }

  private encoded(value: object): JsonValue | undefined {
    const bytes = bytesOf(value)
    if (bytes !== undefined) return this.bytes(bytes)
    const toJson = (value as { toJSON?: unknown }).toJSON
    if (typeof toJson !== 'function') return this.shape(value)
    const replacement: unknown = toJson.call(value, String(this.path.at(-1) ?? ''))
    if (replacement === value) return this.shape(value)
    if (replacement === null) return value instanceof Date ? this.replaced(null) : null
    if (typeof replacement !== 'object') return this.of(replacement)
    // What toJSON returned is taken as it is: its own toJSON is not asked again, as in JSON.stringify.
    return this.ancestors.includes(replacement) ? this.replaced('[circular]') : this.nested(replacement)
  }

  private nested(value: object): JsonValue | undefined {
    this.ancestors.push(value)
    try {
      return this.shape(value)
    } finally {
      this.ancestors.pop()
    }
  }

  private shape(value: object): JsonValue | undefined {
    if (Array.isArray(value)) return this.list(value)
    if (value instanceof Map) return this.map(value)
    if (value instanceof Set) return this.list([...Set.prototype.values.call(value)])
    if (value instanceof Error) return this.members(value, ['name', 'message'])
    if (isNumberArray(value)) return this.list(value)
    if (isBoxed(value)) return this.unboxed(value)
    return this.members(value, Object.keys(value))
  }

  private list(value: ArrayLike<unknown>): JsonValue {
    const result: JsonValue[] = []
    for (let index = 0; index < value.length; index += 1) {
      if (this.values >= valuesMax) {
        result.push(this.tooMany(index))
        break
      }
      result.push(this.member(value, index) ?? null)
    }
    return result
  }

  private members(value: object, keys: readonly string[]): JsonValue {
    const result: Record<string, JsonValue> = {}
    for (const key of keys) {
      const name = key.toWellFormed()
      if (this.values >= valuesMax || !this.spend(key.length)) {
        setOwn(result, name, this.tooMany(key))
        break
      }
      const member = this.member(value, key)
      if (member === undefined) continue
      if (name !== key) this.lose([...this.path, key])
      setOwn(result, name, member)
    }
    return result
  }

  private map(value: Map<unknown, unknown>): JsonValue {
    const entries = [...Map.prototype.entries.call(value)]
    if (!entries.every(([key]) => typeof key === 'string')) return this.list(entries)
    const record = Object.fromEntries(entries)
    return this.members(record, Object.keys(record))
  }

  private member(owner: object, key: string | number): JsonValue | undefined {
    this.values += 1
    this.path.push(key)
    const value = this.read(owner, key)
    this.path.pop()
    return value
  }

  private read(owner: object, key: string | number): JsonValue | undefined {
    let value: unknown
    try {
      value = (owner as Record<string | number, unknown>)[key]
    } catch (thrown) {
      return this.unreadable(thrown)
    }
    return this.of(value)
  }

  private unboxed(value: object): JsonValue | undefined {
    const primitive: unknown = value.valueOf()
    return typeof primitive === 'object' ? this.members(value, Object.keys(value)) : this.of(primitive)
  }

  private bytes(value: Uint8Array): JsonValue | undefined {
    const isSmall = value.length <= bytesMax && this.spend(value.length * 2)
    return isSmall ? base64Of(value) : this.replaced(`[${value.length} bytes]`)
  }

  private bigint(value: bigint): JsonValue {
    if (BigInt.asIntN(64, value) === value || this.spend(value.toString(16).length * 2)) return value
    return this.replaced('[too many digits]')
  }

  private string(value: string): JsonValue {
    if (!this.spend(value.length)) return this.replaced(`[${value.length} characters]`)
    if (value.isWellFormed()) return value
    this.lose(this.path)
    return value.toWellFormed()
  }

  /** Whether there is room for so many characters more; one value can stand in very many places. */
  private spend(characters: number): boolean {
    if (this.characters + characters > charactersMax) return false
    this.characters += characters
    return true
  }

  private unreadable(thrown: unknown): JsonValue | undefined {
    return this.replaced(`[unreadable: ${messageOf(thrown, 200)}]`)
  }

  private tooMany(key: string | number): JsonValue {
    this.lose([...this.path, key])
    return '[too many values]'
  }

  private replaced<Replacement extends JsonValue | undefined>(replacement: Replacement): Replacement {
    this.lose(this.path)
    return replacement
  }

  private lose(path: readonly (string | number)[]): void {
    if (this.lossy.length < lossyMax) this.lossy.push(jsonPointer(path).toWellFormed())
  }
}

function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  const isBytes =
    value instanceof Uint8Array || value instanceof Uint8ClampedArray || value instanceof DataView
  return isBytes ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined
}

/** A typed array of numbers; one of bytes was taken before. */
function isNumberArray(value: object): value is ArrayLike<unknown> & object {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
}

function isBoxed(value: object): boolean {
  return (
    value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt
  )
}
