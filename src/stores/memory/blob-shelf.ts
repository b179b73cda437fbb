import { digestBytes } from '../../core/json/digest.ts'

interface Kept {
  readonly bytes: Uint8Array
  readonly holders: Set<string>
}

/** The blobs of a memory store: each kept once, for as long as a stream holds it. */
export class BlobShelf {
  private readonly kept = new Map<string, Kept>()

  put(stream: string, bytes: Uint8Array): string {
    const digest = digestBytes(bytes)
    const known = this.kept.get(digest)
    if (known === undefined)
      this.kept.set(digest, { bytes: new Uint8Array(bytes), holders: new Set([stream]) })
    else known.holders.add(stream)
    return digest
  }

  get(stream: string, digest: string): Uint8Array | undefined {
    const known = this.kept.get(digest)
    return known?.holders.has(stream) ? new Uint8Array(known.bytes) : undefined
  }

  removeOf(stream: string): void {
    for (const [digest, { holders }] of this.kept) {
      if (holders.delete(stream) && holders.size === 0) this.kept.delete(digest)
    }
  }
}
