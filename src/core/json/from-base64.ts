/**
 * The bytes of a base64 text (RFC 4648, section 4); undefined when it is none. White space is passed over.
 * `Uint8Array.fromBase64` is not everywhere yet.
 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  let binary: string
  try {
    binary = atob(text)
  } catch {
    return undefined
  }
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return bytes
}
