import type { Size } from './fitting-size.ts'
import { mediaTypeOf, textAt } from './media-type-of.ts'

const readers: Readonly<Record<string, (view: DataView, bytes: Uint8Array) => Size | undefined>> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/**
 * The size of a PNG, JPEG, GIF or WebP image as its header says it, without decoding anything; undefined for what is
 * none of them or cannot be read. An orientation that the file asks for is not taken into account.
 */
export function imageSize(bytes: Uint8Array): Size | undefined {
  const read = readers[mediaTypeOf(bytes) ?? '']
  if (read === undefined) return undefined
  try {
    const size = read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes)
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    // A header that ends too early.
    return undefined
  }
}

/** The size stands in the segment that begins a frame; those before it are passed over. */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; at < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** SOF0 to SOF15, without the tables that are numbered among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function webpSize(view: DataView, bytes: Uint8Array): Size | undefined {
  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
    default:
      return undefined
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
