import type { IndexQuery, IndexRow, Store } from '../../core/store.ts'
import type { Suite } from './place.ts'
import { row } from './samples.ts'

async function put(store: Store, ...rows: IndexRow[]): Promise<void> {
  await store.append({ streams: [], rows })
}

async function ids(store: Store, query: Omit<IndexQuery, 'kind'>): Promise<string[]> {
  return (await store.list({ kind: 'ticket', ...query })).map(({ id }) => id)
}

const five = [
  row('a', { at: 5, status: 'open', subject: 'ann', stream: 's1' }),
  row('b', { at: 1, status: 'decided', subject: 'bob', stream: 's1' }),
  row('c', { at: 3, status: 'open', subject: 'bob', stream: 's2' }),
  row('d', { at: 3, status: 'waiting', subject: 'ann', stream: 's2' }),
  row('e', { at: 3, status: 'open', subject: 'ann', stream: 's2' }),
]

export function testRows({ api: { expect }, test }: Suite): void {
  test('rows come out as they went in, ordered by time and then by id', async ({ store }) => {
    const data = JSON.parse('{"__proto__":1,"text":"x"}') as IndexRow['data']
    const rich = row('z', { at: 0.5, data: { ...data, big: 9007199254740993n, list: [{ deep: null }] } })
    await put(store, ...five, rich)
    expect(await store.list({ kind: 'ticket', limit: 1 })).toEqual([rich])
    expect(await ids(store, {})).toEqual(['z', 'b', 'c', 'd', 'e', 'a'])
    expect(await ids(store, { newestFirst: true })).toEqual(['a', 'e', 'd', 'c', 'b', 'z'])
  })

  test('a query selects by each of its fields and by all together', async ({ store }) => {
    await put(store, ...five, row('a', { kind: 'run', status: 'failed' }))
    expect(await ids(store, { id: 'a' })).toEqual(['a'])
    expect(await ids(store, { id: 'a', subject: 'bob' })).toEqual([])
    expect(await ids(store, { stream: 's1' })).toEqual(['b', 'a'])
    expect(await ids(store, { subject: 'bob' })).toEqual(['b', 'c'])
    expect(await ids(store, { status: 'open' })).toEqual(['c', 'e', 'a'])
    expect(await ids(store, { stream: 's2', subject: 'ann', status: 'open' })).toEqual(['e'])
    expect((await store.list({ kind: 'run' })).map(({ status }) => status)).toEqual(['failed'])
    expect(await store.list({ kind: 'session' })).toEqual([])
  })

  test('a list of statuses means any of them, in one order', async ({ store }) => {
    await put(store, ...five)
    expect(await ids(store, { status: ['waiting', 'open', 'open'] })).toEqual(['c', 'd', 'e', 'a'])
    expect(await ids(store, { status: ['decided', 'waiting'], newestFirst: true })).toEqual(['d', 'b'])
    expect(await ids(store, { status: ['open', 'waiting'], limit: 2 })).toEqual(['c', 'd'])
    expect(await ids(store, { status: [] })).toEqual([])
  })

  test('pages of any size meet without a gap and without a repeat', async ({ store }) => {
    await put(store, ...five)
    for (const newestFirst of [false, true]) {
      for (const limit of [1, 2, 3]) {
        for (const status of [undefined, ['open', 'decided', 'waiting']]) {
          const query = { newestFirst, limit, ...(status && { status }) }
          expect(await walk(store, query)).toEqual(await ids(store, { newestFirst }))
        }
      }
    }
  })

  test('a row that is written again takes the place of the old one', async ({ store }) => {
    await put(store, row('a', { at: 1 }), row('b', { at: 2 }))
    await put(store, row('a', { at: 3, status: 'decided', data: { by: 'bob' } }))
    expect(await ids(store, { status: 'open' })).toEqual(['b'])
    expect(await ids(store, {})).toEqual(['b', 'a'])
    await put(store, row('c', { status: 'open' }), row('c', { status: 'decided' }))
    expect(await ids(store, { id: 'c', status: 'decided' })).toEqual(['c'])
  })

  test('a list has 100 rows by default and 1,000 at most', async ({ store }) => {
    const many = Array.from({ length: 1_001 }, (_, at) =>
      row(`t${at}`, { at, status: at % 2 ? 'odd' : 'even' }),
    )
    await put(store, ...many)
    expect((await ids(store, {})).length).toBe(100)
    expect((await ids(store, { limit: 5_000 })).length).toBe(1_000)
    expect((await ids(store, { limit: 5_000, status: ['odd', 'even'] })).length).toBe(1_000)
  })
}

async function walk(store: Store, query: Omit<IndexQuery, 'kind'>): Promise<string[]> {
  const found: string[] = []
  let after: IndexQuery['after']
  for (;;) {
    const page = await store.list({ kind: 'ticket', ...query, ...(after && { after }) })
    const last = page.at(-1)
    if (last === undefined) return found
    found.push(...page.map(({ id }) => id))
    after = { at: last.at, id: last.id }
  }
}
