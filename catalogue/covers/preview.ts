import { readFile } from 'node:fs/promises'
import { coverThemeFor } from '#shared/cover-theme.ts'
import { Canvas, type Box } from './canvas.ts'
import { letters } from './lettering.ts'
import { loadSharp, drawingQueue } from './picture.ts'

/** In pixels, as recommended for link previews. */
export const previewSize = { width: 1200, height: 630 }

/** A book in a preview: its cover, or the data to draw one. */
export interface PreviewBook {
  title: string
  author: string
  picture: Uint8Array | null
}

/** The background of drawn pictures. */
export const paper = '#f8f4ea'
const boardColour = '#b9ab8c'
const mark = { size: 72, margin: 36 }

/**
 * Draws a link preview: one book on its colour, or several on a board. It has little text, as sites
 * add title and description themselves.
 *
 * @param books one to five
 * @returns a JPEG of {@link previewSize}
 */
export async function drawPreview(books: readonly PreviewBook[]): Promise<Uint8Array> {
  const [only] = books
  const isOne = books.length === 1 && only !== undefined
  const { width, height } = previewSize
  const places = isOne
    ? [{ left: 420, top: 45, width: 360, height: 540 }]
    : standing(books.length, width)
  const ground = isOne ? coverThemeFor(only.title, only.author).shade : paper
  return drawingQueue.execute(async () => {
    const canvas = new Canvas(width, height, ground)
    if (!isOne) canvas.rectangle({ left: 0, top: 470, width, height: 10 }, boardColour)
    await Promise.all(
      places.map(async (place, index) => {
        canvas.shade({ ...place, left: place.left + 6, top: place.top + 8 }, '#140c04', 0.28)
        await drawBook(canvas, books[index]!, place)
      }),
    )
    const left = width - mark.size - mark.margin
    const top = height - mark.size - (isOne ? mark.margin : 24)
    await drawMark(canvas, { left, top, width: mark.size, height: mark.size })
    return (await canvas.toSharp()).jpeg({ quality: 84, mozjpeg: true }).toBuffer()
  })
}

const markFile = new URL('../../public/apple-touch-icon.png', import.meta.url)

/** Draws Octavo's mark. */
export async function drawMark(canvas: Canvas, place: Box): Promise<void> {
  const pixels = await fitted(await readFile(markFile), place)
  if (pixels) canvas.image(pixels, place)
}

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

/** Draws a book's cover: its picture, or one of the title and author. */
export async function drawBook(canvas: Canvas, book: PreviewBook, place: Box): Promise<void> {
  const pixels = book.picture && (await fitted(book.picture, place))
  if (pixels) canvas.image(pixels, place)
  else await drawTitle(canvas, book, place)
}

/** @returns the picture's pixels, cropped to the box, or null if it is damaged */
async function fitted(bytes: Uint8Array, { width, height }: Box): Promise<Buffer | null> {
  const sharp = await loadSharp()
  try {
    return await sharp(bytes, { limitInputPixels: 40e6 })
      .timeout({ seconds: 5 })
      .rotate()
      .resize(width, height, { fit: 'cover' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer()
  } catch {
    return null
  }
}

/** A cover colour with a stamped frame, and the title if the fonts have its script. */
async function drawTitle(canvas: Canvas, book: PreviewBook, place: Box): Promise<void> {
  const { title, author } = book
  const { left, top, width, height } = place
  const { ground, shade, foil } = coverThemeFor(title, author)
  const unit = width / 100
  const inset = Math.round(unit * 8)
  const line = Math.max(1, Math.round(unit * 0.6))
  const inner = width - 2 * inset
  canvas.rectangle(place, ground)
  canvas.rectangle({ ...place, width: Math.round(unit * 4) }, shade)
  for (const y of [inset, height - inset])
    canvas.rectangle({ left: left + inset, top: top + y, width: inner, height: line }, foil)
  const room = inner - Math.round(unit * 4)
  const lettering = [
    { text: title, size: unit * 11, middle: 0.42, most: height * 0.5 },
    { text: author, size: unit * 6, middle: 0.84, most: height * 0.12 },
  ]
  for (const { text, size, middle, most } of lettering) {
    const setting = { size, width: room, height: Math.round(most), align: 'centre' as const }
    const mask = await letters(text, setting)
    if (!mask) continue
    const x = left + Math.round((width - mask.width) / 2)
    canvas.paint(mask, x, top + Math.round(height * middle - mask.height / 2), foil)
  }
}
