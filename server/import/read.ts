import type { DateOrder, ImportedBook, ImportFormat } from '#shared/import.ts'
import { isAtMost } from '#shared/text.ts'
import { anyTable, isbns } from './any-table.ts'
import { readIsbn } from './cells.ts'
import { dateEvidence } from './dates.ts'
import { decodeText } from './decode.ts'
import { goodreads, goodreadsHeader } from './goodreads.ts'
import { ImportError } from './import-error.ts'
import { readLibraryThingJson } from './librarything-json.ts'
import { mergeRows } from './merge.ts'
import {
  bookwyrm,
  calibre,
  hardcover,
  jelu,
  librarything,
  openlibrary,
  openreads,
} from './others.ts'
import type { Cells, Format, ParsedRow } from './row.ts'
import { storygraph } from './storygraph.ts'
import { readTable, type TableRow } from './table.ts'

/** By their columns; those with more of their own come first. */
const formats: readonly Format[] = [
  goodreads,
  storygraph,
  librarything,
  bookwyrm,
  openreads,
  jelu,
  calibre,
  hardcover,
  openlibrary,
]

/** A file as it was read: as many rows as it has, each with a book or with a reason. */
export interface ReadFile {
  format: ImportFormat
  rows: ParsedRow[]
  /** Dates that can be read in two ways, when nothing in the file decides it. */
  ambiguous: string[]
}

/**
 * Reads a file of another tracker. What it is shows in what it says, not in its name.
 *
 * @param bytes the whole file
 * @param order whether the day or the month comes first, if the reader has said so
 * @throws ImportError in a sentence, for what can't be read at all
 */
export function readFile(bytes: Uint8Array, order?: DateOrder): ReadFile {
  refuseBinary(bytes)
  const text = decodeText(bytes)
  if (!text.trim()) throw new ImportError('This file is empty.')
  if (/^\s*\{/.test(text)) return readLibraryThingJson(text)
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text))
    throw new ImportError(
      'This is a web page, not an export. Download the file again while you are signed in there.',
    )
  const table = readTable(text)
  const { format, header, rows } = recognise(table)
  const cells = rows.map((row) => named(header, row))
  const dates = cells.flatMap((row) => format.dates.map((name) => row[name] ?? ''))
  const evidence = dateEvidence(dates)
  const told = order ?? evidence.order
  return {
    format: format.format,
    rows: mergeRows(rows.map((row, at) => parsed(format, row, cells[at]!, told))),
    ambiguous: told ? [] : evidence.ambiguous,
  }
}

function refuseBinary(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (start.startsWith('PK\u0003\u0004'))
    throw new ImportError(
      'This is a ZIP file or a spreadsheet. Unpack it, or save it as CSV, and choose the file inside.',
    )
  if (start.startsWith('SQLite format 3'))
    throw new ImportError(
      'This is a database. In Calibre, choose “Create catalog” and then CSV, and bring in that file.',
    )
  if (start.startsWith('%PDF')) throw new ImportError('This is a PDF. Choose a CSV file.')
}

function recognise(table: readonly TableRow[]): {
  format: Format
  header: readonly string[]
  rows: readonly TableRow[]
} {
  const [first, ...rest] = table
  const header = (first?.cells ?? []).map((cell) => cell.trim())
  const known = formats.find(({ has }) => has.every((name) => header.includes(name)))
  if (known) return { format: known, header, rows: rest }
  const headerless = goodreadsHeader(header)
  if (headerless) return { format: goodreads, header: headerless, rows: table }
  if (table.every(({ cells }) => cells.filter((cell) => cell.trim()).length <= 1)) {
    const isNamed = /^isbn/i.test(header[0] ?? '') && !readIsbn(header[0])
    const rows = isNamed ? rest : table
    if (rows.some(({ cells }) => readIsbn(...cells)))
      return { format: isbns, header: ['ISBN'], rows }
  }
  const other = anyTable(header)
  if (other) return { format: other, header, rows: rest }
  throw new ImportError(
    'We don’t recognise this file. It should have a first line that names its columns, with a title or an ISBN among them.',
  )
}

/** Cells that no column names keep their number. */
function named(header: readonly string[], { cells }: TableRow): Cells {
  const entries = cells.map((cell, at) => [header[at] || `Column ${at + 1}`, cell] as const)
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

/** An apostrophe before what a table program would run is put there by an export, ours too. */
function withoutGuards(cells: Cells): Cells {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, cell.replace(/^'(?=[=+\-@\t\r])/, '')]),
  )
}

/** Characters that a library has room for, by field. */
const most = { title: 500, review: 20_000, notes: 20_000 } as const

function parsed(
  format: Format,
  { isBroken }: TableRow,
  source: Cells,
  order: DateOrder | undefined,
): ParsedRow {
  if (isBroken)
    return { source, book: null, reason: 'A quotation mark in this row is never closed.' }
  const book = format.read(withoutGuards(source), order)
  if (!book.title && !book.isbn && !book.source_id)
    return { source, book: null, reason: 'This row has neither a title nor an ISBN.' }
  if (format.format === 'isbns' && !book.isbn)
    return { source, book: null, reason: 'This line is not an ISBN.' }
  for (const [name, limit] of Object.entries(most))
    if (!isAtMost(book[name as keyof typeof most], limit))
      return { source, book: null, reason: `Its ${name} is longer than ${limit} characters.` }
  return { source, book, reason: unused(format, source, book) }
}

/** What of a row couldn't be used, where a table program has spoilt it. */
function unused({ dates }: Format, source: Cells, book: ImportedBook): string {
  const cells = Object.entries(source)
  const rounded = cells.find(([name, cell]) => /isbn|ean/i.test(name) && /\de\+\d/i.test(cell))
  if (rounded && !book.isbn)
    return `A spreadsheet has rounded its ISBN to ${rounded[1].slice(0, 20)}.`
  if (dates.some((name) => /^#{3,}$/.test(source[name]?.trim() ?? '')))
    return 'A spreadsheet has replaced a date with ####.'
  return ''
}
