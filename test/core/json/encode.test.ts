import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeResult, plainJson } from '../../../src/core/json/encode.ts'
import { parseJson } from '../../../src/core/json/strict.ts'
import { stringifyJson } from '../../../src/core/json/stringify.ts'
import { safeValue } from './arbitrary-json.ts'

const boom = (): never => {
  throw new Error('boom')
}

describe('the text of a result', () => {
  test('a string result reaches the model unchanged [approvals/B1]', () => {
    expect(encodeResult('hi')).toEqual({ text: 'hi', kind: 'text', lossy: [] })
    expect(encodeResult('{"a":')).toEqual({ text: '{"a":', kind: 'text', lossy: [] })
    expect(encodeResult('').text).toBe('')
  })

  test.each([undefined, null])('%s is the empty text [approvals/B2] [faults/F52]', (value) => {
    expect(encodeResult(value)).toEqual({ text: '', kind: 'empty', lossy: [] })
  })

  test('anything else is JSON [approvals/B3]', () => {
    expect(encodeResult({ a: 1 })).toEqual({ text: '{"a":1}', kind: 'json', lossy: [] })
    expect(encodeResult(0).text).toBe('0')
    expect(encodeResult(-0).text).toBe('0')
    expect(encodeResult(false).text).toBe('false')
    expect(encodeResult([]).text).toBe('[]')
    fc.assert(
      fc.property(safeValue, (value) => {
        if (typeof value !== 'string' && value !== null)
          expect(encodeResult(value).text).toBe(JSON.stringify(value))
      }),
    )
  })

  test('a function or a symbol has no text', () => {
    expect(encodeResult(boom)).toEqual({ text: '', kind: 'empty', lossy: [''] })
    expect(encodeResult(Symbol('s')).text).toBe('')
  })

  test('half a surrogate pair is replaced, also in a plain text', () => {
    expect(encodeResult('a\ud83d')).toEqual({ text: 'a\ufffd', kind: 'text', lossy: [''] })
    expect(encodeResult({ '\ud83d': 1 })).toEqual({ text: '{"\ufffd":1}', kind: 'json', lossy: ['/\ufffd'] })
  })
})

describe('kinds of values', () => {
  test.each([
    ['a bigint', 2n ** 64n, '18446744073709551616'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a set', new Set([1, 'a']), '[1,"a"]'],
    ['a map with string keys', new Map([['__proto__', 1]]), '{"__proto__":1}'],
    [
      'a map with other keys',
      new Map<unknown, unknown>([
        [1, 'a'],
        [{}, 'b'],
      ]),
      '[[1,"a"],[{},"b"]]',
    ],
    ['an error', new TypeError('no'), '{"name":"TypeError","message":"no"}'],
    ['bytes', new TextEncoder().encode('hello'), '"aGVsbG8="'],
    ['a Buffer', Buffer.from('hello'), '"aGVsbG8="'],
    ['an ArrayBuffer', new ArrayBuffer(3), '"AAAA"'],
    ['numbers', new Float32Array([1.5, 2]), '[1.5,2]'],
    ['long integers', new BigUint64Array([2n ** 63n]), '[9223372036854775808]'],
    ['boxed values', [Object(1), Object('a'), Object(true), Object(1n)], '[1,"a",true,1]'],
    ['a URL', new URL('https://a.example/b'), '"https://a.example/b"'],
    [
      'an instance',
      new (class Thing {
        a = 1
      })(),
      '{"a":1}',
    ],
    ['undefined members', { a: undefined, b: [undefined] }, '{"b":[null]}'],
    ['a shared object', [[1]].flatMap((one) => [one, one]), '[[1],[1]]'],
  ])('%s has a defined encoding that loses nothing [faults/F52]', (_name, value, text) => {
    expect(encodeResult({ value })).toEqual({ text: `{"value":${text}}`, kind: 'json', lossy: [] })
  })

  test.each([
    ['an invalid date', new Date(Number.NaN), 'null'],
    ['NaN', Number.NaN, 'null'],
    ['Infinity', Number.NEGATIVE_INFINITY, 'null'],
    ['many bytes', new Uint8Array(65_537), '"[65537 bytes]"'],
    [
      'a getter that throws',
      {
        get x() {
          return boom()
        },
      },
      '{"x":"[unreadable: boom]"}',
      '/x',
    ],
    ['a toJSON that throws', { toJSON: boom }, '"[unreadable: boom]"'],
    ['a proxy that throws', new Proxy({}, { ownKeys: boom }), '"[unreadable: boom]"'],
    ['a proxied array that throws', new Proxy([1, 2], { get: boom }), '"[unreadable: boom]"'],
    [
      'an error whose message throws',
      Object.defineProperty(new Error(), 'message', { get: boom }),
      '{"name":"Error","message":"[unreadable: boom]"}',
      '/message',
    ],
    ['a function member', { f: boom, g: [boom], h: 1 }, '{"g":[null],"h":1}', '/f'],
  ])('%s is replaced, and the place is told [faults/F52]', (_name, value, text, below = '') => {
    const encoded = encodeResult({ value })
    expect(encoded.text).toBe(`{"value":${text}}`)
    expect(encoded.lossy[0]).toBe(`/value${below}`)
  })

  test('a cycle is cut where it closes, through any kind of value [faults/F52]', () => {
    const value: Record<string, unknown> = { a: 1 }
    value.list = [value]
    value.map = new Map([['back', value]])
    value.json = { toJSON: () => value }
    expect(encodeResult(value)).toEqual({
      text: '{"a":1,"list":["[circular]"],"map":{"back":"[circular]"},"json":"[circular]"}',
      kind: 'json',
      lossy: ['/list/0', '/map/back', '/json'],
    })
  })

  test('a toJSON is given its key, and one that returns its own object is taken as that object', () => {
    const named = { toJSON: (key: string) => `under ${key}` }
    const own = {
      a: 1,
      toJSON() {
        return this
      },
    }
    const { text } = encodeResult({ named, list: [named], own })
    expect(text).toBe('{"named":"under named","list":["under 0"],"own":{"a":1}}')
  })

  test('a value that throws a hostile value is still encoded [faults/F52]', () => {
    const hostile = new Proxy({}, { get: boom, getPrototypeOf: boom })
    const value = {
      get x(): unknown {
        throw hostile
      },
    }
    expect(encodeResult(value).text).toBe('{"x":"[unreadable: A thrown value cannot be read.]"}')
  })

  test('keys that name inherited members stay members [faults/F9]', () => {
    const text = '{"__proto__":{"a":1},"constructor":2}'
    expect(encodeResult(JSON.parse(text)).text).toBe(text)
    expect(Object.getPrototypeOf(plainJson(JSON.parse(text)))).toBe(Object.prototype)
  })
})

describe('bounds', () => {
  test('what lies too deep is cut', () => {
    let value: unknown = 1
    for (let level = 0; level < 5_000; level += 1) value = [value]
    const { text, lossy } = encodeResult(value)
    expect(text).toBe(`${'['.repeat(100)}"[too deep]"${']'.repeat(100)}`)
    expect(lossy).toEqual(['/0'.repeat(100)])
  })

  test('what is too many is cut, in one wide value, in a sparse one and in a tree of shared parts', () => {
    expect(plainJson(new Array(4_000_000_000))).toHaveLength(100_001)
    const wide = Object.fromEntries(Array.from({ length: 100_002 }, (_, index) => [`k${index}`, 1]))
    expect(encodeResult(wide).text.endsWith('"k99999":1,"k100000":"[too many values]"}')).toBe(true)
    let tree: unknown = 1
    for (let level = 0; level < 60; level += 1) tree = [tree, tree]
    expect(encodeResult(tree).text).toContain('[too many values]')
  })

  test('at most 20 places are told', () => {
    expect(encodeResult(new Array(50).fill(Number.NaN)).lossy).toHaveLength(20)
  })
})

describe('any value at all', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withObjectString: true,
  })
  const traps = fc.subarray(['get', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const)
  const wrap = fc.constantFrom<(value: object) => unknown>(
    (value) => value,
    (value) => ({ list: [value] }),
    (value) => new Set([value]),
    (value) => new Map([[value, value]]),
    (value) => ({ toJSON: () => value }),
  )

  function checkStorable(value: unknown): void {
    const { text, kind } = encodeResult(value)
    const plain = plainJson(value)
    if (kind === 'json') expect(parseJson(text, { depthMax: 200 }).ok).toBe(true)
    const back = parseJson(stringifyJson(plain), { depthMax: 200 })
    expect(back.ok && stringifyJson(back.value)).toBe(stringifyJson(plain))
  }

  test('gives a text and a JSON value that can be stored and read back [faults/F52]', () => {
    fc.assert(fc.property(anything, checkStorable), { numRuns: 1_000 })
  })

  test('is encoded also when it is a Proxy that throws anything, anywhere [faults/F52]', () => {
    fc.assert(
      fc.property(anything, traps, anything, wrap, (inner, trapped, thrown, wrapped) => {
        const throwing = () => {
          throw thrown
        }
        const handler = Object.fromEntries(trapped.map((trap) => [trap, throwing]))
        checkStorable(wrapped(new Proxy(typeof inner === 'object' && inner !== null ? inner : {}, handler)))
      }),
      { numRuns: 1_000 },
    )
  })
})
