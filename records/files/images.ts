import { availableParallelism } from 'node:os'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { Semaphore } from '../limits/semaphore.ts'
import { isWholeGif } from './gif.ts'

/** Pixels of a picture, over all its frames. */
const maxPixels = 40_000_000
const maxFrames = 100
/** Seconds that one picture may take to process. */
const timeout = 5

/**
 * Pictures that are decoded, with the decoder's names for them. Others are stored as they are: SVG,
 * because rendering it could load what it refers to, and AVIF, which takes a second and a gigabyte
 * for a photo.
 */
const formats: Readonly<Record<string, { name: string; extensions: readonly string[] }>> = {
  'image/jpeg': { name: 'jpeg', extensions: ['.jpg', '.jpeg', '.jpe', '.jfif'] },
  'image/png': { name: 'png', extensions: ['.png'] },
  'image/webp': { name: 'webp', extensions: ['.webp'] },
  'image/gif': { name: 'gif', extensions: ['.gif'] },
}

/** A picture that is refused. The message is a sentence for the user. */
export class PictureError extends Error {
  override name = 'PictureError'
  /** For clients in other languages: which limit it exceeds. */
  readonly params: { rule: string; max: number } | undefined

  constructor(message: string, params?: { rule: string; max: number }, cause?: unknown) {
    super(message, { cause })
    this.params = params
  }
}

/** A thumb's size and crop; see {@link parseThumb}. */
interface ThumbSize {
  /** Pixels; 0 derives it from the other side. */
  width: number
  height: number
  fit: 'cover' | 'inside'
  /** The part that stays when the picture is cropped. */
  position: 'centre' | 'top' | 'bottom'
}

/**
 * Limits the pixels processed at the same time, to bound memory: as many small pictures as there
 * are processors, or one of the largest. Up to 50 more pictures may wait.
 */
const pool = new Semaphore(maxPixels, 50)
const weightAtLeast = maxPixels / availableParallelism()

/** @returns whether the type is a picture that can be decoded */
export function isPicture(mime: string): boolean {
  return Object.hasOwn(formats, mime)
}

/** @returns the extensions a picture may have, the usual one first; empty for other types */
export function pictureExtensions(mime: string): readonly string[] {
  return formats[mime]?.extensions ?? []
}

/**
 * Re-encodes a picture: upright, in sRGB, and without anything else in the file, such as its
 * location, text meant for another program, or an attack on one.
 *
 * @throws PictureError if it is damaged, too large, or not of its type
 */
export async function reencodePicture(bytes: Uint8Array, mime: string): Promise<Uint8Array> {
  const animated = mime === 'image/gif' || mime === 'image/webp'
  const metadata = await readHeader(bytes, mime, animated)
  return draw(bytes, mime, metadata, animated, (picture) =>
    // Animations can't be rotated, and no camera takes one that would need it.
    animated && (metadata.pages ?? 1) > 1 ? picture : picture.autoOrient(),
  )
}

/** @throws PictureError if the picture can't be read */
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
 * Parses a thumb's size: `WxH` fills it and crops to the centre, `WxHt` and `WxHb` crop to the top
 * or the bottom, `WxHf` fits inside and never enlarges, `0xH` and `Wx0` keep the ratio.
 *
 * @returns null for anything else
 */
export function parseThumb(text: string): ThumbSize | null {
  const [, w, h, letter] = /^(\d{1,4})x(\d{1,4})([tbf]?)$/.exec(text) ?? []
  const [width, height] = [Number(w), Number(h)]
  if (!(width || height)) return null
  const fit = letter === 'f' ? 'inside' : 'cover'
  const position = letter === 't' ? 'top' : letter === 'b' ? 'bottom' : 'centre'
  return { width, height, fit, position }
}

/** Loaded on first use: most processes never need it. */
let loading: Promise<(input: Uint8Array, options: SharpOptions) => Sharp> | undefined

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  // Block all other decoders, so that none ever gets a stranger's file.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
  })
  return sharp
}

/** @throws PictureError if it is not of the type, or exceeds a limit */
async function readHeader(bytes: Uint8Array, mime: string, animated: boolean): Promise<Metadata> {
  const open = await (loading ??= load())
  const metadata = await open(bytes, { limitInputPixels: false }).metadata().catch(damaged)
  if (metadata.format !== formats[mime]?.name) throw damagedError()
  if (mime === 'image/gif' && !isWholeGif(bytes)) throw damagedError()
  if (animated && (metadata.pages ?? 1) > maxFrames)
    throw new PictureError(`The picture has more than ${maxFrames} frames.`, {
      rule: 'pictureFrames',
      max: maxFrames,
    })
  if (pixelsOf(metadata, animated) > maxPixels) {
    const max = maxPixels / 1_000_000
    throw new PictureError(`The picture has more than ${max} million pixels.`, {
      rule: 'picturePixels',
      max,
    })
  }
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

/** Encodes without visible loss, as this is the only copy its owner keeps. */
function encode(picture: Sharp, mime: string, { isPalette, width, height }: Metadata): Sharp {
  switch (mime) {
    case 'image/jpeg':
      // Saves a tenth of the size, but the encoder holds the whole picture in memory.
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
  const message = 'The picture is damaged or isn’t the format its name says.'
  return new PictureError(message, undefined, cause)
}
