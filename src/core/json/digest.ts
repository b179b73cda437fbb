import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from './canonical.ts'

/**
 * The digest of a JSON value: `sha256:` and the lower-case hex of SHA-256 over the UTF-8 bytes of its canonical text.
 * Key order and escapes do not matter, every value does. Throws what `canonicalJson` throws.
 */
export function digestOf(value: unknown): string {
  return digestBytes(utf8ToBytes(canonicalJson(value)))
}

/** The digest of bytes: `sha256:` and the lower-case hex of their SHA-256. */
export function digestBytes(bytes: Uint8Array): string {
  return `sha256:${bytesToHex(sha256(bytes))}`
}
