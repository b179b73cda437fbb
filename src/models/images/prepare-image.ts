import { ToolpostError } from '../../core/error.ts'
import type { ImageDetail } from '../../core/input-part.ts'
import { limits } from '../../core/limits.ts'
import { messageOf } from '../../core/message-of.ts'
import { fits, fittingSize, type Size, type SizeBounds } from './fitting-size.ts'
import { imageSize } from './image-size.ts'
import { type ImageFacts, loadSharp, type Sharp, type SharpImage } from './load-sharp.ts'
import { mediaTypeOf } from './media-type-of.ts'

/** An image as it can be sent. */
export interface PreparedImage extends Size {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

const boundsOf: Readonly<Record<ImageDetail, SizeBounds>> = {
  high: { sideMax: limits.imageSideMax, patchesMax: limits.imagePatchesMax },
  original: { sideMax: limits.imageOriginalSideMax, patchesMax: limits.imageOriginalPatchesMax },
}

/** Formats that every provider takes. */
const sentAsTheyAre: readonly unknown[] = ['png', 'jpeg', 'webp']

const jpegQuality = 85

/**
 * Makes an image such as providers take: turned upright, no larger than they look at, PNG, JPEG or WebP, without
 * what cameras write beside it (place, time, owner); its colour profile stays. One that is so already passes as it
 * is. Without `sharp` an image within the bounds passes as it is, and others are refused.
 *
 * Throws INVALID_ARGUMENT for what is no image, is too large, or cannot be read.
 */
export async function prepareImage(
  bytes: Uint8Array,
  detail: ImageDetail = 'high',
  load: () => Promise<Sharp | undefined> = loadSharp,
): Promise<PreparedImage> {
  const mediaType = mediaTypeOf(bytes)
  if (mediaType?.startsWith('image/') !== true)
    refuse('The image is no PNG, JPEG, WebP, GIF, TIFF or AVIF; its first bytes are of none of them.')
  const size = imageSize(bytes)
  if (size !== undefined && size.width * size.height > limits.imagePixelsMax)
    refuse(
      `The image has ${size.width} x ${size.height} pixels, more than ${limits.imagePixelsMax}; make it smaller.`,
    )
  const sharp = await load()
  if (sharp === undefined) return asItIs({ bytes, mediaType }, size, boundsOf[detail])
  try {
    return await fitted(sharp, { bytes, mediaType }, boundsOf[detail])
  } catch (error) {
    if (error instanceof ToolpostError) throw error
    refuse(`The image cannot be read: ${messageOf(error, 300)}`)
  }
}

type Given = Pick<PreparedImage, 'bytes' | 'mediaType'>

function asItIs(given: Given, size: Size | undefined, bounds: SizeBounds): PreparedImage {
  const isSmall = given.bytes.length <= limits.imageBytesMax
  if (size !== undefined && isSmall && fits(size, bounds)) return { ...given, ...size }
  const what =
    size === undefined
      ? `is one of ${given.mediaType}`
      : `has ${size.width} x ${size.height} pixels and ${given.bytes.length} bytes, more than ${bounds.sideMax} pixels a side, ${bounds.patchesMax} squares of 32 or ${limits.imageBytesMax} bytes`
  refuse(
    `The image ${what}, and the package "sharp", which would convert it, is not there; install sharp, or give a smaller PNG, JPEG, WebP or GIF.`,
  )
}

async function fitted(sharp: Sharp, given: Given, bounds: SizeBounds): Promise<PreparedImage> {
  const open = () =>
    sharp(given.bytes, { limitInputPixels: limits.imagePixelsMax, failOn: 'error' }).timeout({
      seconds: limits.imageSecondsMax,
    })
  const facts = await open().metadata()
  const size = uprightSize(facts)
  const target = fittingSize(size, bounds)
  const isSmall = given.bytes.length <= limits.imageBytesMax
  const isSame = target.width === size.width && target.height === size.height
  if (isSmall && isSame && isPlain(facts)) {
    // Read to its end: a file that is cut or broken is found out here and not by the provider.
    await open().resize({ width: 1, height: 1, fit: 'fill' }).png().toBuffer()
    return { ...given, ...size }
  }
  const scaled = () =>
    open()
      .rotate()
      .resize({ ...target, fit: 'fill' })
      .keepIccProfile()
  const { image, mediaType } = encoded(scaled(), facts.format)
  const bytes = await image.toBuffer()
  if (bytes.length <= limits.imageBytesMax) return { bytes, mediaType, ...target }
  const smaller = await scaled().flatten({ background: '#ffffff' }).jpeg({ quality: jpegQuality }).toBuffer()
  if (smaller.length <= limits.imageBytesMax) return { bytes: smaller, mediaType: 'image/jpeg', ...target }
  refuse(
    `The image has ${smaller.length} bytes when it is made as small as it may be, more than ${limits.imageBytesMax}; make it smaller.`,
  )
}

function encoded(image: SharpImage, format: string | undefined): { image: SharpImage; mediaType: string } {
  if (format === 'jpeg') return { image: image.jpeg({ quality: jpegQuality }), mediaType: 'image/jpeg' }
  if (format === 'webp') return { image: image.webp({ lossless: true }), mediaType: 'image/webp' }
  return { image: image.png(), mediaType: 'image/png' }
}

function uprightSize({ width = 0, height = 0, orientation = 1 }: ImageFacts): Size {
  if (width < 1 || height < 1) refuse('The image has no size.')
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** Upright, still, of a format that is sent, and with nothing beside the picture. */
function isPlain({ format, orientation = 1, pages = 1, exif, xmp, iptc, comments }: ImageFacts): boolean {
  const isBare = [exif, xmp, iptc, comments].every((each) => each === undefined)
  return isBare && orientation === 1 && pages === 1 && sentAsTheyAre.includes(format)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
