import { availableParallelism } from 'node:os'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { Semaphore } from '../semaphore.ts'

/** Pixels of a picture, all its frames together. */
const maxPixels = 40_000_000
const maxFrames = 100
/** Seconds that one picture may take. */
const timeout = 5

/**
 * Pictures that are decoded; what the decoder calls them. Others are kept as they are: SVG, because
 * drawing it would mean following it, and AVIF, which takes a second and a gigabyte for a photo.
 */
const formats: Readonly<Record<string, { name: string; extensions: readonly string[] }>> = {
  'image/jpeg': { name: 'jpeg', extensions: ['.jpg', '.jpeg', '.jpe', '.jfif'] },
  'image/png': { name: 'png', extensions: ['.png'] },
  'image/webp': { name: 'webp', extensions: ['.webp'] },
  'image/gif': { name: 'gif', extensions: ['.gif'] },
}

/** A picture that is not taken; the message is a sentence for whoever sent it. */
export class PictureError extends Error {
  override name = 'PictureError'
}

/** What of a picture a thumb shows; see {@link parseThumb}. */
interface ThumbSize {
  /** Pixels; 0 follows from the other side. */
  width: number
  height: number
  fit: 'cover' | 'inside'
  /** Which part stays when a picture is cut to fit. */
  position: 'centre' | 'top' | 'bottom'
}

/**
 * Pixels drawn at the same time, as each needs memory: small pictures as many as there are
 * processors, the biggest alone. Behind them is room for a rush of uploads.
 */
const pool = new Semaphore(maxPixels, 50)
const weightAtLeast = maxPixels / availableParallelism()

/** @returns whether the type is a picture that is decoded */
export function isPicture(mime: string): boolean {
  return Object.hasOwn(formats, mime)
}

/** @returns the extensions a picture may have, the usual one first; none for other types */
export function pictureExtensions(mime: string): readonly string[] {
  return formats[mime]?.extensions ?? []
}

/**
 * Draws a picture anew: upright, in sRGB, and without anything that was in the file beside it, such
 * as where it was taken, a text for another program, or an attack on one.
 *
 * @throws PictureError if it is not what it claims to be, damaged or too big
 */
export async function reencodePicture(bytes: Uint8Array, mime: string): Promise<Uint8Array> {
  const animated = mime === 'image/gif' || mime === 'image/webp'
  const metadata = await readHeader(bytes, mime, animated)
  return draw(bytes, mime, metadata, animated, (picture) =>
    // Frames cannot be turned; no camera takes animations that would have to be.
    animated && (metadata.pages ?? 1) > 1 ? picture : picture.autoOrient(),
  )
}

/** @throws PictureError if the picture cannot be read */
export async function makeThumb(
  bytes: Uint8Array,
  mime: string,
  { width, height, fit, position }: ThumbSize,
): Promise<Uint8Array> {
  const metadata = await readHeader(bytes, mime, false)
  return draw(bytes, mime, metadata, false, (picture) =>
    picture.autoOrient().resize({
      ...(width && { width }),
      ...(height && { height }),
      fit,
      position,
      withoutEnlargement: fit === 'inside',
    }),
  )
}

/**
 * The forms of a thumb: `WxH` fills and cuts at the centre, `WxHt` and `WxHb` keep the top or the
 * bottom, `WxHf` fits inside and never enlarges, `0xH` and `Wx0` keep the ratio.
 *
 * @returns null for what is none of them
 */
export function parseThumb(text: string): ThumbSize | null {
  const [, w, h, letter] = /^(\d{1,4})x(\d{1,4})([tbf]?)$/.exec(text) ?? []
  const [width, height] = [Number(w), Number(h)]
  if (!(width || height)) return null
  const fit = letter === 'f' ? 'inside' : 'cover'
  const position = letter === 't' ? 'top' : letter === 'b' ? 'bottom' : 'centre'
  return { width, height, fit, position }
}

/** Loaded with the first picture: most starts never need it. */
let loading: Promise<(input: Uint8Array, options: SharpOptions) => Sharp> | undefined

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  // Only the formats above, so that no other decoder ever sees what a stranger sent.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
  })
  return sharp
}

/** @throws PictureError if it is not of the type, or more than is taken */
async function readHeader(bytes: Uint8Array, mime: string, animated: boolean): Promise<Metadata> {
  const open = await (loading ??= load())
  const metadata = await open(bytes, { limitInputPixels: false }).metadata().catch(damaged)
  if (metadata.format !== formats[mime]?.name) throw damagedError()
  if (animated && (metadata.pages ?? 1) > maxFrames)
    throw new PictureError(`The picture has more than ${maxFrames} frames.`)
  if (pixelsOf(metadata, animated) > maxPixels)
    throw new PictureError(`The picture has more than ${maxPixels / 1_000_000} million pixels.`)
  return metadata
}

function pixelsOf({ width, height, pages = 1 }: Metadata, animated: boolean): number {
  return width * height * (animated ? pages : 1)
}

async function draw(
  bytes: Uint8Array,
  mime: string,
  metadata: Metadata,
  animated: boolean,
  change: (picture: Sharp) => Sharp,
): Promise<Uint8Array> {
  const open = await (loading ??= load())
  const options = { animated, failOn: 'error', limitInputPixels: maxPixels } as const
  const weight = Math.max(pixelsOf(metadata, animated), weightAtLeast)
  return pool.run(weight, () =>
    encode(change(open(bytes, options)), mime, metadata)
      .timeout({ seconds: timeout })
      .toBuffer()
      .catch(damaged),
  )
}

/** No loss that the eye finds: this is the picture its owner keeps. */
function encode(picture: Sharp, mime: string, { isPalette, width, height }: Metadata): Sharp {
  switch (mime) {
    case 'image/jpeg':
      // Saves a tenth of the size, for which the encoder holds the whole picture in memory.
      return picture.jpeg({ quality: 85, optimiseCoding: width * height < 4_000_000 })
    case 'image/png':
      return picture.png({ compressionLevel: 6, palette: isPalette })
    case 'image/webp':
      return picture.webp({ quality: 90, effort: 2 })
    default:
      return picture.gif({ effort: 3 })
  }
}

function damaged(cause: unknown): never {
  throw damagedError(cause)
}

function damagedError(cause?: unknown): PictureError {
  return new PictureError('The picture is damaged or isn’t the format its name says.', { cause })
}
