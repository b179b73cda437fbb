import type { IndexRow, Store } from '../../core/store.ts'
import type { Suite } from './place.ts'

const row: IndexRow = { kind: 'run', id: 'r', stream: 's', subject: 'ann', status: 'open', at: 1, data: {} }

/** Fills a stream with one of everything, and gives the lease on it. */
async function filled(store: Store, stream: string, id: string) {
  const event = { type: 'session.started', session: stream, subject: 'ann', agent: 'a' } as const
  const rows = [{ ...row, id, stream }]
  await store.append({ streams: [{ stream, after: 0, events: [{ at: 1, event }] }], rows })
  const own = await store.putBlob(stream, new TextEncoder().encode(`only of ${stream}`))
  const shared = await store.putBlob(stream, Uint8Array.of(1, 2, 3))
  return { own, shared, lease: await store.acquireLease(stream, 'me', 1_000, 0) }
}

export function testRemoval({ api: { expect }, test }: Suite): void {
  test('removing a stream takes its events, rows and blobs, and nothing of any other', async ({ store }) => {
    const gone = await filled(store, 's', 'r1')
    const kept = await filled(store, 'kept', 'r2')
    expect(gone.lease && (await store.removeStream(gone.lease))).toBe(true)
    expect(await store.read('s')).toEqual([])
    expect((await store.list({ kind: 'run' })).map(({ id }) => id)).toEqual(['r2'])
    expect(await store.getBlob('s', gone.own)).toBe(undefined)
    expect(await store.getBlob('s', gone.shared)).toBe(undefined)
    expect([...((await store.getBlob('kept', kept.shared)) ?? [])]).toEqual([1, 2, 3])
    expect((await store.read('kept')).length).toBe(1)
  })

  test('only who holds the lease can remove a stream, and once', async ({ store }) => {
    const { lease } = await filled(store, 's', 'r1')
    expect(await store.removeStream({ stream: 's', epoch: 99 })).toBe(false)
    expect((await store.read('s')).length).toBe(1)
    expect(lease && (await store.removeStream(lease))).toBe(true)
    expect(lease && (await store.removeStream(lease))).toBe(false)
  })

  test('a stream that was removed can begin anew, under the next epoch', async ({ store }) => {
    const { lease } = await filled(store, 's', 'r1')
    if (lease !== undefined) await store.removeStream(lease)
    const again = await filled(store, 's', 'r1')
    expect(again.lease?.epoch).toBe((lease?.epoch ?? 0) + 1)
    expect((await store.read('s')).map(({ sequence }) => sequence)).toEqual([1])
  })
}
