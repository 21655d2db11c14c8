import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bwip from 'bwip-js/node'
import sharp, { type OverlayOptions } from 'sharp'

/** The back of a book as somebody holds it to a camera. */
export interface BackCover {
  /** 12 digits are drawn as UPC-A, 13 as EAN-13. */
  digits: string
  /** The price's five digits beside it. */
  addOn?: string
  /** Degrees. */
  tilt?: number
  /** Radius in pixels; 0 is sharp. */
  blur?: number
  /** Of the cloth around the white field. */
  colour?: string
  /** White bars on black. */
  isInverted?: boolean
  /** The digits of a second barcode, to the left. */
  second?: string
}

const frame = { width: 1280, height: 720 }

/** For pictures on their way from one step to the next. */
const unpacked = { compressionLevel: 0 }

/** @returns a JPEG of 1280x720, the size the camera is asked for */
export async function photographCover(cover: BackCover): Promise<Buffer> {
  const { digits, addOn, tilt = 0, blur = 0, colour = '#7a2e2b', isInverted, second } = cover
  const bars = await barcode(addOn ? `${digits} ${addOn}` : digits, isInverted)
  const others = second ? [{ input: await barcode(second), gravity: 'southwest' }] : []
  const blurb = sharp({
    create: { width: 760, height: 640, channels: 3, background: colour },
  }).composite([...lines(), ...others, { input: bars, gravity: 'southeast' }])
  const held = await sharp(await blurb.png(unpacked).toBuffer())
    .rotate(tilt, { background: '#3c3a36' })
    .png(unpacked)
    .toBuffer()
  const size = await sharp(held).metadata()
  const fitted = await sharp(held)
    .resize({ height: Math.min(frame.height, size.height) })
    .png(unpacked)
    .toBuffer()
  const photograph = sharp({ create: { ...frame, channels: 3, background: '#3c3a36' } }).composite([
    { input: fitted, gravity: 'centre' },
  ])
  const flat = sharp(await photograph.png(unpacked).toBuffer())
  return (blur > 0 ? flat.blur(blur) : flat).jpeg({ quality: 80 }).toBuffer()
}

/** @param text 12 or 13 digits, and the price's after a space */
function barcode(text: string, isInverted = false): Promise<Buffer> {
  const [paper, ink] = isInverted ? ['000000', 'ffffff'] : ['ffffff', '000000']
  return bwip.toBuffer({
    bcid: /^\d{12}(?: |$)/.test(text) ? 'upca' : 'ean13',
    text,
    includetext: true,
    scale: 3,
    height: 22,
    backgroundcolor: paper,
    barcolor: ink,
    textcolor: ink,
    paddingwidth: 12,
    paddingheight: 6,
  })
}

/** Pale lines where the words of a back cover are. */
function lines(): OverlayOptions[] {
  return Array.from({ length: 9 }, (_, row) => {
    const size = { width: 560 - (row % 3) * 90, height: 12 }
    const create = { ...size, channels: 3 as const, background: '#e8dcc8' }
    return { input: { create }, top: 40 + row * 30, left: 60 }
  })
}

/**
 * Switches for a browser whose camera sees one picture.
 *
 * @param picture a JPEG; what Chromium plays as a film of pictures
 */
export function cameraSeeing(picture: Buffer): string[] {
  const film = join(mkdtempSync(join(tmpdir(), 'octavo-camera-')), 'film.mjpeg')
  writeFileSync(film, Buffer.concat([picture, picture]))
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]
}
