import type { IndexQuery, IndexRow, Store } from '../core/store.ts'
import { wireBounds } from '../protocol/bounds.ts'
import { HostError } from '../protocol/host-error.ts'

/** Some of what a question selects, and where the rest begins. */
export interface RowPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** Where a page begins and how long it is. */
export interface PageWanted {
  readonly cursor?: string
  /** Default 50. */
  readonly limit?: number
}

type Question = Omit<IndexQuery, 'limit' | 'after'>
type Place = NonNullable<IndexQuery['after']>

const rowsAtOnce = 200

/** One page of what rows stand for; rows of which `itemOf` makes nothing are left out. Errors: INVALID_REQUEST for a wrong cursor. */
export async function rowPage<Item>(
  store: Store,
  question: Question,
  { cursor, limit = wireBounds.pageItemsDefault }: PageWanted,
  itemOf: (row: IndexRow) => Promise<Item | undefined>,
): Promise<RowPage<Item>> {
  const items: Item[] = []
  let last: IndexRow | undefined
  for await (const row of rowsAfter(store, question, placeOf(cursor))) {
    const item = await itemOf(row)
    if (item === undefined) continue
    if (items.length === limit) return { items, nextCursor: `${last?.at}.${last?.id}` }
    items.push(item)
    last = row
  }
  return { items }
}

async function* rowsAfter(
  store: Store,
  question: Question,
  first: Place | undefined,
): AsyncGenerator<IndexRow, void, undefined> {
  for (let after = first; ; ) {
    const place = after === undefined ? {} : { after }
    const rows = await store.list({ ...question, ...place, limit: rowsAtOnce })
    yield* rows
    after = rows.at(-1)
    if (rows.length < rowsAtOnce) return
  }
}

function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^([0-9]{1,16})\.(.+)$/s.exec(cursor) ?? []
  if (at !== undefined && id !== undefined) return { at: Number(at), id }
  throw new HostError('INVALID_REQUEST', 'The cursor is none that this host gave.')
}
