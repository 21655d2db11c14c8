import { availableParallelism } from 'node:os'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { Pool } from './pool.ts'

/** Pixels of a picture, all its frames together. */
const pixelsAtMost = 40_000_000
const framesAtMost = 100
/** Seconds that one picture may take. */
const timeout = 5

/** Pictures that are decoded; what the decoder calls them. SVG is none: it is never drawn here. */
const formats: Readonly<Record<string, { name: string; extensions: readonly string[] }>> = {
  'image/jpeg': { name: 'jpeg', extensions: ['.jpg', '.jpeg', '.jpe', '.jfif'] },
  'image/png': { name: 'png', extensions: ['.png'] },
  'image/webp': { name: 'webp', extensions: ['.webp'] },
  'image/gif': { name: 'gif', extensions: ['.gif'] },
  'image/avif': { name: 'heif', extensions: ['.avif'] },
}

/** A picture that is not taken; the message is a sentence for whoever sent it. */
export class PictureError extends Error {
  override name = 'PictureError'
}

/** What of a picture a thumb shows; see {@link parseThumb}. */
export interface ThumbForm {
  /** Pixels; 0 follows from the other side. */
  width: number
  height: number
  fit: 'cover' | 'inside'
  /** Which part stays when a picture is cut to fit. */
  position: 'centre' | 'top' | 'bottom'
}

/** At once as many as there are processors; behind them room for a rush of uploads. */
const pool = new Pool(availableParallelism(), 50)

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
export function cleanPicture(bytes: Uint8Array, mime: string): Promise<Uint8Array> {
  return pool.run(async () => {
    const animated = mime === 'image/gif' || mime === 'image/webp'
    const { picture, metadata } = await readPicture(bytes, mime, animated)
    // Frames cannot be turned; nobody's camera takes turned animations.
    const upright = (metadata.pages ?? 1) > 1 ? picture : picture.autoOrient()
    return draw(encode(upright, mime, metadata))
  })
}

/** @throws PictureError if the picture cannot be read */
export function makeThumb(bytes: Uint8Array, mime: string, form: ThumbForm): Promise<Uint8Array> {
  return pool.run(async () => {
    const { picture, metadata } = await readPicture(bytes, mime, false)
    const { fit, position } = form
    const thumb = picture.autoOrient().resize({
      ...(form.width && { width: form.width }),
      ...(form.height && { height: form.height }),
      fit,
      position,
      withoutEnlargement: fit === 'inside',
    })
    return draw(encode(thumb, mime, metadata))
  })
}

/**
 * The forms of a thumb: `WxH` fills and cuts at the centre, `WxHt` and `WxHb` keep the top or the
 * bottom, `WxHf` fits inside and never enlarges, `0xH` and `Wx0` keep the ratio.
 *
 * @returns null for what is none of them
 */
export function parseThumb(text: string): ThumbForm | null {
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
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
  })
  return sharp
}

async function readPicture(
  bytes: Uint8Array,
  mime: string,
  animated: boolean,
): Promise<{ picture: Sharp; metadata: Metadata }> {
  const open = await (loading ??= load())
  const options = { animated, failOn: 'error', limitInputPixels: pixelsAtMost } as const
  const metadata = await open(bytes, { ...options, animated: false, limitInputPixels: false })
    .metadata()
    .catch(damaged)
  if (metadata.format !== formats[mime]?.name) throw damagedError()
  const { width, height, pages = 1 } = metadata
  if (animated && pages > framesAtMost)
    throw new PictureError(`The picture has more than ${framesAtMost} frames.`)
  if (width * height * (animated ? pages : 1) > pixelsAtMost)
    throw new PictureError(`The picture has more than ${pixelsAtMost / 1_000_000} million pixels.`)
  return { picture: open(bytes, options), metadata }
}

/** No loss that the eye finds: this is the picture its owner keeps. */
function encode(picture: Sharp, mime: string, metadata: Metadata): Sharp {
  switch (mime) {
    case 'image/jpeg':
      return picture.jpeg({ quality: 85 })
    case 'image/png':
      return picture.png({ compressionLevel: 6, palette: metadata.isPalette })
    case 'image/webp':
      return picture.webp({ quality: 90, effort: 2 })
    case 'image/gif':
      return picture.gif({ effort: 3 })
    default:
      return picture.avif({ quality: 70, effort: 2 })
  }
}

function draw(picture: Sharp): Promise<Uint8Array> {
  return picture.timeout({ seconds: timeout }).toBuffer().catch(damaged)
}

function damaged(cause: unknown): never {
  throw damagedError(cause)
}

function damagedError(cause?: unknown): PictureError {
  return new PictureError('The picture is damaged, or not what its name says.', { cause })
}
