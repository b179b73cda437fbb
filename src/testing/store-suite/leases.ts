import type { Append } from '../../core/store.ts'
import type { Suite } from './place.ts'
import { sequences, to } from './samples.ts'

function claim(stream: string, epoch: number, after = 0): Append {
  return { streams: [to(stream, after, epoch)], lease: { stream, epoch } }
}

const lost = { ok: false, conflict: 'lease' }

export function testLeases({ api: { expect }, test }: Suite): void {
  test('a lease goes to the first who asks, and is kept from others until it runs out', async ({ store }) => {
    const first = await store.acquireLease('s', 'ann', 100, 1_000)
    expect(first).toEqual({ stream: 's', epoch: 1, owner: 'ann', expiresAt: 1_100 })
    expect(await store.acquireLease('s', 'bob', 100, 1_099)).toBe(undefined)
    const second = await store.acquireLease('s', 'bob', 100, 1_100)
    expect(second).toEqual({ stream: 's', epoch: 2, owner: 'bob', expiresAt: 1_200 })
    expect(await store.acquireLease('s', 'ann', 100, 1_150)).toBe(undefined)
  })

  test('the same owner renews without a new epoch, also after the lease ran out', async ({ store }) => {
    await store.acquireLease('s', 'ann', 100, 0)
    const renewed = { stream: 's', epoch: 1, owner: 'ann' }
    expect(await store.acquireLease('s', 'ann', 100, 50)).toEqual({ ...renewed, expiresAt: 150 })
    expect(await store.acquireLease('s', 'ann', 100, 900)).toEqual({ ...renewed, expiresAt: 1_000 })
  })

  test('the epoch outlives a release', async ({ store }) => {
    await store.acquireLease('s', 'ann', 100, 0)
    await store.releaseLease({ stream: 's', epoch: 1 })
    expect((await store.acquireLease('s', 'bob', 100, 1))?.epoch).toBe(2)
    await store.releaseLease({ stream: 's', epoch: 2 })
    expect((await store.acquireLease('s', 'bob', 100, 2))?.epoch).toBe(3)
  })

  test('a release by somebody who lost the lease ends nothing', async ({ store }) => {
    await store.acquireLease('s', 'ann', 100, 0)
    await store.acquireLease('s', 'bob', 100, 100)
    await store.releaseLease({ stream: 's', epoch: 1 })
    await store.releaseLease({ stream: 'never leased', epoch: 1 })
    expect(await store.acquireLease('s', 'ann', 100, 150)).toBe(undefined)
    expect(await store.append(claim('s', 2))).toEqual({ ok: true })
  })

  test('the newest lease can be read, in force or not', async ({ store }) => {
    expect(await store.readLease('s')).toBe(undefined)
    const taken = await store.acquireLease('s', 'ann', 100, 0)
    expect(await store.readLease('s')).toEqual(taken)
    await store.releaseLease({ stream: 's', epoch: 1 })
    const released = await store.readLease('s')
    expect([released?.owner, released?.epoch]).toEqual(['ann', 1])
  })

  test('leases of several streams know nothing of each other', async ({ store }) => {
    await store.acquireLease('a', 'ann', 100, 0)
    expect(await store.acquireLease('b', 'bob', 100, 0)).toEqual({
      stream: 'b',
      epoch: 1,
      owner: 'bob',
      expiresAt: 100,
    })
    await store.append(claim('a', 1))
    expect(await store.append({ ...claim('a', 1, 1), lease: { stream: 'c', epoch: 1 } })).toEqual(lost)
  })

  test('a claim holds with the lease in force and with no other', async ({ store }) => {
    expect(await store.append(claim('s', 1))).toEqual(lost)
    await store.acquireLease('s', 'ann', 100, 0)
    expect(await store.append(claim('s', 2))).toEqual(lost)
    expect(await store.append(claim('s', 1))).toEqual({ ok: true })
    await store.releaseLease({ stream: 's', epoch: 1 })
    expect(await store.append(claim('s', 1, 1))).toEqual(lost)
    expect(await sequences(store, 's')).toEqual([1])
  })

  test('after a takeover the old owner can no longer claim, but can still write facts', async ({ store }) => {
    await store.acquireLease('s', 'ann', 100, 0)
    await store.acquireLease('s', 'bob', 100, 100)
    expect(await store.append(claim('s', 1))).toEqual(lost)
    expect(await store.append(claim('s', 2))).toEqual({ ok: true })
    expect(await store.append({ streams: [to('s', 1, 'a fact')] })).toEqual({ ok: true })
  })

  test('of many who ask at once exactly one gets the lease', async ({ store }) => {
    const owners = Array.from({ length: 10 }, (_, index) => `owner ${index}`)
    const leases = await Promise.all(owners.map((owner) => store.acquireLease('s', owner, 100, 0)))
    expect(leases.filter((lease) => lease !== undefined).length).toBe(1)
  })
}
