import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import type { Database, FileStorage, Records, WriteTransaction } from '#records/index.ts'
import {
  importFormats,
  type ImportedBook,
  type ImportRecord,
  type ImportRowState,
} from '#shared/import.ts'
import { modify } from '#server/query.ts'
import { importsCollection } from './collections.ts'
import { matchBooks, type Match } from './match.ts'
import { alreadyOwned } from './merge-owned.ts'
import { ExportMapping } from './export-mapping.ts'
import { OwnedBooks, toCandidate } from './owned-books.ts'
import { letRequestsRun, throttle } from './throttle.ts'
import { parseInThread, type FileRow, type ParsedFile } from './parse.ts'
import type { ParsedRow } from './row.ts'

export interface ImportDeps {
  database: Database
  records: Pick<Records, 'write' | 'find' | 'recordsOf' | 'storeUploads'>
  catalogue: Pick<FederatedCatalogue, 'named'>
  storage: Pick<FileStorage, 'read'>
  /** The folder for files while they are read. */
  folder: string
  /** Checked after each transaction: if true, the rest is left for the next start. */
  isOver?: () => boolean
}

/** A row to write, with its state. */
interface ReadRow extends Record<string, unknown> {
  state: ImportRowState
  read: ImportedBook | null
  reason: string
}

/**
 * Reads an import's file and finds its books, a few rows at a time. The record's total is updated
 * each time, so that the reader sees the progress and a restart can continue from there.
 *
 * @throws ImportError for a file that can't be read
 */
export async function readImport(deps: ImportDeps, found: ImportRecord): Promise<void> {
  const { storage, records } = deps
  const { id } = found
  const content = await storage.read(`${importsCollection.id}/${id}/${found.file}`)
  if (!content) throw new Error(`the file of import ${id} is gone`)
  const pieces = content instanceof Uint8Array ? Readable.from([content]) : content
  const order = found.options?.date_order || undefined
  await using file = await parseInThread(pieces, order, deps.folder)
  const library = await OwnedBooks.open(deps.database, found.user)
  const own = file.format === 'octavo' ? await ExportMapping.open(records, found.user, []) : null
  for (let from = 0; from < file.total;) {
    const parsed = await file.rows()
    const rows = parsed.map((row, at) =>
      own ? toOwnRow(row, from + at + 1, own) : toRow(row, from + at + 1),
    )
    const left = rows.slice(Math.max(found.total - from, 0))
    from += rows.length
    if (!left.length) continue
    const matched = own ? left : await throttle(() => findBooks(deps, left, library))
    if (!(await throttle(() => store(records, id, from - left.length, matched)))) return
    if (deps.isOver?.()) return
  }
  await finish(records, found, file)
}

/**
 * Converts a record of our own export to a row: a duplicate if the reader has the same record,
 * otherwise to be added.
 */
function toOwnRow(
  { source, book: read, reason, own }: ParsedRow,
  number: number,
  to: ExportMapping,
): ReadRow {
  const row = { number, source, read, reason }
  if (!own || !read) return { ...row, state: 'invalid' as const }
  if (own.collection === 'settings') return { ...row, state: 'matched' as const }
  const old = String(source['id'])
  const { id, isThere } = to.place(own, old)
  if (!isThere) return { ...row, state: 'matched' as const }
  const result = { own: { old, id }, ...(own.collection === 'user_books' && { owned: id }) }
  return { ...row, state: 'duplicate' as const, reason: 'You already have this.', result }
}

/** Looks up the books of `matched` rows in the catalogue. */
async function findBooks(
  { catalogue }: ImportDeps,
  rows: readonly ReadRow[],
  library: OwnedBooks,
): Promise<ReadRow[]> {
  const open = rows.flatMap(({ state, read }) => (state === 'matched' && read ? [read] : []))
  const matches = await matchBooks(catalogue, open)
  const found: ReadRow[] = []
  for (const row of rows) {
    const match = row.state === 'matched' && matches.shift()
    found.push(match ? matchedRow(row, match, library) : row)
    await letRequestsRun()
  }
  return found
}

/**
 * Decides a row's state as far as possible without the catalogue. A row to look up is `matched`.
 */
function toRow({ source, book: read, reason, earlier }: FileRow, number: number): ReadRow {
  const row = { number, source, read, reason }
  if (!read) return { ...row, state: 'invalid' }
  if (earlier?.isSame)
    return {
      ...row,
      state: 'duplicate',
      reason: `The same book as row ${earlier.row}, which gets what this row adds.`,
    }
  if (!earlier) return { ...row, state: 'matched' }
  const taken = `Row ${earlier.row} has the same ISBN, ${read.isbn}, with a different title. This book is added without an ISBN.`
  return { ...row, state: 'matched', read: { ...read, isbn: '' }, reason: taken }
}

function matchedRow(row: ReadRow, match: Match, library: OwnedBooks): ReadRow {
  const { read } = row
  const books = [read, match.book].filter((one) => one !== null)
  const { same, otherByIsbn, similar } = library.find(books)
  if (same)
    return {
      ...row,
      ...match,
      state: 'duplicate',
      reason: alreadyOwned,
      result: { owned: same.id },
    }
  if (read && otherByIsbn)
    return {
      ...row,
      state: 'doubtful',
      read: { ...read, isbn: '' },
      reason: `You already have ISBN ${otherByIsbn.isbn} as “${otherByIsbn.title}”.`,
      candidates: [toCandidate(otherByIsbn)],
    }
  if (similar.length)
    return {
      ...row,
      state: 'doubtful',
      reason: 'You have a book whose title is similar.',
      candidates: [...similar.map(toCandidate), ...candidatesOf(match)],
    }
  return { ...row, ...match, reason: match.reason || row.reason }
}

const candidatesOf = ({ book, candidates }: Match) => (book ? [book] : candidates)

/** @returns false if the import no longer waits for these rows */
async function store(
  records: ImportDeps['records'],
  id: string,
  from: number,
  rows: readonly ReadRow[],
): Promise<boolean> {
  const write = async (tx: WriteTransaction) => {
    const now = (await tx.find('imports', id)) as unknown as ImportRecord | null
    if (now?.state !== 'reading' || now.total !== from) return false
    // The file may be read again with other options.
    if (from === 0)
      await modify(tx, 'import_rows', sql`DELETE FROM import_rows WHERE import = ${id}`)
    const counts: Record<string, number> = {}
    for (const row of rows) {
      await tx.create('import_rows', { import: id, ...row })
      counts[`${row.state}+`] = (counts[`${row.state}+`] ?? 0) + 1
      await letRequestsRun()
    }
    await tx.update('imports', id, { ...counts, 'total+': rows.length })
    return true
  }
  // Rows lost in a power failure are read again.
  return records.write(write, { isDurable: false })
}

async function finish(
  records: ImportDeps['records'],
  { id, options }: ImportRecord,
  { format, ambiguous, total }: ParsedFile,
): Promise<void> {
  await records.write(async (tx) => {
    const now = (await tx.find('imports', id)) as unknown as ImportRecord | null
    if (now?.state !== 'reading' || now.total !== total) return
    const { ambiguous_dates: _, ...kept } = options ?? {}
    await tx.update('imports', id, {
      state: 'waiting',
      format,
      options: {
        shelf_name: shelfNameFor(format),
        ...kept,
        ...(ambiguous.length && { ambiguous_dates: ambiguous.slice(0, 5) }),
      },
    })
  })
}

/** Names the shelf after the source. Shelf names need at least four characters. */
function shelfNameFor(format: keyof typeof importFormats): string {
  if (format === 'table' || format === 'isbns' || format === 'octavo') return 'Imported books'
  return format === 'jelu' ? 'From Jelu' : importFormats[format]
}
