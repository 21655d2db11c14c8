import { coverThemeFor } from '#shared/cover-theme.ts'
import { spineHeight, spineThickness } from '#shared/spine.ts'
import { Canvas, type Box } from './canvas.ts'
import { letters, spineLetters, type Setting } from './lettering.ts'
import { drawingQueue } from './picture.ts'
import { drawBook, drawMark, paper, previewSize, type PreviewBook } from './preview.ts'

/** The sizes of a year's picture in pixels: for link previews, and for a phone's whole screen. */
export const yearPictureSizes = { wide: previewSize, tall: { width: 1080, height: 1920 } }
export type YearPictureSize = keyof typeof yearPictureSizes

/** The most books that a picture shows. */
export const maxYearBooks = 80

/** What a picture of a year or month shows. */
export interface YearPicture {
  /** The year or month, in the reader's language. */
  title: string
  /** What was read, in a sentence. */
  sum: string
  username: string
  direction: 'ltr' | 'rtl'
  /** In the order in which they were finished; at most {@link maxYearBooks}. */
  books: readonly YearBook[]
}

/** A finished book; only the tall picture shows its cover. */
export interface YearBook extends PreviewBook {
  /** 0 if they aren't known. */
  pages: number
}

const ink = '#241c15'
const board = { colour: '#d9cdb5', edge: '#a3967c', thickness: 8 }

/**
 * Draws a reader's year or month to share: as spines on shelves, or in the tall size as a wall of
 * covers.
 *
 * @returns a PNG
 */
export async function drawYear(year: YearPicture, size: YearPictureSize): Promise<Uint8Array> {
  const { width, height } = yearPictureSizes[size]
  return drawingQueue.execute(async () => {
    const page = new Page(new Canvas(width, height, paper), year.direction)
    await (size === 'wide' ? drawWide(page, year) : drawTall(page, year))
    return (await page.canvas.toSharp()).png({ compressionLevel: 4 }).toBuffer()
  })
}

/** A canvas that is laid out from the side where its language begins. */
class Page {
  readonly canvas: Canvas
  readonly #direction: 'ltr' | 'rtl'

  constructor(canvas: Canvas, direction: 'ltr' | 'rtl') {
    this.canvas = canvas
    this.#direction = direction
  }

  /** @returns the box, mirrored in a picture that runs from right to left */
  place<Place extends Pick<Box, 'left' | 'width'>>(box: Place): Place {
    if (this.#direction === 'ltr') return box
    return { ...box, left: this.canvas.width - box.left - box.width }
  }

  /**
   * Writes a text in a box, from the side where its language begins.
   *
   * @param end whether it stands at the other side
   * @returns the text's width
   */
  async write(text: string, box: Box & { size: number; end?: boolean }): Promise<number> {
    const { left, top, width, height, size, end = false } = box
    const align = (this.#direction === 'ltr') === end ? 'right' : 'left'
    const mask = await letters(text, { size, width, height, align })
    if (!mask) return 0
    const place = this.place({ left: end ? left + width - mask.width : left, width: mask.width })
    this.canvas.paint(mask, place.left, top + Math.round((height - mask.height) / 2), ink)
    return mask.width
  }

  /** Draws Octavo's mark and name at the end of a row. */
  async sign(right: number, top: number, size: number): Promise<void> {
    const box = { left: right - size * 6, top, width: size * 6, height: size }
    const width = await this.write('Octavo', { ...box, size: size * 0.9, end: true })
    const left = right - width - Math.round(size * 1.4)
    await drawMark(this.canvas, this.place({ left, top, width: size, height: size }))
  }
}

async function drawWide(page: Page, year: YearPicture): Promise<void> {
  await drawShelves(page, year.books, { left: 52, top: 38, width: 1096, height: 422 })
  const row = { top: 480, height: 106 }
  const title = await page.write(year.title, { ...row, left: 52, width: 420, size: 118 })
  const left = 52 + title + 40
  await page.write(year.sum, { ...row, left, width: 890 - left, size: 32 })
  const end = { left: 900, width: 248, height: 34, end: true }
  await page.write(`@${year.username}`, { ...end, top: 500, size: 25 })
  await page.sign(1148, 552, 28)
}

/** How spines stand, the roomiest way first. */
const shelvings = [
  { rows: 1, scale: 2 },
  { rows: 2, scale: 1.25 },
  { rows: 2, scale: 0.9 },
  { rows: 3, scale: 0.62 },
]
const shelfGap = 22

/** Draws books as spines, as thick as they have pages, on as many shelves as they need. */
async function drawShelves(page: Page, books: readonly YearBook[], area: Box): Promise<void> {
  const shelving = shelvings
    .map(({ rows, scale }) => ({ rows, shelves: shelve(books, area.width, scale) }))
    .find(({ rows, shelves }) => shelves.length <= rows) ?? {
    rows: 3,
    // The latest books are shown if there is no room for all.
    shelves: shelve(books, area.width, 0.62).slice(-3),
  }
  const { rows, shelves } = shelving
  const height = Math.floor((area.height - (rows - 1) * shelfGap) / rows) - board.thickness
  for (let row = 0; row < rows; row++) {
    const foot = area.top + (row + 1) * height + row * (shelfGap + board.thickness)
    page.canvas.rectangle({ ...area, top: foot, height: board.thickness }, board.colour)
    page.canvas.rectangle({ ...area, top: foot + board.thickness, height: 1 }, board.edge)
    let left = area.left
    for (const { book, thickness } of shelves[row] ?? []) {
      const tall = Math.round((height * spineHeight(book.title)) / 244)
      const box = { left, top: foot - tall, width: thickness - 1, height: tall }
      await drawSpine(page, book, page.place(box))
      left += thickness
    }
  }
}

interface Standing {
  book: YearBook
  /** In pixels, with the gap to the next book. */
  thickness: number
}

/** @returns the books of each shelf of a width; full shelves are stretched to it */
function shelve(books: readonly YearBook[], width: number, scale: number): Standing[][] {
  const shelves: Standing[][] = []
  let free = 0
  for (const book of books) {
    const thickness = Math.round(spineThickness(book.pages) * scale)
    if (thickness > free) {
      stretch(shelves.at(-1) ?? [], free)
      shelves.push([])
      free = width
    }
    shelves.at(-1)!.push({ book, thickness })
    free -= thickness
  }
  return shelves
}

/** Shares the pixels that are left on a shelf among its books. */
function stretch(shelf: Standing[], free: number): void {
  for (const [i, one] of shelf.entries())
    one.thickness +=
      Math.floor((free * (i + 1)) / shelf.length) - Math.floor((free * i) / shelf.length)
}

async function drawSpine({ canvas }: Page, book: YearBook, box: Box): Promise<void> {
  const { title, author } = book
  const { left, top, width, height } = box
  const { ground, shade, foil } = coverThemeFor(title, author)
  canvas.rectangle(box, ground)
  for (const edge of [left, left + width - 4])
    canvas.shade({ ...box, left: edge, width: 4 }, shade, 0.6)
  const rule = Math.round(height * 0.06)
  for (const y of [rule, height - rule])
    canvas.shade({ left, top: top + y, width, height: 1 }, foil, 0.6)
  const size = Math.round(Math.min(height / 11, width / 2.2))
  const room = height - rule * 4
  const setting: Setting = { size, width: Math.round(room * 0.66), height: width - 4 }
  const name = await spineLetters(title, setting)
  const nameEnd = name ? top + rule * 2 + name.height : top
  if (name) canvas.paint(name, left + Math.round((width - name.width) / 2), top + rule * 2, foil)
  // One line.
  const line = { width: Math.round(room * 0.33), height: Math.round(size * 0.9) }
  const writer = await spineLetters(author, { ...line, size: size * 0.68, least: 8 })
  if (!writer) return
  const foot = top + height - rule * 2 - writer.height
  if (foot > nameEnd)
    canvas.paint(writer, left + Math.round((width - writer.width) / 2), foot, foil)
}

async function drawTall(page: Page, year: YearPicture): Promise<void> {
  const column = { left: 64, width: 952 }
  await page.write(year.title, { ...column, top: 96, height: 210, size: 220 })
  await page.write(year.sum, { ...column, top: 330, height: 150, size: 52 })
  await drawWall(page, year.books, { ...column, top: 520, height: 1200 })
  await page.write(`@${year.username}`, { left: 64, top: 1776, width: 560, height: 56, size: 38 })
  await page.sign(1016, 1782, 44)
}

const coverGap = 12

/** Draws books as covers, in as few columns as have room for all. */
async function drawWall(page: Page, books: readonly YearBook[], area: Box): Promise<void> {
  const walls = [3, 4, 5, 6, 7, 8, 9, 10].map((columns) => {
    const width = Math.floor((area.width - (columns - 1) * coverGap) / columns)
    const height = Math.round(width * 1.5)
    const rows = Math.floor((area.height + coverGap) / (height + coverGap))
    return { columns, width, height, room: columns * rows }
  })
  const wall = walls.find(({ room }) => room >= books.length) ?? walls.at(-1)!
  const { columns, width, height } = wall
  const shown = books.slice(-wall.room)
  // One row after the other, as all at once would hold up the main thread and sharp's few threads.
  for (let first = 0; first < shown.length; first += columns) {
    const top = area.top + (first / columns) * (height + coverGap)
    await Promise.all(
      shown.slice(first, first + columns).map(async (book, column) => {
        const left = area.left + column * (width + coverGap)
        await drawBook(page.canvas, book, page.place({ left, top, width, height }))
      }),
    )
  }
}
