import fc from 'fast-check'

/** Bytes, cut anywhere, also into nothing. */
export function chunksOf(bytes: Uint8Array): fc.Arbitrary<readonly Uint8Array[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 12 }).map((cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
    return places.slice(1).map((end, index) => bytes.slice(places[index], end))
  })
}
