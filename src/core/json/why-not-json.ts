import { messageOf } from '../message-of.ts'
import { depthMax, valuesMax } from './as-json.ts'
import { jsonPointer } from './pointer.ts'

/**
 * Says where a value that `asJson` does not take is no JSON, as a part of a sentence: `/when is a Date, no plain object`.
 * It never throws.
 */
export function whyNotJson(value: unknown): string {
  try {
    return new Search().at(value) ?? 'it cannot be read'
  } catch (thrown) {
    return `it cannot be read (${messageOf(thrown, 200)})`
  }
}

/** Walks a value until something in it is no JSON. */
class Search {
  private readonly path: (string | number)[] = []
  private readonly ancestors: object[] = []
  private values = 0

  at(value: unknown): string | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'bigint':
        return undefined
      case 'number':
        return Number.isFinite(value) ? undefined : this.is(String(value))
      case 'object':
        return value === null ? undefined : this.object(value)
      default:
        return this.is(value === undefined ? 'undefined' : `a ${typeof value}`)
    }
  }

  private object(value: object): string | undefined {
    if (this.ancestors.includes(value)) return this.is('a part that contains itself')
    if (this.path.length > depthMax) return this.is(`nested in more than ${depthMax} levels`)
    const isList = Array.isArray(value)
    if (!isList && !isPlain(value)) return this.is(`${kindOf(value)}, no plain object`)
    this.ancestors.push(value)
    const found = this.members(value, isList)
    this.ancestors.pop()
    return found
  }

  private members(value: object, isList: boolean): string | undefined {
    if (isList) return this.items(value as unknown[])
    for (const key of Object.keys(value)) {
      const found = this.member(value, key, false)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** By their places: a hole in a list has no key, and is undefined all the same. A list may claim any length. */
  private items(list: unknown[]): string | undefined {
    const { length } = list
    for (let index = 0; index < length; index += 1) {
      const found = this.member(list, index, true)
      if (found !== undefined) return found
    }
    return undefined
  }

  private member(owner: object, key: string | number, isList: boolean): string | undefined {
    this.path.push(key)
    this.values += 1
    if (this.values > valuesMax) return `it has more than ${valuesMax.toLocaleString('en')} values`
    const read = this.read(owner, key)
    if ('fault' in read) return this.is(read.fault)
    const isLeftOut = read.value === undefined && !isList
    const found = isLeftOut ? undefined : this.at(read.value)
    this.path.pop()
    return found
  }

  private read(owner: object, key: string | number): { value: unknown } | { fault: string } {
    try {
      return { value: (owner as Record<string | number, unknown>)[key] }
    } catch (thrown) {
      return { fault: `unreadable (${messageOf(thrown, 200)})` }
    }
  }

  private is(what: string): string {
    const shown = this.path.length > 8 ? [...this.path.slice(0, 8), '...'] : this.path
    const place = jsonPointer(shown).toWellFormed()
    return `${place === '' ? 'it' : place.slice(0, 300)} is ${what}`
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The name of its class, where it has one. */
function kindOf(value: object): string {
  const { constructor: made } = value as { constructor?: unknown }
  const name = typeof made === 'function' ? made.name.slice(0, 100) : ''
  if (name === '' || name === 'Object') return 'an object of a class'
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`
}
