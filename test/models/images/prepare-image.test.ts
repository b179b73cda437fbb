import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fits, fittingSize, patchesOf } from '../../../src/models/images/fitting-size.ts'
import { imageSize } from '../../../src/models/images/image-size.ts'
import { mediaTypeOf } from '../../../src/models/images/media-type-of.ts'
import { prepareImage } from '../../../src/models/images/prepare-image.ts'

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif'

/** An image of one colour, or of noise, which no format makes small. */
async function picture(
  width: number,
  height: number,
  format: Format = 'png',
  { noise = false }: { noise?: boolean } = {},
): Promise<Uint8Array> {
  const background = { r: 200, g: 40, b: 40 }
  const create = { width, height, channels: 3 as const, background }
  const noisy = { ...create, noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } }
  return new Uint8Array(
    await sharp({ create: noise ? noisy : create })
      [format]()
      .toBuffer(),
  )
}

const withoutSharp = async () => undefined

describe('the size that an image is brought to', () => {
  const high = { sideMax: 2_048, patchesMax: 2_500 }
  const original = { sideMax: 6_000, patchesMax: 10_000 }

  test.each([
    [
      'a square that has too many squares',
      { width: 2_048, height: 2_048 },
      high,
      { width: 1_600, height: 1_600 },
    ],
    ['a strip that is too long', { width: 6_401, height: 100 }, original, { width: 6_000, height: 94 }],
    [
      'a square one pixel too large',
      { width: 3_201, height: 3_201 },
      original,
      { width: 3_200, height: 3_200 },
    ],
    ['one that fits', { width: 640, height: 480 }, high, { width: 640, height: 480 }],
    ['a line', { width: 1, height: 90_000 }, high, { width: 1, height: 2_048 }],
  ])('is that of the table, for %s', (_what, size, bounds, expected) => {
    expect(fittingSize(size, bounds)).toEqual(expected)
  })

  test('fits always, keeps its shape, and could not be much larger', () => {
    const side = fc.integer({ min: 1, max: 12_000 })
    const property = fc.property(side, side, fc.constantFrom(high, original), (width, height, bounds) => {
      const found = fittingSize({ width, height }, bounds)
      expect(fits(found, bounds)).toBe(true)
      if (fits({ width, height }, bounds)) {
        expect(found).toEqual({ width, height })
        return
      }
      const scale = Math.max(found.width, found.height) / Math.max(width, height)
      expect(Math.abs(found.width - width * scale)).toBeLessThanOrEqual(1)
      expect(Math.abs(found.height - height * scale)).toBeLessThanOrEqual(1)
      const isNearBound =
        Math.max(found.width, found.height) >= bounds.sideMax * 0.98 ||
        patchesOf(found.width, found.height) >= bounds.patchesMax * 0.85
      expect(isNearBound).toBe(true)
    })
    fc.assert(property)
  })
})

describe('the header of an image', () => {
  test.each(['png', 'jpeg', 'gif', 'webp'] as const)('says the size of %s', async (format) => {
    const bytes = await picture(301, 47, format)
    expect(mediaTypeOf(bytes)).toBe(`image/${format}`)
    expect(imageSize(bytes)).toEqual({ width: 301, height: 47 })
  })

  test('says the size of WebP without loss and with transparency too', async () => {
    const create = {
      width: 33,
      height: 70,
      channels: 4 as const,
      background: { r: 1, g: 2, b: 3, alpha: 0.5 },
    }
    const lossless = new Uint8Array(await sharp({ create }).webp({ lossless: true }).toBuffer())
    const extended = new Uint8Array(await sharp({ create }).webp().toBuffer())
    expect([imageSize(lossless), imageSize(extended)]).toEqual([
      { width: 33, height: 70 },
      { width: 33, height: 70 },
    ])
  })

  test('is read without a fault whatever the bytes are', async () => {
    const real = await Promise.all(
      (['png', 'jpeg', 'gif', 'webp'] as const).map((format) => picture(9, 9, format)),
    )
    const cut = fc.tuple(fc.constantFrom(...real), fc.nat(200)).map(([bytes, end]) => bytes.subarray(0, end))
    const property = fc.property(fc.oneof(cut, fc.uint8Array({ maxLength: 64 })), (bytes) => {
      const size = imageSize(bytes)
      if (size !== undefined) expect(size.width > 0 && size.height > 0).toBe(true)
    })
    fc.assert(property)
  })
})

describe('an image that is sent', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('passes as it is when it fits: %s', async (format) => {
    const bytes = await picture(640, 480, format)
    expect(await prepareImage(bytes)).toEqual({
      bytes,
      mediaType: `image/${format}`,
      width: 640,
      height: 480,
    })
  })

  test('is made smaller when it is too large, and less so when it is to stay original', async () => {
    const bytes = await picture(2_048, 2_048, 'jpeg')
    const high = await prepareImage(bytes)
    expect({ ...high, bytes: imageSize(high.bytes) }).toEqual({
      bytes: { width: 1_600, height: 1_600 },
      mediaType: 'image/jpeg',
      width: 1_600,
      height: 1_600,
    })
    expect(await prepareImage(bytes, 'original')).toMatchObject({ bytes, width: 2_048 })
  })

  test.each(['gif', 'tiff', 'avif'] as const)('of another format becomes PNG: %s', async (format) => {
    const { bytes, mediaType, width, height } = await prepareImage(await picture(40, 30, format))
    expect([mediaType, mediaTypeOf(bytes), width, height]).toEqual(['image/png', 'image/png', 40, 30])
  })

  test('is turned upright, and says nothing of where and when it was taken', async () => {
    const jpeg = sharp(await picture(60, 20, 'jpeg'))
    const taken = new Uint8Array(
      await jpeg
        .withExif({ IFD0: { Copyright: 'Ann', Make: 'Camera' } })
        .withMetadata({ orientation: 6 })
        .toBuffer(),
    )
    const { bytes, width, height } = await prepareImage(taken)
    expect([width, height]).toEqual([20, 60])
    const { exif, orientation, ...facts } = await sharp(bytes).metadata()
    expect([exif, orientation, facts.width, facts.height]).toEqual([undefined, undefined, 20, 60])
    expect(Buffer.from(bytes).includes('Camera')).toBe(false)
  })

  test('that stays too many bytes becomes a JPEG', async () => {
    const bytes = await picture(1_500, 1_500, 'png', { noise: true })
    expect(bytes.length).toBeGreaterThan(3_750_000)
    const sent = await prepareImage(bytes)
    expect(sent.mediaType).toBe('image/jpeg')
    expect(sent.bytes.length).toBeLessThanOrEqual(3_750_000)
  })

  test('that would unfold to gigabytes is refused before it is decoded', async () => {
    const bomb = await picture(8, 8)
    new DataView(bomb.buffer).setUint32(16, 60_000)
    new DataView(bomb.buffer).setUint32(20, 60_000)
    const neverLoaded = () => Promise.reject(new Error('It was going to be decoded.'))
    await expect(prepareImage(bomb, 'high', neverLoaded)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('60000 x 60000'),
    })
  })

  test('that is cut or broken is refused', async () => {
    const whole = await picture(400, 400, 'png', { noise: true })
    const jpeg = await picture(400, 400, 'jpeg', { noise: true })
    for (const bytes of [
      whole.subarray(0, 5_000),
      whole.subarray(0, 20),
      jpeg.subarray(0, jpeg.length / 2),
    ]) {
      await expect(prepareImage(bytes)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    }
  })

  test('that is none is refused', async () => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
    for (const bytes of [svg, new Uint8Array(), new TextEncoder().encode('%PDF-1.7')]) {
      await expect(prepareImage(bytes)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    }
  })

  test('passes as it is without sharp when it fits, and is refused with what to install when it does not', async () => {
    const small = await picture(640, 480, 'gif')
    expect(await prepareImage(small, 'high', withoutSharp)).toMatchObject({
      bytes: small,
      mediaType: 'image/gif',
    })
    for (const bytes of [await picture(2_048, 2_048), await picture(10, 10, 'tiff')]) {
      await expect(prepareImage(bytes, 'high', withoutSharp)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('install sharp'),
      })
    }
  })
})
