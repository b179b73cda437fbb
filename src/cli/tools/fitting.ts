/** Bytes of a result's list: with what surrounds it, the result stays below what a model is given whole. */
export const listBytesMax = 20_000

/** As many of the first items as fit into `bytesMax` as text; one at least, so that a reader always gets on. */
export function fitting<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  bytesMax = listBytesMax,
): readonly Item[] {
  let bytes = 0
  const count = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(textOf(item))
    return bytes > bytesMax && index > 0
  })
  return count < 0 ? items : items.slice(0, count)
}
