import { anyTable, isbns } from './any-table.ts'
import { cutText, withoutZeros } from '#shared/text.ts'
import { findIsbn } from './cells.ts'
import type { TextFile } from './decode.ts'
import { goodreads, goodreadsHeader } from './goodreads.ts'
import { ImportError } from './import-error.ts'
import { booklogr } from './booklogr.ts'
import {
  bookwyrm,
  calibre,
  hardcover,
  jelu,
  librarything,
  openlibrary,
  openreads,
} from './other-formats.ts'
import { libby } from './libby.ts'
import { plainList, plainListHeader } from './plain-list.ts'
import type { ImportSource } from './read.ts'
import type { Cells, Format } from './row.ts'
import { storygraph } from './storygraph.ts'
import { detectDialect, readTable, type TableRow } from './table.ts'

/** Formats to recognise by their columns; the more specific ones come first. */
const formats: readonly Format[] = [
  goodreads,
  storygraph,
  librarything,
  bookwyrm,
  openreads,
  jelu,
  booklogr,
  calibre,
  hardcover,
  openlibrary,
  libby,
]

/** Columns of a table, and characters of their names. */
export const columnsAtMost = 1000
const nameAtMost = 200

const tooManyColumns = () => new ImportError('fileTooManyColumns', { count: columnsAtMost })

/** Rows to detect a table's format from. */
const sample = 100

/**
 * Detects a table's format from its first rows.
 *
 * @throws ImportError if the format isn't recognised
 */
export async function detectTableFormat(text: TextFile): Promise<ImportSource> {
  const table: TableRow[] = []
  for await (const row of readTable(text)) if (table.push(row) === sample) break
  const { delimiter } = await detectDialect(text)
  const { format, header, isNamed } = formatOf(table, delimiter)
  async function* rows() {
    let isFirst = isNamed
    for await (const row of readTable(text)) {
      if (!isFirst)
        yield { ...row, cells: named(header, format.mend?.(row.cells, header) ?? row.cells) }
      isFirst = false
    }
  }
  return { format, rows }
}

/**
 * Does the same for a JSON list of objects, whose fields are the columns.
 *
 * @throws ImportError if the format isn't recognised
 */
export async function detectListFormat(text: TextFile): Promise<ImportSource> {
  const { listRows } = await import('./json-files.ts')
  const names = new Set<string>()
  const rows: Cells[] = []
  for await (const cells of listRows(text)) {
    for (const name of Object.keys(cells)) names.add(name)
    if (names.size > columnsAtMost) throw tooManyColumns()
    if (rows.push(cells) === sample) break
  }
  const format = byHeader([...names]) ?? anyTable([...names], rows)
  if (!format) throw new ImportError('tableUnknown')
  async function* all() {
    for await (const cells of listRows(text)) yield { cells }
  }
  return { format, rows: all }
}

const byHeader = (header: readonly string[]) =>
  formats.find(({ has }) => has.every((name) => header.includes(name)))

/** @returns the format, the header, and whether the first row is the header */
function formatOf(
  table: readonly TableRow[],
  separator: string,
): {
  format: Format
  header: readonly string[]
  isNamed: boolean
} {
  const [first, ...rest] = table
  const header = distinct((first?.cells ?? []).map((cell) => cutText(cell.trim(), nameAtMost)))
  if (header.length > columnsAtMost) throw tooManyColumns()
  const known = byHeader(header)
  if (known) return { format: known, header, isNamed: true }
  const headerless = goodreadsHeader(header)
  if (headerless) return { format: goodreads, header: headerless, isNamed: false }
  if (table.every(({ cells }) => cells.filter((cell) => cell.trim()).length <= 1)) {
    const isNamed = /^isbn/i.test(header[0] ?? '') && !findIsbn(header[0])
    if ((isNamed ? rest : table).some(({ cells }) => findIsbn(...cells)))
      return { format: isbns, header: ['ISBN'], isNamed }
  }
  const other = anyTable(
    header,
    rest.map(({ cells }) => named(header, cells)),
  )
  if (other) return { format: other, header, isNamed: true }
  const list = plainList(table, separator)
  if (list) return { format: list, header: plainListHeader, isNamed: false }
  throw new ImportError('tableUnknown')
}

/** Numbers names that come again, so that no column takes another's place. */
function distinct(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return name && count > 1 ? `${name} (${count})` : name
  })
}

/**
 * Names the cells that aren't empty, those beyond the header by their number. Most tables have many
 * empty ones, and the names of all would take far more space than the file.
 */
function named(header: readonly string[], cells: readonly string[]): Cells {
  const named: Cells = {}
  for (const [at, cell] of cells.slice(0, columnsAtMost + 1).entries()) {
    const name = header[at] || `Column ${at + 1}`
    if (cell && name !== '__proto__') named[name] = withoutZeros(cell)
  }
  return named
}
