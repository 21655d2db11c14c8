import { join, dirname } from 'node:path'
import type { DateOrder, ImportedBook, ImportFormat } from '#shared/import.ts'
import { fitsLength } from '#shared/text.ts'
import { readCalibre } from './calibre-db.ts'
import { RatingScale } from './cells.ts'
import { DateEvidence } from './dates.ts'
import { readBytes, toUtf8, type TextFile } from './decode.ts'
import { DuplicateFinder } from './duplicate-finder.ts'
import { ImportError } from './import-error.ts'
import { mergeBooks } from './merge.ts'
import { calibre } from './other-formats.ts'
import { detectListFormat, detectTableFormat } from './detect-format.ts'
import type { Cells, Format, ParsedRow } from './row.ts'
import { maxRowBytes, maxRows, tooManyRows } from './table.ts'
import { unpack } from './unzip.ts'

/** A file that has been surveyed, whose rows each have a book or a reason why not. */
interface ImportFile {
  format: ImportFormat
  total: number
  /** Examples of dates that can be read in two ways, if nothing in the file decides it. */
  ambiguous: string[]
  /** The rows in order; each call reads the file again. */
  rows: () => AsyncIterable<ParsedRow>
}

/** One row of a file; `isBroken` if a quotation mark is never closed. */
interface SourceRow {
  cells: Cells
  isBroken?: boolean
}

/** A file of another tracker: its format and its unparsed rows. */
export interface ImportSource {
  format: Format
  rows: () => AsyncIterable<SourceRow> | Iterable<SourceRow>
}

/**
 * Reads a file of another tracker, or our own export, in two passes: the first detects its format
 * and how dates and ratings are written, the second reads its rows. The format is detected from the
 * content, not from the name. In between, only repeated rows of the same book stay in memory.
 *
 * @param path of the file, in a folder where more files can be written
 * @param order whether the day or the month comes first, if the reader has chosen
 * @throws ImportError if the file can't be read at all
 */
export async function openImportFile(path: string, order?: DateOrder): Promise<ImportFile> {
  const start = (await readBytes(path, 0, 16)).toString('latin1')
  if (isZip(start)) {
    const unpacked = join(dirname(path), 'unpacked')
    await unpack(path, unpacked)
    if (isZip((await readBytes(unpacked, 0, 4)).toString('latin1')))
      throw new ImportError('This ZIP file holds another ZIP file. Unpack it first.')
    return openImportFile(unpacked, order)
  }
  refuseOthers(start)
  if (start.startsWith('SQLite format 3')) {
    const rows = () => readCalibre(path).map((cells) => ({ cells }))
    return survey({ format: calibre, rows }, order)
  }
  const text = await toUtf8(path, join(dirname(path), 'utf8'))
  return openText(text, order)
}

const isZip = (start: string) => /^PK(?:\x03\x04|\x05\x06)/.test(start)

/** Bytes to detect a text's format from. */
const sample = 65_536

async function openText(text: TextFile, order: DateOrder | undefined): Promise<ImportFile> {
  const start = (await readBytes(text.path, text.start, sample)).toString()
  if (!start.trim()) throw new ImportError('This file is empty.')
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(start))
    throw new ImportError(
      'This is a web page, not an export. Download the file again while you are signed in there.',
    )
  if (!/^\s*[[{]/.test(start)) return survey(await detectTableFormat(text), order)
  // Loads more modules than all of the rest, which is enough for a table.
  const { readJsonObject } = await import('./json-files.ts')
  const json = await readJsonObject(text)
  if (!json) return survey(await detectListFormat(text), order)
  return surveyRows(json.format, json.rows)
}

/** Files with these first bytes can't be read. */
const others: [RegExp, string][] = [
  [/^%PDF/, 'This is a PDF. Choose a CSV file.'],
  [/^\u001F\u008B|^7z|^Rar!|^BZh/, 'This archive isn’t a ZIP file. Unpack it first.'],
  [/^\u00D0\u00CF\u0011\u00E0/, 'This is a spreadsheet. Save it as CSV and choose that file.'],
]

function refuseOthers(start: string): void {
  const found = others.find(([pattern]) => pattern.test(start))
  if (found) throw new ImportError(found[1])
}

/** Characters in total to keep of rows that repeat a book. */
const repeatsAtMost = 32_000_000

/** Rows for one book; some sources write a row for each day of reading. */
const repeatsOfOne = 1000

function keep<T>(repeats: Map<number, T[]>, of: number, row: T): void {
  if (repeats.getOrInsertComputed(of, () => []).push(row) > repeatsOfOne)
    throw new ImportError(`This file lists one book more than ${repeatsOfOne} times.`)
}

/**
 * Goes through all rows to find out how many there are, how dates and ratings are written, and
 * which rows are the same book.
 */
async function survey(source: ImportSource, order: DateOrder | undefined): Promise<ImportFile> {
  const { format } = source
  const evidence = new DateEvidence()
  const scale = new RatingScale()
  const books = new DuplicateFinder()
  const repeats = new Map<number, SourceRow[]>()
  let total = 0
  let kept = 0
  for await (const row of source.rows()) {
    if (total === maxRows) throw tooManyRows()
    for (const name of format.dates) evidence.add(row.cells[name] ?? '')
    for (const name of format.ratings ?? []) scale.add(row.cells[name] ?? '')
    const { book } = parsed(format, row)
    const before = book && books.add(book, total)
    if (before?.isSame) {
      kept += JSON.stringify(row.cells).length
      if (kept > repeatsAtMost) throw new ImportError('This file repeats its books too often.')
      keep(repeats, before.row, row)
    }
    total++
  }
  const dateOrder = order ?? evidence.order
  async function* rows() {
    let at = 0
    for await (const row of source.rows()) {
      const one = parsed(format, row, dateOrder, scale.outOf)
      for (const repeat of repeats.get(at) ?? []) {
        const { book } = parsed(format, repeat, dateOrder, scale.outOf)
        if (one.book && book) one.book = mergeBooks(one.book, book)
      }
      at++
      yield one
    }
  }
  return { format: format.format, total, ambiguous: dateOrder ? [] : evidence.ambiguous, rows }
}

/** Does the same for rows in a known format. Only LibraryThing's can repeat a book. */
async function surveyRows(
  format: 'librarything' | 'octavo',
  read: () => AsyncGenerator<ParsedRow>,
): Promise<ImportFile> {
  const books = new DuplicateFinder()
  const repeats = new Map<number, ImportedBook[]>()
  let total = 0
  for await (const { book, own } of read()) {
    if (total === (own ? ownRowsAtMost : maxRows)) throw tooManyRows()
    if (book && !own) {
      const before = books.add(book, total)
      if (before?.isSame) keep(repeats, before.row, book)
    }
    total++
  }
  async function* rows() {
    let at = 0
    for await (const row of read()) {
      for (const book of repeats.get(at) ?? []) if (row.book) row.book = mergeBooks(row.book, book)
      at++
      yield sized(row)
    }
  }
  return { format, total, ambiguous: [], rows }
}

/** Our own export also has readings, log entries and quotes, so it may have more rows. */
const ownRowsAtMost = 1_000_000

/**
 * Removes the apostrophe that exports, including ours, put before text that a spreadsheet would
 * run.
 */
function withoutGuards(cells: Cells): Cells {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, cell.replace(/^'(?=[=+\-@\t\r])/, '')]),
  )
}

/** Characters a book's fields may have. */
const most = [
  ['title', 500, 'Its title is longer than 500 characters.'],
  ['review', 20_000, 'Its review is longer than 20,000 characters.'],
  ['notes', 20_000, 'Its notes are longer than 20,000 characters.'],
] as const

function parsed(
  format: Format,
  { cells: source, isBroken }: SourceRow,
  order?: DateOrder,
  outOf?: number,
): ParsedRow {
  const refused = (reason: string) => sized({ source, book: null, reason })
  if (isBroken) return refused('A quotation mark in this row is never closed.')
  const book = format.read(withoutGuards(source), order, outOf)
  if (!book.title && !book.isbn && !book.source_id)
    return refused('This row has neither a title nor an ISBN.')
  if (format.format === 'isbns' && !book.isbn) return refused('This line is not an ISBN.')
  for (const [name, limit, sentence] of most)
    if (!fitsLength(book[name], limit)) return refused(sentence)
  return sized({ source, book, reason: unused(format, source, book) })
}

/** Replaces a row too large for a record with an error. */
function sized(row: ParsedRow): ParsedRow {
  const characters = Object.values(row.source).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
  // A character takes at most six bytes in JSON.
  if (characters < maxRowBytes / 6 - 10_000 && !row.own) return row
  if (Buffer.byteLength(JSON.stringify(row.source)) <= maxRowBytes) return row
  return { source: {}, book: null, reason: 'This row is larger than 1 MB.' }
}

/** The reason if a spreadsheet has damaged part of a row. */
function unused({ dates }: Format, source: Cells, book: ImportedBook): string {
  const cells = Object.entries(source)
  const rounded = cells.find(([name, cell]) => /isbn|ean/i.test(name) && /\de\+\d/i.test(cell))
  if (rounded && !book.isbn)
    return `A spreadsheet has rounded its ISBN to ${rounded[1].slice(0, 20)}.`
  if (dates.some((name) => /^#{3,}$/.test(source[name]?.trim() ?? '')))
    return 'A spreadsheet has replaced a date with ####.'
  return ''
}
