import { bulkhead } from 'cockatiel'
import type { CoverWidth } from '#shared/cover.ts'

/** The formats for browsers, best first. */
export const coverFormats = ['avif', 'webp', 'jpeg'] as const
export type CoverFormat = (typeof coverFormats)[number]

const maxPixels = 40e6
/** The smallest side of a real picture; some catalogues send a pixel or two if they have none. */
const minPixels = 10
/** Limits concurrent drawing, which leaves a processor for everything else. */
export const drawingQueue = bulkhead(2, 500)

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  // Allow only these formats, so that no other decoder sees another site's data.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
  })
  return sharp
}
let loading: ReturnType<typeof load> | undefined

/** @returns sharp, loaded when first used */
export function loadSharp(): ReturnType<typeof load> {
  return (loading ??= load())
}

/** @returns whether the bytes are a picture that can be shown, judged by content */
export async function isPicture(bytes: Uint8Array): Promise<boolean> {
  const sharp = await loadSharp()
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata()
    return Math.min(width, height) >= minPixels && width * height <= maxPixels
  } catch {
    return false
  }
}

/**
 * @param width to scale down to; a smaller picture stays as it is
 * @throws if it is damaged or takes longer than five seconds
 */
export async function drawPicture(
  bytes: Uint8Array,
  width: CoverWidth,
  format: CoverFormat,
): Promise<Uint8Array> {
  const sharp = await loadSharp()
  return drawingQueue.execute(() => {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: 5 })
      .resize({ width, withoutEnlargement: true })
    if (format === 'avif') return picture.avif({ quality: 55, effort: 2 }).toBuffer()
    if (format === 'webp') return picture.webp({ quality: 80 }).toBuffer()
    return picture.flatten({ background: '#fff' }).jpeg({ quality: 84, mozjpeg: true }).toBuffer()
  })
}
