import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/json/canonical.ts'
import { setOwn } from '../../../src/core/json/set-own.ts'
import { safeValue } from './arbitrary-json.ts'

/** A copy whose objects have their keys in the order that `order` gives. */
function reordered(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order))
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const key of order(Object.keys(value))) {
    setOwn(copy, key, reordered((value as Record<string, unknown>)[key], order))
  }
  return copy
}

function hasIndexKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isIndexed = !Array.isArray(value) && Object.keys(value).some((key) => /^\d+$/.test(key))
  return isIndexed || Object.values(value).some(hasIndexKey)
}

describe('the canonical text', () => {
  test('does not depend on the order of keys [approvals/L6]', () => {
    fc.assert(
      fc.property(safeValue, (value) => {
        expect(canonicalJson(reordered(value, (keys) => keys.reverse()))).toBe(canonicalJson(value))
      }),
    )
  })

  test('is that of JSON.stringify once the keys are sorted', () => {
    fc.assert(
      fc.property(
        // An engine puts keys that are array indices first, so JSON.stringify cannot show them sorted.
        safeValue.filter((value) => !hasIndexKey(value)),
        (value) => {
          expect(canonicalJson(value)).toBe(JSON.stringify(reordered(value, (keys) => keys.sort())))
        },
      ),
    )
  })

  test('sorts keys by UTF-16 code units, at every level', () => {
    const value = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '😀': 5,
      '\u0080': 6,
      ö: { b: 1, a: 2 },
      '10': 7,
      '9': 8,
    }
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"10":7,"9":8,"\u0080":6,"ö":{"a":2,"b":1},"€":1,"😀":5,"\ufb33":3}',
    )
  })

  test.each([
    [-0, '0'],
    [5e-324, '5e-324'],
    [-1.7976931348623157e308, '-1.7976931348623157e+308'],
    [1 / 3, '0.3333333333333333'],
    [1e30, '1e+30'],
    [4.5, '4.5'],
    [2e-3, '0.002'],
    [1e-27, '1e-27'],
    [1n, '1'],
    [-0n, '0'],
  ])('writes the number %s as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test('writes an integer beyond 2^53 exactly, so that a number and a bigint share a text only when equal', () => {
    expect(canonicalJson(2 ** 64)).toBe('18446744073709551616')
    expect(canonicalJson(2n ** 64n)).toBe('18446744073709551616')
    expect(canonicalJson(18446744073709552000n)).toBe('18446744073709552000')
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(number, (value) => {
        const text = canonicalJson(value)
        if (/^-?\d+$/.test(text)) expect(BigInt(text)).toBe(BigInt(value))
        else expect(Number(text)).toBe(value)
      }),
    )
  })

  test('leaves undefined, inherited, hidden and symbol members out', () => {
    const value = Object.create(Object.prototype, { hidden: { value: 1, enumerable: false } })
    Object.assign(value, { a: undefined, b: 1, [Symbol('s')]: 2 })
    expect(canonicalJson(value)).toBe('{"b":1}')
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}')
  })

  test('keeps hostile keys as members [faults/F9]', () => {
    expect(canonicalJson(JSON.parse('{"toString":1,"__proto__":{"a":1}}'))).toBe(
      '{"__proto__":{"a":1},"toString":1}',
    )
  })
})

describe('what has no canonical text', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = [cycle]
  const hostile = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('boom')
    },
  })
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('trapped')
      },
    },
  )
  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['NaN', Number.NaN],
    ['an infinite number', Number.POSITIVE_INFINITY],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['an instance', new (class Thing {})()],
    ['a boxed number', Object(1)],
    ['bytes', new Uint8Array(1)],
    ['half a surrogate pair', '\ud83d'],
    ['half a surrogate pair as a key', { '\ude00': 1 }],
    ['undefined in an array', [undefined]],
    ['a hole in an array', new Array(1)],
    ['a cycle', cycle],
    ['a getter that throws', hostile],
    ['a proxy that throws', trap],
    ['a revoked proxy', revoked()],
  ])('%s is refused with its place', (_name, value) => {
    expect(() => canonicalJson({ 'a/b': [0, value] })).toThrow(
      expect.objectContaining({
        code: 'NOT_ENCODABLE',
        message: expect.stringContaining('/a~1b/1'),
        details: { pointer: expect.stringMatching(/^\/a~1b\/1/) },
      }),
    )
  })

  test('undefined at the top is refused', () => {
    expect(() => canonicalJson(undefined)).toThrow(
      'An undefined value has no canonical JSON form; hand in plain JSON data (at the top).',
    )
  })

  test('the same object in two places is no cycle', () => {
    const shared = { a: 1 }
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
  })

  test('depth and number of values are bounded', () => {
    const nest = (levels: number) => {
      let value: unknown = 1
      for (let level = 0; level < levels; level += 1) value = [value]
      return value
    }
    expect(canonicalJson(nest(128))).toContain('[[1]]')
    expect(() => canonicalJson(nest(129))).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
    let tree: unknown = 1
    for (let level = 0; level < 60; level += 1) tree = [tree, tree]
    expect(() => canonicalJson(tree)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
  })
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
