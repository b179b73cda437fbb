import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { canonicalJson } from './canonical.ts'

/** One hash serves all, begun anew each time: to make one costs as much as to hash a short text. */
const hash = sha256.create()
const unused = sha256.create()
const hashBytes = new Uint8Array(unused.outputLen)

const encoder = new TextEncoder()
/** Most texts are short: their bytes lie here while they are hashed, and no array is made for them. */
const shortBytes = new Uint8Array(4_096)

/**
 * The digest of a JSON value: `sha256:` and the lower-case hex of SHA-256 over the UTF-8 bytes of its canonical text.
 * Key order and escapes do not matter, every value does. Throws what `canonicalJson` throws.
 */
export function digestOf(value: unknown): string {
  return digestBytes(utf8(canonicalJson(value)))
}

/** The digest of bytes: `sha256:` and the lower-case hex of their SHA-256. */
export function digestBytes(bytes: Uint8Array): string {
  unused._cloneInto(hash).update(bytes).digestInto(hashBytes)
  return `sha256:${bytesToHex(hashBytes)}`
}

/** The bytes of a well-formed text, good until the next call. */
function utf8(text: string): Uint8Array {
  // A code unit takes at most three bytes.
  if (text.length * 3 > shortBytes.length) return encoder.encode(text)
  return shortBytes.subarray(0, encoder.encodeInto(text, shortBytes).written)
}
