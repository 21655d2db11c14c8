import { escapeUTF8 } from 'entities'
import { readFile } from 'node:fs/promises'
import type { OverlayOptions, Sharp } from 'sharp'
import { coverThemeFor } from '#shared/cover-theme.ts'
import { cutText } from '#shared/text.ts'
import { loadSharp, drawingQueue } from './picture.ts'

/** In pixels, as recommended for link previews. */
export const previewSize = { width: 1200, height: 630 }

/** A book in a preview: its cover, or the data to draw one. */
export interface PreviewBook {
  title: string
  author: string
  picture: Uint8Array | null
}

const paper = '#f8f4ea'
const boardColour = '#b9ab8c'
const mark = { size: 72, margin: 36 }
/** The machine may lack our font, so name similar ones. */
const serif = 'Newsreader,Georgia,DejaVu Serif,serif'
/** Scripts that every machine's fonts have; others might appear as boxes. */
const written = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{M}]+$/u

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Draws a link preview: one book on its colour, or several on a board. It has little text, as sites
 * add title and description themselves.
 *
 * @param books one to five
 * @returns a JPEG of {@link previewSize}
 */
export async function drawPreview(books: readonly PreviewBook[]): Promise<Uint8Array> {
  const sharp = await loadSharp()
  const [only] = books
  const isOne = books.length === 1 && only !== undefined
  const places = isOne
    ? [{ left: 420, top: 45, width: 360, height: 540 }]
    : standing(books.length, previewSize.width)
  const ground = isOne ? coverThemeFor(only.title, only.author).shade : paper
  return drawingQueue.execute(async () => {
    const layers = await Promise.all(
      places.map(async (place, index) => coverLayers(books[index]!, place)),
    )
    const icon = await sharp(await readFile(markFile))
      .resize(mark.size)
      .toBuffer()
    return sharp({ create: { ...previewSize, channels: 3, background: ground } })
      .composite([
        ...(isOne ? [] : [rectangle({ left: 0, top: 470, width: 1200, height: 10 }, boardColour)]),
        ...layers.flat(),
        {
          input: icon,
          left: previewSize.width - mark.size - mark.margin,
          top: previewSize.height - mark.size - (isOne ? mark.margin : 24),
        },
      ])
      .jpeg({ quality: 84, mozjpeg: true })
      .toBuffer()
  })
}

const markFile = new URL('../../public/apple-touch-icon.png', import.meta.url)

/** Places books side by side on the board, in the size that fits five. */
function standing(count: number, width: number): Box[] {
  const [book, gap] = [200, 24]
  const start = Math.round((width - count * book - (count - 1) * gap) / 2)
  return Array.from({ length: count }, (_, i) => ({
    left: start + i * (book + gap),
    top: 170,
    width: book,
    height: 300,
  }))
}

function rectangle({ left, top, width, height }: Box, background: string): OverlayOptions {
  return { input: { create: { width, height, channels: 4, background } }, left, top }
}

async function coverLayers(book: PreviewBook, place: Box): Promise<OverlayOptions[]> {
  const { left, top, width, height } = place
  const edge = { ...place, left: left + 6, top: top + 8, height: height - 8 }
  const shadow = rectangle(edge, 'rgba(20,12,4,0.28)')
  const picture = book.picture && (await fitted(book.picture, width, height))
  return [shadow, ...(picture ? [{ input: picture, left, top }] : await drawnLayers(book, place))]
}

/** @returns the picture cropped to the box, or null if it is damaged */
async function fitted(bytes: Uint8Array, width: number, height: number): Promise<Buffer | null> {
  const sharp = await loadSharp()
  try {
    return await sharp(bytes, { limitInputPixels: 40e6 })
      .timeout({ seconds: 5 })
      .rotate()
      .resize(width, height, { fit: 'cover' })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 92 })
      .toBuffer()
  } catch {
    return null
  }
}

/** A cover colour with a stamped frame, and the title if the fonts have its script. */
async function drawnLayers({ title, author }: PreviewBook, place: Box): Promise<OverlayOptions[]> {
  const { left, top, width, height } = place
  const { ground, shade, foil } = coverThemeFor(title, author)
  const unit = width / 100
  const inset = Math.round(unit * 8)
  const line = Math.max(1, Math.round(unit * 0.6))
  const inner = { width: width - 2 * inset, height: height - 2 * inset }
  const at = (x: number, y: number, w: number, h: number, colour: string) =>
    rectangle({ left: left + x, top: top + y, width: w, height: h }, colour)
  const layers = [
    at(0, 0, width, height, ground),
    at(0, 0, Math.round(unit * 4), height, shade),
    at(inset, inset, inner.width, line, foil),
    at(inset, height - inset, inner.width, line, foil),
  ]
  const room = inner.width - Math.round(unit * 4)
  const lettering = [
    { text: title, size: unit * 11, middle: 0.42, most: height * 0.5 },
    { text: author, size: unit * 6, middle: 0.84, most: height * 0.12 },
  ]
  for (const { text, size, middle, most } of lettering) {
    const drawn = await letters(text, { size, width: room, height: Math.round(most), foil })
    if (!drawn) continue
    const meta = await drawn.metadata()
    layers.push({
      input: await drawn.toBuffer(),
      left: left + Math.round((width - meta.width) / 2),
      top: top + Math.round(height * middle - meta.height / 2),
    })
  }
  return layers
}

/** @returns lettering inside a box, or null if it is empty or the fonts lack its script */
async function letters(
  text: string,
  { size, width, height, foil }: { size: number; width: number; height: number; foil: string },
): Promise<Sharp | null> {
  const words = cutText(text.trim(), 120)
  if (!words || !written.test(words)) return null
  const sharp = await loadSharp()
  const markup = `<span foreground="${foil}">${escapeUTF8(words)}</span>`
  const options = { text: markup, width, align: 'centre', rgba: true } as const
  const tries = [1, 0.8, 0.65, 0.55].map((part) => ({ points: size * part, wrap: 'word' as const }))
  for (const { points, wrap } of [...tries, { points: size * 0.55, wrap: 'word-char' as const }]) {
    try {
      const font = `${serif} ${Math.round(points)}`
      const { data, info } = await sharp({ text: { ...options, wrap, font } })
        .png()
        .toBuffer({ resolveWithObject: true })
      if (info.height <= height && info.width <= width) return sharp(data)
    } catch {
      return null
    }
  }
  return null
}
