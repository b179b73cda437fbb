import type { Append } from '../../core/store.ts'
import type { Suite } from './place.ts'
import { row, sequences, to } from './samples.ts'

export function testConflicts({ api: { expect }, test }: Suite): void {
  test('an append that does not continue its stream is refused, behind and ahead alike', async ({
    store,
  }) => {
    await store.append({ streams: [to('s', 0, 'a', 'b')] })
    for (const after of [0, 1, 3]) {
      const refused = await store.append({ streams: [to('s', after, 'x')] })
      expect(refused).toEqual({ ok: false, conflict: 'sequence' })
    }
    expect(await store.append({ streams: [to('new', 1, 'x')] })).toEqual({ ok: false, conflict: 'sequence' })
    expect(await sequences(store, 's')).toEqual([1, 2])
  })

  test('an append without events still tells whether the stream has gone on', async ({ store }) => {
    await store.append({ streams: [to('s', 0, 'a')] })
    expect(await store.append({ streams: [to('s', 1)] })).toEqual({ ok: true })
    expect(await store.append({ streams: [to('s', 0)] })).toEqual({ ok: false, conflict: 'sequence' })
  })

  test('a stream named twice in one append is continued twice', async ({ store }) => {
    expect(await store.append({ streams: [to('s', 0, 'a'), to('s', 1, 'b')] })).toEqual({ ok: true })
    const refused = await store.append({ streams: [to('s', 2, 'c'), to('s', 2, 'd')] })
    expect(refused).toEqual({ ok: false, conflict: 'sequence' })
    expect(await sequences(store, 's')).toEqual([1, 2])
  })

  test('one append writes several streams, rows and keys, or nothing of them', async ({ store }) => {
    await store.append({ streams: [to('b', 0, 'b')] })
    const all = (after: number): Append => ({
      streams: [to('a', 0, 'a'), to('b', after, 'b')],
      rows: [row('r')],
      uniqueKeys: ['k'],
    })
    expect(await store.append(all(0))).toEqual({ ok: false, conflict: 'sequence' })
    expect(await store.read('a')).toEqual([])
    expect(await store.list({ kind: 'ticket' })).toEqual([])
    // The key is unused, so the same append passes once it continues both streams.
    expect(await store.append(all(1))).toEqual({ ok: true })
    expect(await sequences(store, 'a')).toEqual([1])
    expect(await sequences(store, 'b')).toEqual([1, 2])
    expect(await store.list({ kind: 'ticket' })).toEqual([row('r')])
  })

  test('a unique key is written once, whoever comes second', async ({ store }) => {
    expect(await store.append({ streams: [], uniqueKeys: ['k', 'K', 'k '] })).toEqual({ ok: true })
    const second = await store.append({
      streams: [to('s', 0, 'a')],
      rows: [row('r')],
      uniqueKeys: ['n', 'k'],
    })
    expect(second).toEqual({ ok: false, conflict: 'unique' })
    expect(await store.read('s')).toEqual([])
    expect(await store.list({ kind: 'ticket' })).toEqual([])
    expect(await store.append({ streams: [], uniqueKeys: ['n'] })).toEqual({ ok: true })
    const twice = await store.append({ streams: [], uniqueKeys: ['m', 'm'] })
    expect(twice).toEqual({ ok: false, conflict: 'unique' })
  })

  test('a lost lease is told before a sequence, and a sequence before a key', async ({ store }) => {
    await store.append({ streams: [to('s', 0, 'a')], uniqueKeys: ['k'] })
    const wrong: Append = { streams: [to('s', 0, 'b')], uniqueKeys: ['k'] }
    const withLease = await store.append({ ...wrong, lease: { stream: 's', epoch: 1 } })
    expect(withLease).toEqual({ ok: false, conflict: 'lease' })
    expect(await store.append(wrong)).toEqual({ ok: false, conflict: 'sequence' })
  })

  test('of many that continue from the same event exactly one wins', async ({ store }) => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.append({ streams: [to('s', 0, index)] })),
    )
    expect(results.filter(({ ok }) => ok).length).toBe(1)
    expect(await sequences(store, 's')).toEqual([1])
  })

  test('a refused append takes none of its neighbours with it', async ({ store }) => {
    const results = await Promise.all([
      store.append({ streams: [to('a', 0, 1)], rows: [row('a')] }),
      store.append({ streams: [to('b', 7, 1)], rows: [row('b')] }),
      store.append({ streams: [to('c', 0, 1)], rows: [row('c')] }),
    ])
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true])
    expect((await store.list({ kind: 'ticket' })).map(({ id }) => id)).toEqual(['a', 'c'])
    expect(await store.read('b')).toEqual([])
  })

  test('writers who try again after a conflict lose no event and leave no gap', async ({ store }) => {
    const write = async (writer: number): Promise<void> => {
      for (let written = 0; written < 10; ) {
        const after = (await store.read('s')).length
        const { ok } = await store.append({ streams: [to('s', after, `${writer}.${written}`)] })
        if (ok) written += 1
      }
    }
    await Promise.all([1, 2, 3, 4].map(write))
    expect(await sequences(store, 's')).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  })
}
