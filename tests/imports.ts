import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach } from 'vitest'
import { diskStorage, type Database } from '#records/index.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import { exportCollections } from '#server/import/export-records.ts'
import { ImportQueue } from '#server/import/queue.ts'
import type { ImportRecord, ImportRow } from '#shared/import.ts'
import type { UserBook } from '#shared/user-book.ts'
import { openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

type Catalogue = Awaited<ReturnType<typeof openFederatedStarter>>

/** A world in which one reader brings in files; what would run in the background runs at once. */
export interface Imports {
  world: Fixture
  reader: Reader
  /** Sets the clock forward. */
  ahead(milliseconds: number): void
  /** Does what there is to do, all of it unless writes fail. */
  work(write?: Fixture['records']['write']): Promise<void>
  /** Looks what has changed since the work began. */
  check(): Promise<void>
  /** The names of the stored files and of those that are being read. */
  files(): string[]
  /** Sends a file and has it read. */
  send(content: string | Uint8Array, options?: object, who?: Reader): Promise<ImportRecord>
  /** Changes an import, such as its state, and has done what follows. */
  step(id: string, values: object, who?: Reader): Promise<ImportRecord>
  get(id: string, who?: Reader): Promise<ImportRecord>
  rows(id: string, who?: Reader): Promise<ImportRow[]>
  books(who?: Reader): Promise<UserBook[]>
}

/**
 * For a suite: gives each of its tests a world of its own.
 *
 * @returns an object that is filled before each test
 */
export function useImports(open: () => Promise<Database>, catalogue: Catalogue): Imports {
  const imports = {} as Imports
  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
    const storage = diskStorage(folder)
    let ahead = 0
    const fixture = await openFixture(await open(), () => new Date(Date.now() + ahead), storage)
    const reader = await fixture.reader('reader')
    const { database, records } = fixture
    const log = pino({ level: 'silent' })
    const deps = { database, catalogue, storage, folder, planDefault: 'free' as const, log }
    const of = ({ client }: Reader) => client.collection<ImportRecord>('imports')
    let queue: ImportQueue | undefined
    const work: Imports['work'] = (write = (job) => records.write(job)) => {
      queue = new ImportQueue({
        ...deps,
        records: { ...records, write },
      })
      return runAllJobs(queue)
    }
    Object.assign(imports, {
      world: fixture,
      reader,
      ahead: (milliseconds) => void (ahead = milliseconds),
      work,
      check: async () => queue?.check(),
      files: () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name),
      async send(content, options, who = reader) {
        const file = new File([content as BlobPart], 'export.csv')
        const { id } = await of(who).create({ file, ...(options && { options }) })
        await work()
        return of(who).getOne(id)
      },
      async step(id, values, who = reader) {
        await of(who).update(id, values)
        await work()
        return of(who).getOne(id)
      },
      get: (id, who = reader) => of(who).getOne(id),
      rows: (id, who = reader) =>
        who.client
          .collection<ImportRow>('import_rows')
          .getFullList({ filter: `import = "${id}"`, sort: 'number' }),
      books: (who = reader) =>
        who.client.collection<UserBook>('user_books').getFullList({ sort: 'title' }),
    } satisfies Imports)
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  return imports
}

/** @returns how many rows are in one of the states */
export const counted = (one: ImportRecord): number =>
  one.matched +
  one.doubtful +
  one.unmatched +
  one.duplicate +
  one.invalid +
  one.applied +
  one.skipped

export const goodreadsHeader =
  'Book Id,Title,Author,ISBN,ISBN13,My Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Private Notes'

/** Two the catalogue has, one it lacks, one twice, one without a title. */
export const goodreads = `${goodreadsHeader}
1,Pride and Prejudice,Jane Austen,,,5,,2020/05/04,2019/12/31,,read,Lovely,Mine
2,Moby Dick,Herman Melville,,,0,,,2021/01/01,,to-read,,
3,The Cookbook of Nobody,Nobody Atall,,,3,120,,2021/01/02,"food",currently-reading,,
3,The Cookbook of Nobody,Nobody Atall,,,3,120,,2021/01/02,"food",currently-reading,,
,,,,,,,,,,,,
`

export type Exported = Record<string, Record<string, unknown>[]>

/** @returns all that a reader's own export has */
export async function exported(fixture: Fixture, { client }: Reader): Promise<string> {
  const headers = { Authorization: client.authStore.token }
  return (await fixture.fetch('/api/v1/account/export', { headers })).text()
}

/** @returns a reader's records to the last byte, apart from imports and where they are signed in */
export async function dump(fixture: Fixture, reader: Reader): Promise<string> {
  const all = JSON.parse(await exported(fixture, reader)) as Exported
  for (const name of ['exported', 'imports', 'import_rows', 'sessions', 'devices', 'pictures'])
    delete all[name]
  return JSON.stringify(all, null, 1)
}

/** @returns a reader's library with names for the ids and times that differ between equal ones */
export function libraryOf(text: string): Record<string, string[]> {
  const all = JSON.parse(text) as Exported
  const names = new Map<unknown, unknown>([['', '']])
  for (const { id, name } of all['bookshelves']!) names.set(id, name)
  for (const { id, book_key, started } of all['readings']!)
    names.set(id, `${String(book_key)} ${String(started)}`)
  for (const { id, book_key, shelf } of all['user_books']!)
    names.set(id, `${String(book_key)} ${String(names.get(shelf))}`)
  const plain = ({
    id: _id,
    user: _user,
    covers: _covers,
    latest: _latest,
    ...rest
  }: Exported[string][number]) =>
    Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, names.get(value) ?? value]),
    )
  return Object.fromEntries(
    libraryCollections.map((name) => [
      name,
      all[name]!.map((one) => JSON.stringify(plain(one))).toSorted(),
    ]),
  )
}

/** The collections that an export restores, but for the settings. */
export const libraryCollections = exportCollections.filter((name) => name !== 'settings')
