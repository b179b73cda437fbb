import type { Store } from '../../core/store.ts'
import { codeOf, type Suite } from './place.ts'
import { outputs, row, to } from './samples.ts'

export function testLifetime({ api: { expect }, test }: Suite): void {
  test('a watcher hears of every append that was made after its last call', async ({ store }) => {
    for (let after = 0; after < 5; after += 1) {
      const changed = nextChange(store)
      await store.append({ streams: [to('s', after, after)] })
      await changed
    }
  })

  test('every watcher hears, and none after it was stopped', async ({ store }) => {
    let calls = 0
    const count = () => {
      calls += 1
    }
    const stop = store.watch(count)
    store.watch(count)
    stop()
    stop()
    const changed = nextChange(store)
    await store.append({ streams: [to('s', 0, 'a')] })
    await changed
    expect(calls).toBe(1)
  })

  test('a watcher hears which streams changed, as far as the store knows', async ({ store }) => {
    const told: (readonly string[] | undefined)[] = []
    const changed = nextChange(store)
    const stop = store.watch((streams) => told.push(streams && [...streams].sort()))
    await store.append({ streams: [to('s', 0, 'a'), to('t', 0, 'b')] })
    await changed
    for (const streams of told) if (streams !== undefined) expect(streams).toEqual(['s', 't'])
    expect(told.length > 0).toBe(true)
    stop()
  })

  test('a watcher of one stream hears of what is appended to it, and stops by itself', async ({ store }) => {
    const heard: string[] = []
    const stops = ['s', 't', 's'].map((stream, index) =>
      store.watch((changed) => {
        if (changed?.has(stream) !== false) heard.push(`${stream}${index}`)
      }, stream),
    )
    stops[2]?.()
    for (const [after, stream] of (['s', 't', 's'] as const).entries()) {
      const changed = nextChange(store, stream)
      await store.append({ streams: [to(stream, after === 2 ? 1 : 0, after)] })
      await changed
    }
    for (const stop of stops) stop()
    for (const each of ['s0', 't1']) expect(heard.includes(each)).toBe(true)
    expect(heard.includes('s2')).toBe(false)
  })

  test('what was appended is there in a second store at once, and its watcher hears of it', async (place) => {
    const second = await place.second?.()
    if (second === undefined) return
    const changed = nextChange(second)
    await place.store.append({ streams: [to('s', 0, 'a')], rows: [row('r')], uniqueKeys: ['k'] })
    await place.store.acquireLease('s', 'ann', 100, 0)
    expect(await outputs(second, 's')).toEqual(['a'])
    expect(await second.list({ kind: 'ticket' })).toEqual([row('r')])
    expect(await second.append({ streams: [], uniqueKeys: ['k'] })).toEqual({ ok: false, conflict: 'unique' })
    expect(await second.acquireLease('s', 'bob', 100, 0)).toBe(undefined)
    await changed
    await second.close()
  })

  test('everything is there after closing and opening again', async ({ store, reopen }) => {
    if (reopen === undefined) return
    await store.append({ streams: [to('s', 0, 2n ** 80n)], rows: [row('r')], uniqueKeys: ['k'] })
    const digest = await store.putBlob('s', Uint8Array.of(7))
    const lease = await store.acquireLease('s', 'ann', 100, 0)
    await store.close()
    const again = await reopen()
    expect(await outputs(again, 's')).toEqual([2n ** 80n])
    expect(await again.list({ kind: 'ticket' })).toEqual([row('r')])
    expect([...((await again.getBlob('s', digest)) ?? [])]).toEqual([7])
    expect(await again.readLease('s')).toEqual(lease)
    const refused = await again.append({ streams: [to('s', 1, 1)], uniqueKeys: ['k'] })
    expect(refused).toEqual({ ok: false, conflict: 'unique' })
    expect(await again.append({ streams: [to('s', 1, 1)] })).toEqual({ ok: true })
    await again.close()
  })

  test('closing waits for what was begun, and may be done twice', async ({ store }) => {
    const begun = [store.append({ streams: [to('s', 0, 'a')] }), store.append({ streams: [to('s', 1, 'b')] })]
    await Promise.all([store.close(), store.close()])
    expect(await Promise.all(begun)).toEqual([{ ok: true }, { ok: true }])
    await store.close()
  })

  test('a closed store refuses every use by its code', async ({ store }) => {
    store.watch(() => {})
    await store.close()
    const uses: (() => Promise<unknown>)[] = [
      () => store.append({ streams: [] }),
      () => store.read('s'),
      () => store.list({ kind: 'run' }),
      () => store.putBlob('s', new Uint8Array()),
      () => store.getBlob('s', ''),
      () => store.acquireLease('s', 'ann', 1, 0),
      () => store.readLease('s'),
      () => store.removeStream({ stream: 's', epoch: 1 }),
      () => store.releaseLease({ stream: 's', epoch: 1 }),
      async () => store.watch(() => {}),
    ]
    for (const use of uses) expect(await codeOf(use())).toBe('STORE_CLOSED')
  })
}

function nextChange(store: Store, stream?: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop()
      resolve()
    }, stream)
  })
}
