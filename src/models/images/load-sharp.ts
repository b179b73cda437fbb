/** What of the package `sharp` is used here, by shape: it is optional, so its types may not be there. */
export interface SharpImage {
  metadata(): Promise<ImageFacts>
  rotate(): SharpImage
  resize(options: { width: number; height: number; fit: 'fill' }): SharpImage
  keepIccProfile(): SharpImage
  flatten(options: { background: string }): SharpImage
  jpeg(options: { quality: number }): SharpImage
  webp(options: { lossless: boolean }): SharpImage
  png(): SharpImage
  timeout(options: { seconds: number }): SharpImage
  toBuffer(): Promise<Uint8Array>
}

/** What is known of an image after its header was read. */
export interface ImageFacts {
  readonly format?: string
  readonly width?: number
  readonly height?: number
  /** EXIF's number, 1 to 8; from 5 on the sides are swapped. */
  readonly orientation?: number
  /** Frames, of an animation. */
  readonly pages?: number
  readonly exif?: unknown
  readonly xmp?: unknown
  readonly iptc?: unknown
  readonly comments?: unknown
}

/** The package itself: it opens an image. */
export type Sharp = (bytes: Uint8Array, options: { limitInputPixels: number; failOn: 'error' }) => SharpImage

/** Not as a literal: a bundler for a browser must not look for it. */
const packageName: string = 'sharp'

let loading: Promise<Sharp | undefined> | undefined

/** The package `sharp`, where it is installed and runs; undefined in a browser. */
export function loadSharp(): Promise<Sharp | undefined> {
  loading ??= import(/* @vite-ignore */ packageName).then(
    ({ default: sharp }: { default?: unknown }) =>
      typeof sharp === 'function' ? (sharp as Sharp) : undefined,
    () => undefined,
  )
  return loading
}
