import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import { letRequestsRun, throttle, type Database, type FileStorage } from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import {
  importFormats,
  importLabelKey,
  type ImportedBook,
  type ImportOptions,
  type ImportReason,
  type ImportWarning,
  type ImportRowState,
} from '#shared/import.ts'
import { query, queryNumber } from '#server/storage/query.ts'
import { noteProgress } from './claims.ts'
import { importsCollection } from '#server/collections/imports.ts'
import { requireRoom } from './disk-room.ts'
import { deleteRows } from './give-back.ts'
import { ImportError } from './import-error.ts'
import { labelGuesses } from './labels.ts'
import { matchBooks, type Match } from './match.ts'
import { EarlierDecisions } from './decisions.ts'
import { ExportMapping } from './export-mapping.ts'
import { OwnedBooks, toCandidate } from './owned-books.ts'
import { parseInThread, type FileRow, type ParsedFile } from './parse.ts'
import {
  because,
  countWarnings,
  storedReason,
  storedWarnings,
  type StoredReason,
} from './reason.ts'
import type { ParsedRow } from './row.ts'

export interface ImportDeps {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'find' | 'recordsOf' | 'storeUploads'>
  catalogue: Pick<FederatedCatalogue, 'named'>
  storage: Pick<FileStorage, 'read'>
  /** The folder for files while they are read. */
  folder: string
  /** Ends reading at once, and applying and undoing after the current rows. */
  signal: AbortSignal
}

/** A row to write, with its state. */
interface ReadRow extends Record<string, unknown>, StoredReason {
  state: ImportRowState
  read: ImportedBook | null
  warnings: ImportWarning[]
}

/** A row to write, with the bytes that it takes of its file. */
interface WeighedRow {
  row: ReadRow
  bytes: number
}

/**
 * What the rows of a file may take: a multiple of the file's bytes, and a little for each, as some
 * files are hardly more than numbers. And what all of one reader's imports may take, in megabytes.
 */
const room = { ofFile: 3, ofRow: 1024, ofReader: 200 }

/**
 * Reads an import's file and finds its books, a few rows at a time. The record's total is updated
 * each time, so that the reader sees the progress and a restart can continue from there.
 *
 * @throws ImportError for a file that can't be read, or takes too much space
 */
export async function readImport(deps: ImportDeps, found: Stored<'imports'>): Promise<void> {
  const { storage, records, signal } = deps
  const { id } = found
  // The file may be read again with other options.
  if (!found.total) await deleteRows(deps, id)
  const content = await storage.read(`${importsCollection.id}/${id}/${found.file}`)
  if (!content) throw new Error(`the file of import ${id} is gone`)
  const pieces = content instanceof Uint8Array ? Readable.from([content]) : content
  const order = found.options?.date_order || undefined
  await using file = await parseInThread(pieces, order, { within: deps.folder, signal })
  const library = await OwnedBooks.open(deps.database, found.user)
  const decisions = await EarlierDecisions.open(deps.database, found)
  const own = file.format === 'octavo' ? await ExportMapping.open(records, found.user, []) : null
  for (let from = 0; from < file.total;) {
    const parsed = await file.rows()
    const rows = parsed.map((row, at) => ({
      row: own ? toOwnRow(row, from + at + 1, own) : toRow(row, from + at + 1),
      bytes: row.bytes,
    }))
    const left = rows.slice(Math.max(found.total - from, 0))
    from += rows.length
    if (!left.length) continue
    await requireRoom(deps.folder, 0)
    const matched = own ? left : await throttle(() => findBooks(deps, left, { library, decisions }))
    const limit = room.ofFile * file.size + room.ofRow * from
    if (!(await throttle(() => store(records, id, from - left.length, matched, limit)))) return
    if (signal.aborted) return
  }
  await finish(deps, found, file)
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
  const row = { number, source, read, warnings: [], ...storedReason(reason) }
  if (!own || !read) return { ...row, state: 'invalid' as const }
  if (own.collection === 'settings') return { ...row, state: 'matched' as const }
  const old = String(source['id'])
  const { id, isThere } = to.place(own, old)
  if (!isThere) return { ...row, state: 'matched' as const }
  const result = { own: { old, id }, ...(own.collection === 'user_books' && { owned: id }) }
  return { ...row, state: 'duplicate' as const, ...because('alreadyThere'), result }
}

/** What is known of a reader's books and of their earlier imports. */
interface Known {
  library: OwnedBooks
  decisions: EarlierDecisions
}

/** Looks up the books of `matched` rows in the catalogue. */
async function findBooks(
  { catalogue }: ImportDeps,
  rows: readonly WeighedRow[],
  known: Known,
): Promise<WeighedRow[]> {
  const open = rows.flatMap(({ row: { state, read } }) =>
    state === 'matched' && read ? [read] : [],
  )
  const matches = await matchBooks(catalogue, open)
  const found: WeighedRow[] = []
  for (const { row, bytes } of rows) {
    const match = row.state === 'matched' && matches.shift()
    found.push({ row: match ? matchedRow(row, match, known) : row, bytes })
    await letRequestsRun()
  }
  return found
}

/**
 * Decides a row's state as far as possible without the catalogue. A row to look up is `matched`.
 */
function toRow(
  { source, book: read, reason, warnings = [], earlier }: FileRow,
  number: number,
): ReadRow {
  const known = { number, source, read, ...storedReason(reason) }
  const row = { ...known, warnings: storedWarnings(warnings) }
  if (!read) return { ...row, state: 'invalid' }
  if (earlier?.isSame)
    return {
      ...row,
      ...withSecondRating(row, earlier),
      state: 'duplicate',
      ...because('rowAsEarlier', { row: earlier.row }),
    }
  if (!earlier) return { ...row, state: 'matched' }
  const taken: ImportReason = {
    key: 'isbnOfRow',
    params: { column: 'ISBN', value: read.isbn },
  }
  return {
    ...row,
    state: 'matched',
    read: { ...read, isbn: '' },
    warnings: storedWarnings([...warnings, taken]),
  }
}

function matchedRow(row: ReadRow, match: Match, { library, decisions }: Known): ReadRow {
  const { read } = row
  const decided = read && decidedRow(row, read, { library, decisions })
  if (decided) return decided
  const { reason, ...found } = match
  const books = [read, match.book].filter((one) => one !== null)
  const { same, otherByIsbn, similar } = library.find(books)
  if (same)
    return {
      ...row,
      ...found,
      ...withSecondRating(row, same),
      state: 'duplicate',
      ...because('owned'),
      result: { owned: same.id },
    }
  if (read && otherByIsbn)
    return {
      ...row,
      state: 'doubtful',
      read: { ...read, isbn: '' },
      ...because('isbnOfOther', { isbn: otherByIsbn.isbn, title: otherByIsbn.title }),
      candidates: [toCandidate(otherByIsbn)],
    }
  if (similar.length)
    return {
      ...row,
      state: 'doubtful',
      ...because('similarOwned'),
      candidates: [...similar.map(toCandidate), ...candidatesOf(match)],
    }
  return { ...row, ...found, ...storedReason(reason) }
}

/** @returns the row as the reader has decided it in an earlier import; null if there is none */
function decidedRow(row: ReadRow, read: ImportedBook, { library, decisions }: Known) {
  const decision = decisions.of(read)
  if (!decision) return null
  const { book } = decision
  if (!book)
    return { ...row, state: 'skipped' as const, settled: true, ...because('leftOutBefore') }
  const authors = book.authors.length ? book.authors : read.authors
  const { same } = library.find([{ title: book.title, authors, isbn: read.isbn || book.isbn }])
  if (!same) return null
  const result = { owned: same.id }
  return {
    ...row,
    ...withSecondRating(row, same),
    state: 'duplicate' as const,
    settled: true,
    book,
    ...because('owned'),
    result,
  }
}

/** Warns of a rating that isn't used, as the book has another one. */
function withSecondRating(
  { read, warnings }: Pick<ReadRow, 'read' | 'warnings'>,
  first: { rating: number },
): Pick<ReadRow, 'warnings'> {
  const isSecond = read?.rating && first.rating && read.rating !== first.rating
  if (!isSecond) return { warnings }
  const value = String(read.rating / 2)
  return {
    warnings: [...warnings, ...storedWarnings([{ key: 'ratingSecond', params: { value } }])],
  }
}

const candidatesOf = ({ book, candidates }: Match) => (book ? [book] : candidates)

/**
 * @param limit bytes that the file's rows may take so far
 * @returns false if the import no longer waits for these rows
 * @throws ImportError if they take too much
 */
async function store(
  records: ImportDeps['records'],
  id: string,
  from: number,
  rows: readonly WeighedRow[],
  limit: number,
): Promise<boolean> {
  const bytes = rows.reduce((sum, one) => sum + one.bytes, 0)
  const write = async (tx: LibraryTransaction) => {
    const now = await tx.find('imports', id)
    if (now?.state !== 'reading' || now.total !== from) return false
    const stored = (from === 0 ? 0 : now.stored) + bytes
    if (stored > limit) throw new ImportError('rowsTooLarge')
    const others = await storedOf(tx, now)
    if (others + stored > room.ofReader * 1_000_000)
      throw new ImportError('importsTooLarge', { count: room.ofReader })
    const counts: Record<string, number> = {}
    for (const { row } of rows) {
      await tx.create('import_rows', { import: id, ...row })
      counts[`${row.state}+`] = (counts[`${row.state}+`] ?? 0) + 1
      await letRequestsRun()
    }
    const warnings = countWarnings(
      from === 0 ? null : now.warnings,
      rows.map(({ row }) => row.warnings),
    )
    await tx.update('imports', id, { ...counts, 'total+': rows.length, stored, warnings })
    await noteProgress(tx, id)
    return true
  }
  // Rows lost in a power failure are read again.
  return records.write(write, { isDurable: false })
}

/** @returns the bytes that the reader's other imports take */
function storedOf(tx: LibraryTransaction, { id, user }: Stored<'imports'>): Promise<number> {
  return queryNumber(
    tx,
    sql`SELECT SUM(stored) FROM imports WHERE "user" = ${user} AND id <> ${id}`,
  )
}

/** Columns to name of those that aren't read. */
const shownColumns = 50

async function finish(
  { database, records }: ImportDeps,
  { id, user, options }: Stored<'imports'>,
  { format, ambiguous, unused, labels, total }: ParsedFile,
): Promise<void> {
  if (!total) throw new ImportError('fileNoBooks')
  const earlier = await earlierChoices(database, { id, user, format })
  const isHere = new Set(labels.map(importLabelKey))
  const becomes = {
    ...labelGuesses(labels),
    ...Object.fromEntries(
      Object.entries(earlier?.becomes ?? {}).filter(([key]) => isHere.has(key)),
    ),
    ...options?.becomes,
  }
  await records.write(async (tx) => {
    const now = await tx.find('imports', id)
    if (now?.state !== 'reading' || now.total !== total) return
    const { ambiguous_dates: _, ...kept } = options ?? {}
    const source = sourceName(format)
    await tx.update('imports', id, {
      state: 'waiting',
      format,
      unused: unused.slice(0, shownColumns),
      labels,
      options: {
        ...(source && { shelf_name: source }),
        ...(source && earlier?.no_status && { no_status: earlier.no_status }),
        ...kept,
        ...(Object.keys(becomes).length && { becomes }),
        ...(ambiguous.length && { ambiguous_dates: ambiguous.slice(0, 5) }),
      },
    })
  })
}

/** @returns the choices for the reader's last import from the same source, so that none is asked twice */
async function earlierChoices(
  database: Database,
  { id, user, format }: Pick<Stored<'imports'>, 'id' | 'user' | 'format'>,
): Promise<ImportOptions | null> {
  const [row] = await query(
    database,
    sql`SELECT options FROM imports
      WHERE "user" = ${user} AND format = ${format} AND state = 'done' AND id <> ${id}
      ORDER BY created DESC LIMIT 1`,
    columnsOf('imports', 'options'),
  )
  return row?.options ?? null
}

/** @returns the name of the source, for the shelf; undefined where the reader's language names it */
function sourceName(format: keyof typeof importFormats): string | undefined {
  const isNamed = format !== 'table' && format !== 'isbns' && format !== 'octavo'
  return isNamed ? importFormats[format] : undefined
}
