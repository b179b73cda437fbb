import { digestBytes } from '../../core/json/digest.ts'
import type { Suite } from './place.ts'

export function testBlobs({ api: { expect }, test }: Suite): void {
  test('bytes are kept under their digest, also none and many', async ({ store }) => {
    const many = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
    for (const bytes of [new Uint8Array(), Uint8Array.of(0, 255, 10, 0), many]) {
      const digest = await store.putBlob('s', bytes)
      expect(digest).toBe(digestBytes(bytes))
      const found = await store.getBlob('s', digest)
      expect([found?.length, found && digestBytes(found)]).toEqual([bytes.length, digest])
    }
  })

  test('the same bytes have the same digest, and a digest that nobody put has nothing', async ({ store }) => {
    const [one, two] = await Promise.all([
      store.putBlob('s', Uint8Array.of(1)),
      store.putBlob('s', Uint8Array.of(1)),
    ])
    expect(one).toBe(two)
    expect(await store.getBlob('s', digestBytes(Uint8Array.of(2)))).toBe(undefined)
  })

  test('bytes that are changed before or after they are kept do not change what is kept', async ({
    store,
  }) => {
    const bytes = Uint8Array.of(1, 2, 3)
    const put = store.putBlob('s', bytes)
    bytes[0] = 9
    const digest = await put
    const found = await store.getBlob('s', digest)
    if (found !== undefined) found[1] = 9
    expect([...((await store.getBlob('s', digest)) ?? [])]).toEqual([1, 2, 3])
  })

  test('a stream gets only the bytes that it holds', async ({ store }) => {
    const digest = await store.putBlob('s', Uint8Array.of(7))
    expect(await store.getBlob('other', digest)).toBe(undefined)
    await store.putBlob('other', Uint8Array.of(7))
    expect([...((await store.getBlob('other', digest)) ?? [])]).toEqual([7])
  })
}
