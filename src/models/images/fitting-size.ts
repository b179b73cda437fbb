/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** How large an image may be: its longer side, and the squares of 32 by 32 pixels that models cut it into. */
export interface SizeBounds {
  readonly sideMax: number
  readonly patchesMax: number
}

const patchSide = 32

/** The squares that a model cuts an image into; a model pays for each. */
export function patchesOf(width: number, height: number): number {
  return Math.ceil(width / patchSide) * Math.ceil(height / patchSide)
}

export function fits({ width, height }: Size, { sideMax, patchesMax }: SizeBounds): boolean {
  return Math.max(width, height) <= sideMax && patchesOf(width, height) <= patchesMax
}

/** The largest size of the same shape that fits: the size itself when it does. */
export function fittingSize(size: Size, bounds: SizeBounds): Size {
  if (fits(size, bounds)) return size
  const { width, height } = size
  const bySide = bounds.sideMax / Math.max(width, height)
  const byArea = Math.sqrt((bounds.patchesMax * patchSide ** 2) / (width * height))
  const isWide = width >= height
  const longer = Math.max(width, height)
  // The area says where to begin; a row of squares that are cut by the edge may still be too much.
  for (let side = Math.ceil(longer * Math.min(1, bySide, byArea)); side > 1; side -= 1) {
    const shorter = Math.max(1, Math.round((Math.min(width, height) * side) / longer))
    const scaled = isWide ? { width: side, height: shorter } : { width: shorter, height: side }
    if (fits(scaled, bounds)) return scaled
  }
  return { width: 1, height: 1 }
}
