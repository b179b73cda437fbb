import type { JsonValue } from '../../core/json/value.ts'
import { codeOf, type Suite } from './place.ts'
import { event, outputs, row, sequences, to } from './samples.ts'

const biggest = 2n ** 200n

/** Values that a careless store changes. */
const difficult: JsonValue[] = [
  [9007199254740993n, -9007199254740993n, biggest, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  [1e21, 1e20, 123456789012345680000, 5e-324, 1.7976931348623157e308, 0.1, -1.5],
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null,"":0,"a.b":[]}'),
  ['9007199254740993', '\u0000', '\u2028', '"\\', '😀', 'é', 'e\u0301'],
  [null, true, false, [], {}, [[[]]], { a: { b: { c: [{ d: 1 }] } } }],
]

/** What a careless caller hands on, and no log can give back. */
const unkeepable: readonly (readonly [kind: string, value: unknown])[] = [
  ['a function', () => 'web'],
  ['a symbol', Symbol('web')],
  ['a number that is none', Number.NaN],
  ['an infinite number', Number.POSITIVE_INFINITY],
  ['an object of a class', new Date(0)],
  ['a place that is undefined', undefined],
]

export function testAppends(suite: Suite): void {
  const {
    api: { expect },
    test,
  } = suite
  test('events come back in the order in which they were appended, numbered from 1', async ({ store }) => {
    expect(await store.append({ streams: [to('s', 0, 'a', 'b')] })).toEqual({ ok: true })
    expect(await store.append({ streams: [to('s', 2, 'c')] })).toEqual({ ok: true })
    expect(await store.read('s')).toEqual([
      { stream: 's', sequence: 1, at: 1_000, event: event('a') },
      { stream: 's', sequence: 2, at: 1_001, event: event('b') },
      { stream: 's', sequence: 3, at: 1_000, event: event('c') },
    ])
  })

  test('a read starts after a sequence and stops at its limit', async ({ store }) => {
    await store.append({ streams: [to('s', 0, 1, 2, 3, 4)] })
    const read = async (options: { after?: number; limit?: number }) =>
      (await store.read('s', options)).map(({ sequence }) => sequence)
    expect(await read({ after: 1, limit: 2 })).toEqual([2, 3])
    expect(await read({ limit: 1 })).toEqual([1])
    expect(await read({ limit: 0 })).toEqual([])
    expect(await read({ after: 4 })).toEqual([])
    expect(await store.read('nobody wrote this one')).toEqual([])
  })

  test('streams are numbered apart, however alike their names', async ({ store }) => {
    for (const stream of ['s', 'S', 's ', 's\u0000', 'é', 'e\u0301']) {
      expect(await store.append({ streams: [to(stream, 0, stream)] })).toEqual({ ok: true })
    }
    expect(await outputs(store, 's\u0000')).toEqual(['s\u0000'])
    expect(await outputs(store, 'e\u0301')).toEqual(['e\u0301'])
  })

  test('names that no encoder can write are kept apart or refused, never confused', async ({ store }) => {
    for (const key of ['\ud800', '\ud801']) {
      const outcome = await store.append({ streams: [], uniqueKeys: [key] }).catch(({ code }) => code)
      expect([JSON.stringify({ ok: true }), '"INVALID_ARGUMENT"'].includes(JSON.stringify(outcome))).toBe(
        true,
      )
    }
  })
  testValues(suite)
  testOwnership(suite)
}

/** What goes in comes out, or is refused. */
function testValues({ api: { expect }, test }: Suite): void {
  test('exact big integers, hostile keys and odd numbers come out as they went in', async ({ store }) => {
    await store.append({ streams: [to('s', 0, ...difficult)] })
    const found = await outputs(store, 's')
    expect(found).toEqual(difficult)
    const hostile = found[2] as { [key: string]: JsonValue }
    expect(Object.hasOwn(hostile, '__proto__')).toBe(true)
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  })

  for (const [kind, value] of unkeepable) {
    test(`an append with ${kind} in it is refused, and nothing of it is written`, async ({ store }) => {
      await store.append({ streams: [to('s', 0, 'before')] })
      const hidden = { deep: [value] } as unknown as JsonValue
      expect(await codeOf(store.append({ streams: [to('s', 1, 'whole', hidden)] }))).toBe('NOT_ENCODABLE')
      const rows = [row('r', { data: { hidden } })]
      expect(await codeOf(store.append({ streams: [to('s', 1, 'whole')], rows }))).toBe('NOT_ENCODABLE')
      expect(await store.list({ kind: 'ticket' })).toEqual([])
      expect(await store.append({ streams: [to('s', 1, 'after')] })).toEqual({ ok: true })
      expect(await outputs(store, 's')).toEqual(['before', 'after'])
    })
  }

  test('a member that is undefined is left out', async ({ store }) => {
    const output = { kept: 1, left: undefined } as unknown as JsonValue
    await store.append({ streams: [to('s', 0, output)] })
    expect(JSON.stringify(await outputs(store, 's'))).toBe('[{"kept":1}]')
  })

  test('times keep their fractions and may lie far away', async ({ store }) => {
    const times = [0, 1.25, 8.64e15, -1]
    const events = times.map((at) => ({ at, event: event(at) }))
    await store.append({ streams: [{ stream: 's', after: 0, events }] })
    expect((await store.read('s')).map(({ at }) => at)).toEqual(times)
  })
}

/** What was appended is the store's, and what was read the reader's. */
function testOwnership({ api: { expect }, test }: Suite): void {
  test('what the caller does with his objects after an append changes nothing', async ({ store }) => {
    const output = { list: [1, { deep: 'as it was' }] }
    const before = JSON.stringify(output)
    const appended = store.append({ streams: [to('s', 0, output)] })
    output.list.push(2)
    Object.assign(output.list[1] as object, { deep: 'changed' })
    await appended
    Object.assign(output, { more: true })
    expect(JSON.stringify((await outputs(store, 's'))[0])).toBe(before)
  })

  test('what a reader does with the events he was given changes nothing', async ({ store }) => {
    await store.append({ streams: [to('s', 0, { list: [1] })] })
    const [read] = await store.read('s')
    try {
      Object.assign(read?.event ?? {}, { output: 'changed' })
    } catch {
      // Frozen: as good.
    }
    expect(await outputs(store, 's')).toEqual([{ list: [1] }])
  })

  test('appends that are made at once without waiting all succeed when each continues the last', async ({
    store,
  }) => {
    const results = Array.from({ length: 40 }, (_, index) =>
      store.append({ streams: [to('s', index, index)] }),
    )
    expect((await Promise.all(results)).every(({ ok }) => ok)).toBe(true)
    expect(await sequences(store, 's')).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  })
}
