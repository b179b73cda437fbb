import type { IndexQuery, IndexRow, Store } from '../core/store.ts'

const page = 1_000

/** All rows that a query selects, in their order, read page by page. */
export async function* listAll(
  store: Store,
  query: Omit<IndexQuery, 'limit' | 'after'>,
): AsyncGenerator<IndexRow, void, undefined> {
  for (let last: IndexRow | undefined; ; ) {
    const after = last === undefined ? {} : { after: { at: last.at, id: last.id } }
    const rows = await store.list({ ...query, limit: page, ...after })
    yield* rows
    last = rows.at(-1)
    if (rows.length < page) return
  }
}
