import type { ImportedSpine } from '#web/api/imports.ts'

/** How a wall of spines is drawn at one width of the screen; in pixels. */
export interface WallShape {
  width: number
  /** Shelves at most; with more books than fit, their spines become narrower. */
  shelves: number
  /** From one shelf to the next. */
  pitch: number
  /** Height of the tallest spine. */
  height: number
}

export const wallShapes = {
  wide: { width: 1440, shelves: 9, pitch: 52, height: 36 },
  narrow: { width: 390, shelves: 16, pitch: 25, height: 18 },
} as const satisfies Record<string, WallShape>

/** Few books stand on one shelf, as large as there is room for. */
export const fewShapes: Record<keyof typeof wallShapes, WallShape> = {
  wide: { width: 720, shelves: 1, pitch: 104, height: 72 },
  narrow: { width: 200, shelves: 1, pitch: 52, height: 36 },
}

/** A wall as paths: x goes from 0 to 100, y is in pixels. */
export interface Wall {
  height: number
  /** The spines by their colour. */
  spines: { colour: string; path: string }[]
  /** The stripes on spines. */
  stripes: string
  /** The boards that they stand on. */
  boards: string
  /** The place where each year begins. */
  years: { year: string; x: number; y: number }[]
}

/** Pixels of an average spine, and of the thinnest and the thickest. */
const average = 8.7
const [thinnest, thickest] = [5, 15]
const pagesOfAverage = 320

const thicknessOf = ({ pages }: ImportedSpine) =>
  pages > 0 ? Math.min(thickest, Math.max(thinnest, (average * pages) / pagesOfAverage)) : average

/** The least distance between two years, in percent of the width; closer labels would overlap. */
const yearsApart = 5

/** @returns whether so many books fit on one shelf of that width */
export const fitsOneShelf = (count: number, { width }: WallShape): boolean =>
  count * average <= width

/** @returns how many shelves so many books take */
export const shelvesFor = (count: number, { width, shelves }: WallShape): number =>
  Math.min(shelves, Math.max(1, Math.round((count * average) / width)))

/**
 * Puts books onto shelves in the order of their years; all shelves but the last are full.
 *
 * @param count how many books there will be: until they are there, their shelves are empty
 */
export function buildWall(
  books: readonly ImportedSpine[],
  shape: WallShape,
  count = books.length,
): Wall {
  const filled = onShelves(books, shape)
  const isFilling = books.length < count
  const empty = isFilling ? Math.max(0, shelvesFor(count, shape) - filled.length) : 0
  const shelves = [...filled, ...Array.from({ length: empty }, () => [])]
  const paths = new Map<string, string>()
  const wall: Wall = {
    height: shelves.length * shape.pitch,
    spines: [],
    stripes: '',
    boards: '',
    years: [],
  }
  let lastYear = ''
  for (const [at, shelf] of shelves.entries()) {
    const foot = at * shape.pitch + shape.height
    let x = 0
    for (const { book, width } of shelf) {
      const { tall, isStriped } = lookOf(book, shape.height)
      // A gap tells it from the next one.
      const across = round(width * 0.94)
      const path = `M${round(x)} ${foot}v${-tall}h${across}v${tall}z`
      paths.set(book.colour, (paths.get(book.colour) ?? '') + path)
      if (isStriped) wall.stripes += `M${round(x)} ${foot - tall + 3}h${across}`
      const before = wall.years.at(-1)
      const hasRoom = before?.y !== foot || x - before.x > yearsApart
      if (book.year && book.year !== lastYear && hasRoom)
        wall.years.push({ year: book.year, x, y: foot })
      lastYear = book.year
      x += width
    }
    const end = isFilling ? 100 : round(x)
    wall.boards += `M0 ${foot}h${end}v4h${-end}z`
  }
  wall.spines = [...paths].map(([colour, path]) => ({ colour, path }))
  return wall
}

/** @returns the books of each shelf, with their widths of a hundred */
function onShelves(books: readonly ImportedSpine[], shape: WallShape) {
  const year = (book: ImportedSpine) => book.year || '9999'
  const spines = books
    .toSorted((a, b) => (year(a) === year(b) ? 0 : year(a) < year(b) ? -1 : 1))
    .map((book) => ({ book, thickness: thicknessOf(book) }))
  const sum = (some: typeof spines) => some.reduce((all, one) => all + one.thickness, 0)
  const count = shelvesFor(books.length, shape)
  const ofShelf = Math.max(shape.width, sum(spines) / count)
  const shelves: (typeof spines)[] = []
  let before = 0
  for (const spine of spines) {
    const at = Math.min(count - 1, Math.floor(before / ofShelf))
    ;(shelves[at] ??= []).push(spine)
    before += spine.thickness
  }
  return shelves.map((shelf, at) => {
    const isLast = at === shelves.length - 1
    const whole = isLast ? Math.max(ofShelf, sum(shelf)) : sum(shelf)
    return shelf.map(({ book, thickness }) => ({ book, width: (100 * thickness) / whole }))
  })
}

/** Books differ a little in height; each always by the same. */
function lookOf({ title }: ImportedSpine, height: number) {
  const letters = [...title].length + (title.codePointAt(0) ?? 0)
  return {
    tall: round(height - (letters % 5) * (height / 18)),
    isStriped: letters % 3 === 0,
  }
}

const round = (value: number) => Math.round(value * 100) / 100
