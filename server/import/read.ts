import { join, dirname } from 'node:path'
import type {
  DateOrder,
  ImportedBook,
  ImportFormat,
  ImportLabel,
  ImportReason,
} from '#shared/import.ts'
import { findAppleBooks, isHalfOfAppleBooks, readAppleBooks } from './apple-books.ts'
import { readCalibre } from './calibre-db.ts'
import { readBytes, toUtf8, type TextFile } from './decode.ts'
import { DuplicateFinder } from './duplicate-finder.ts'
import { ImportError } from './import-error.ts'
import { isKobo, readKobo } from './kobo.ts'
import { LabelCounts } from './labels.ts'
import { markedFormatOf } from './marked-formats.ts'
import { mergeBooks } from './merge.ts'
import { calibre } from './other-formats.ts'
import { columnsAtMost, detectListFormat, detectTableFormat } from './detect-format.ts'
import { withinLimits, withStatus, withTitle } from './read-row.ts'
import { RowReader, Survey, type Conventions } from './row-reader.ts'
import { boundBook, type Cells, type Format, type ParsedRow, type SizedRow } from './row.ts'
import { isDivider, maxRowBytes, maxRows, rowTooLarge, tooManyRows } from './table.ts'
import { unpack, unpackAll } from './unzip.ts'

/** A file that has been surveyed, whose rows each have a book or a reason why not. */
interface ImportFile {
  format: ImportFormat
  total: number
  /** Examples of dates that can be read in two ways, if nothing in the file decides it. */
  ambiguous: string[]
  /** Columns with values that the format doesn't read. */
  unused: string[]
  labels: ImportLabel[]
  /** The rows in order; each call reads the file again. */
  rows: () => AsyncIterable<SizedRow>
}

/** Called with the number of each row before it is read, in each pass. */
type OnRow = (number: number) => void

/** One row of a file, and the reason if it can't be used. */
interface SourceRow {
  cells: Cells
  problem?: ImportReason['key']
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
export async function openImportFile(
  path: string,
  order?: DateOrder,
  onRow: OnRow = () => undefined,
): Promise<ImportFile> {
  const start = (await readBytes(path, 0, 16)).toString('latin1')
  if (isZip(start)) {
    const books = await unpackAll(path, dirname(path), findAppleBooks)
    if (books) return surveyMarked('applebooks', readAppleBooks(books), onRow)
    const unpacked = join(dirname(path), 'unpacked')
    await unpack(path, unpacked)
    if (isZip((await readBytes(unpacked, 0, 4)).toString('latin1')))
      throw new ImportError('zipInZip')
    return openImportFile(unpacked, order, onRow)
  }
  refuseOthers(start)
  if (start.startsWith('SQLite format 3')) {
    if (isKobo(path)) return surveyMarked('kobo', readKobo(path), onRow)
    if (isHalfOfAppleBooks(path)) throw new ImportError('appleBooksHalf')
    const rows = () => readCalibre(path).map((cells) => ({ cells }))
    return survey({ format: calibre, rows }, order, onRow)
  }
  const text = await toUtf8(path, join(dirname(path), 'utf8'))
  return openText(text, order, onRow)
}

const isZip = (start: string) => /^PK(?:\x03\x04|\x05\x06)/.test(start)

/** Bytes to detect a text's format from. */
const sample = 65_536

async function openText(
  text: TextFile,
  order: DateOrder | undefined,
  onRow: OnRow,
): Promise<ImportFile> {
  const start = (await readBytes(text.path, text.start, sample)).toString()
  if (!start.trim()) throw new ImportError('fileEmpty')
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(start)) throw new ImportError('fileIsWebPage')
  const marked = markedFormatOf(start)
  if (marked) return surveyMarked(marked.format, await marked.read(text), onRow)
  if (!/^\s*[[{]/.test(start)) return survey(await detectTableFormat(text), order, onRow)
  // Loads more modules than all of the rest, which is enough for a table.
  const { readJsonObject } = await import('./json-files.ts')
  const json = await readJsonObject(text)
  if (!json) return survey(await detectListFormat(text), order, onRow)
  return surveyRows(json.format, json.rows, onRow)
}

/** Files with these first bytes can't be read. */
const others: [RegExp, ImportReason['key']][] = [
  [/^%PDF/, 'fileIsPdf'],
  [/^\u001F\u008B|^7z|^Rar!|^BZh/, 'archiveNotZip'],
  [/^\u00D0\u00CF\u0011\u00E0/, 'fileIsSpreadsheet'],
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
    throw new ImportError('fileRepeatsBook', { count: repeatsOfOne })
}

/**
 * Goes through all rows to find out how many there are, how dates and ratings are written, and
 * which rows are the same book.
 */
async function survey(
  source: ImportSource,
  order: DateOrder | undefined,
  onRow: OnRow,
): Promise<ImportFile> {
  const { format } = source
  const found = new Survey()
  const labels = new LabelCounts()
  const books = new DuplicateFinder()
  const repeats = new Map<number, SourceRow[]>()
  let total = 0
  let kept = 0
  for await (const row of source.rows()) {
    if (total === maxRows) throw tooManyRows()
    onRow(total + 1)
    found.addCells(row.cells)
    const { book } = parsed(format, row, { survey: found })
    if (book) labels.add(book)
    const before = book && books.add(book, total)
    if (before?.isSame) {
      kept += JSON.stringify(row.cells).length
      if (kept > repeatsAtMost) throw new ImportError('fileRepeatsBooks')
      keep(repeats, before.row, row)
    }
    total++
  }
  const dateOrder = order ?? found.dates.order
  const given = {
    order: dateOrder,
    outOf: found.ratings.outOf,
    areNamesInverted: found.names.isInverted,
  }
  async function* rows() {
    let at = 0
    for await (const row of source.rows()) {
      onRow(at + 1)
      const one = parsed(format, row, given)
      for (const repeat of repeats.get(at) ?? []) {
        const { book } = parsed(format, repeat, given)
        if (one.book && book) one.book = mergeBooks(one.book, book)
      }
      at++
      yield sized(withStatus(withinLimits(one)))
    }
  }
  return {
    format: format.format,
    total,
    ambiguous: dateOrder ? [] : found.dates.ambiguous,
    unused: found.unused,
    labels: labels.list,
    rows,
  }
}

/** Does the same for books with the passages that a reader has marked in them. */
const surveyMarked = (format: ImportFormat, rows: readonly ParsedRow[], onRow: OnRow) =>
  surveyRows(format, () => rows, onRow)

/** Does the same for rows in a known format. */
async function surveyRows(
  format: ImportFormat,
  read: () => AsyncIterable<ParsedRow> | Iterable<ParsedRow>,
  onRow: OnRow,
): Promise<ImportFile> {
  const labels = new LabelCounts()
  const books = new DuplicateFinder()
  const repeats = new Map<number, ImportedBook[]>()
  let total = 0
  for await (const row of read()) {
    const { book, own } = bounded(row)
    if (total === (own ? ownRowsAtMost : maxRows)) throw tooManyRows()
    onRow(total + 1)
    if (book && !own) {
      labels.add(book)
      const before = books.add(book, total)
      if (before?.isSame) keep(repeats, before.row, book)
    }
    total++
  }
  async function* rows() {
    let at = 0
    for await (const found of read()) {
      onRow(at + 1)
      const row = bounded(found)
      for (const book of repeats.get(at) ?? []) if (row.book) row.book = mergeBooks(row.book, book)
      at++
      yield sized(row.own ? row : withStatus(withinLimits(row)))
    }
  }
  return { format, total, ambiguous: [], unused: [], labels: labels.list, rows }
}

/** A row of our own export goes through the checks of its collection when it is restored. */
const bounded = (row: ParsedRow): ParsedRow =>
  row.own || !row.book ? row : withTitle({ ...row, book: boundBook(row.book) })

/** Our own export also has readings, log entries and quotes, so it may have more rows. */
const ownRowsAtMost = 1_000_000

/**
 * Removes the apostrophe that exports, including ours, put before text that a spreadsheet would
 * run.
 */
function withoutGuards(cells: Cells): Cells {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [
      name,
      cell.replace(/^'(?='*[=+\-@＝＋－＠\t\r])/, ''),
    ]),
  )
}

function parsed(
  format: Format,
  { cells: source, problem }: SourceRow,
  given: Conventions,
): ParsedRow {
  const refused = (key: ImportReason['key'], params: ImportReason['params'] = {}) => ({
    source,
    book: null,
    reason: { key, params },
  })
  if (problem) return refused(problem)
  if (Object.keys(source).length > columnsAtMost)
    return refused('rowTooManyCells', { count: columnsAtMost })
  if (isDivider(Object.values(source)) || format.isHeading?.(source)) return refused('lineNotBook')
  const reader = new RowReader(withoutGuards(source), given)
  const book = boundBook(format.read(reader))
  if (!book.title && !book.isbn && !book.source_id) return refused('rowEmpty')
  if (format.format === 'isbns' && !book.isbn) return refused('lineNotIsbn')
  return withTitle({ source, book, reason: null, warnings: reader.warnings })
}

/** Adds what a row takes to store, and replaces one too large for a record with an error. */
function sized(row: ParsedRow): SizedRow {
  const { warnings = [] } = row
  const sizes = [row.source, row.book, warnings].map((part) =>
    Buffer.byteLength(JSON.stringify(part)),
  )
  const bytes = sizes.reduce((sum, one) => sum + one, 0)
  if (sizes.every((one) => one <= maxRowBytes)) return { ...row, bytes }
  return { source: {}, book: null, reason: { key: rowTooLarge }, bytes: 0 }
}
