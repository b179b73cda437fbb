const chunkBytes = 8_192

/** The base64 text (RFC 4648, section 4) of bytes. `Uint8Array.prototype.toBase64` is not everywhere yet. */
export function base64Of(bytes: Uint8Array): string {
  let binary = ''
  // A chunk becomes arguments of one call, and an engine bounds those.
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkBytes))
  }
  return btoa(binary)
}
