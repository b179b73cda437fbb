const signatures: readonly (readonly [mediaType: string, offset: number, text: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['application/pdf', 0, '%PDF-'],
]

/** What bytes are, by how they begin; undefined for what is not known. A name or a header says nothing. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  return signatures.find(([, offset, text]) => textAt(bytes, offset, text.length) === text)?.[0]
}

/** So many bytes from a place on, each as a character. */
export function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}
