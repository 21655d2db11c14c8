import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import {
  createRecords,
  diskStorage,
  newId,
  openSqlite,
  temporaryFolder,
  type Database,
} from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { runPendingImports } from '#server/import/runner.ts'
import { readStatistics } from '#server/library/statistics.ts'
import { readYear } from '#server/library/year.ts'
import { migrate } from '#server/migrations/migrate.ts'
import { createHooks } from '#server/open/hooks.ts'
import { query } from '#server/storage/query.ts'
import { bookSlug } from '#shared/book.ts'
import type { ImportCandidate, ImportRow } from '#shared/import.ts'
import type { SampleLibrary, SampleRow } from '#shared/sample-library.ts'
import { readers } from './demo-readers.ts'
import { gothicReads } from './demo-reads.ts'
import { findBooks } from './demo-years.ts'
import { sampleFile, sampleYear } from './sample-file.ts'

export interface SampleDeps {
  catalogue: FederatedCatalogue
  /** Where the file and its library are while they are read. */
  folder: string
  log: Pick<Logger, 'error'>
}

/**
 * Imports the sample file into a library of its own, as a reader would, and reads what came of it.
 * The library is gone afterwards.
 */
export async function readSampleLibrary(deps: SampleDeps): Promise<SampleLibrary> {
  const folder = await temporaryFolder(deps.folder, 'sample')
  const database = openSqlite(join(folder, 'library.db'))
  const storage = diskStorage(folder)
  try {
    await migrate(database)
    const records: LibraryRecords = createRecords({
      database,
      schema,
      // Nobody signs in.
      secret: newId().repeat(3),
      hooks: createHooks({ planDefault: 'premium' }),
      files: storage,
      appUrl: 'http://localhost',
      limits: false,
      onOtp: () => undefined,
    })
    const work = (id: string) =>
      runPendingImports({ ...deps, database, records, storage, planDefault: 'premium', folder }, id)
    try {
      return await importSample({ database, records, work, catalogue: deps.catalogue })
    } finally {
      await records.close()
    }
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function importSample({
  database,
  records,
  work,
  catalogue,
}: {
  database: Database
  records: LibraryRecords
  work: (id: string) => Promise<void>
  catalogue: FederatedCatalogue
}): Promise<SampleLibrary> {
  const [{ username, name }] = readers
  const user = await records.write((tx) =>
    tx.create('users', { email: `${username}@example.org`, password: newId(), username, name }),
  )
  const id = newId()
  const text = sampleFile(await findBooks(catalogue, gothicReads))
  const sent = { file: new File([text], 'goodreads_library_export.csv') }
  const stored = await records.storeUploads('imports', id, { account: user.id, sent })
  const values = { id, user: user.id, state: 'reading', options: { unmatched: 'file' } } as const
  await records.write((tx) => tx.create('imports', values, stored))
  await work(id)
  const rows = await rowsOf(database, id)
  await records.write((tx) => tx.update('imports', id, { state: 'applying' }))
  await work(id)

  const statistics = await readStatistics(database, username, user.id, { year: sampleYear })
  const year = await readYear(database, username, user.id, sampleYear, mostFinished)
  const byMonth = statistics?.figures.find((figure) => figure.id === 'by_month')?.parts ?? []
  const entries = year?.entries ?? []
  return {
    rows: rows.length,
    matched: rows.filter(({ state }) => state === 'matched').length,
    examples: examplesOf(rows).map(toSampleRow),
    year: sampleYear,
    books: year?.books ?? 0,
    pages: year?.pages ?? 0,
    months: Array.from({ length: 12 }, (_, place) => {
      const month = `${sampleYear}-${String(place + 1).padStart(2, '0')}`
      return byMonth.find(({ key }) => key === month)?.value ?? 0
    }),
    finished: entries
      .filter(({ outcome }) => outcome === 'finished')
      .map(({ book, pages }) => ({ ...toSampleBook(book), pages })),
    best: entries.filter(({ rating }) => rating === 10).map(({ book }) => book.title),
  }
}

/** The most books of the year; it has fewer. */
const mostFinished = 100

type Row = Pick<ImportRow, 'state' | 'read' | 'book'>

async function rowsOf(database: Database, id: string): Promise<Row[]> {
  const rows = await query(
    database,
    sql`SELECT state, "read", book FROM import_rows WHERE import = ${id} ORDER BY number`,
  )
  return rows.map(([state, read, book]) => ({
    state: state as Row['state'],
    read: JSON.parse(String(read)) as Row['read'],
    book: JSON.parse(String(book)) as Row['book'],
  }))
}

/** @returns three rows found by their ISBN, one by its title, and one that is kept as it is */
function examplesOf(rows: readonly Row[]): Row[] {
  const matched = rows.filter(({ state }) => state === 'matched')
  const byIsbn = matched.filter(({ read }) => read?.isbn)
  const byTitle = matched.filter(({ read }) => !read?.isbn)
  const kept = rows.filter(({ state }) => state === 'unmatched')
  return [...byIsbn.slice(-3), ...byTitle.slice(-1), ...kept.slice(0, 1)]
}

function toSampleRow({ state, read, book }: Row): SampleRow {
  return {
    title: read?.title ?? '',
    author: read?.authors[0] ?? '',
    isbn: read?.isbn ?? '',
    state,
    book: book && { ...toSampleBook(book), pages: book.page_count },
  }
}

function toSampleBook(book: Pick<ImportCandidate, 'title' | 'authors' | 'isbn' | 'images'>) {
  const { title, authors, isbn, images } = book
  const slug = isbn && bookSlug(title, isbn)
  return { title, author: authors[0] ?? '', slug, cover: images[0] ?? '' }
}
