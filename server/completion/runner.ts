import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import { named, text, throttle, type Database } from '#records/index.ts'
import { foundUnder, isSameEdition, surelyNamed } from '#server/titles/compare.ts'
import { titleForms } from '#server/titles/titles.ts'
import { suppressActivities } from '#server/library/activities.ts'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import {
  joinRunners,
  runAllJobs,
  runJobs,
  type JobRunner,
  type Jobs,
} from '#server/runtime/jobs.ts'
import { query } from '#server/storage/query.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import type { CompletedField, CompletionSource } from '#shared/user-book.ts'
import { fillIn, missingFields, type Edition } from '#server/library/completed-facts.ts'
import {
  importOf,
  leaveSources,
  moveOn,
  postpone,
  renewBook,
  SourceQueue,
  type QueuedBook,
} from '#server/library/completion-queue.ts'

/** Books looked up in this site's catalogue at a time. */
const ownAtOnce = 20

/**
 * Milliseconds between two requests to a source. Open Library allows three requests a second, of
 * which most are for searches, and Google has a daily quota.
 */
const intervals: Record<CompletionSource, number> = {
  catalogue: 0,
  openlibrary: 2000,
  google: 2000,
}
/** The same between books without an ISBN, each of which takes a request. */
const intervalOfNames: Record<CompletionSource, number> = { ...intervals, openlibrary: 500 }

/** What each source is asked for. Google has few requests, and only the catalogue knows series. */
const wanted: Record<CompletionSource, readonly CompletedField[]> = {
  catalogue: ['images', 'genres', 'description', 'page_count', 'language', 'published', 'series'],
  openlibrary: ['images', 'genres', 'description', 'page_count', 'language', 'published'],
  google: ['images', 'description'],
}

interface CompletionDeps {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'find'>
  catalogue: Pick<FederatedCatalogue, 'named' | 'sources' | 'editionsFrom' | 'namedFrom'>
}

/**
 * Completes readers' books in the background: what they lack is looked up in this site's catalogue,
 * then at the sources one after another.
 *
 * @returns closing it stops at once; what is left goes on at the next start
 */
export function runCompletion(deps: CompletionDeps & { log: Pick<Logger, 'error'> }): JobRunner {
  const { database, log } = deps
  const onError = (error: unknown) => log.error({ err: error }, 'failed to complete books')
  const sources = sourcesOf(deps)
  leaveSources(database, sources).catch(onError)
  const runners = sources.map((source) => {
    const completion = openCompletion(deps, source, { interval: intervalOfNames[source] })
    return runJobs(
      {
        next: completion.next,
        async run(books, signal) {
          await completion.run(books, signal)
          await setTimeout(intervals[source], undefined, { signal }).catch(() => {})
        },
      },
      { onError },
    )
  })
  return joinRunners(runners)
}

/** Completes all books that are due, without pauses. */
export async function completeAll(
  deps: CompletionDeps,
  now: () => number = Date.now,
): Promise<void> {
  for (const source of sourcesOf(deps))
    await runAllJobs(openCompletion(deps, source, { interval: 0, now }))
}

const sourcesOf = ({ catalogue }: CompletionDeps): CompletionSource[] => [
  'catalogue',
  ...catalogue.sources.map(({ name }) => name),
]

/** What a source is to be asked for, a few books at a time. */
function openCompletion(
  deps: CompletionDeps,
  source: CompletionSource,
  { interval, now = Date.now }: { interval: number; now?: () => number },
): Jobs<QueuedBook[]> {
  const { database, records, catalogue } = deps
  const queue = new SourceQueue(database, source)
  const all = sourcesOf(deps)
  const later = all.slice(all.indexOf(source) + 1)
  const { isbnsAtOnce: atMost = ownAtOnce } =
    catalogue.sources.find(({ name }) => name === source) ?? {}

  return {
    async next() {
      const queued = await queue.claim(atMost, now())
      return queued.length > 0 ? queued : undefined
    },
    async run(queued, signal) {
      const books = await Promise.all(queued.map((book) => openBook(deps, book, source)))
      const isbns = [...new Set(books.flatMap(({ sought }) => sought?.isbn ?? []))]
      const editions = await unlessStopped(editionsOf(catalogue, source, isbns), signal)
      const editionOf = async ({ sought }: OpenBook): Promise<Edition | null | undefined> => {
        if (!sought) return undefined
        if (sought.isbn) return editions && editions.find((one) => hasIsbn(one, sought.isbn))
        const found = await unlessStopped(editionNamed(catalogue, source, sought), signal)
        await setTimeout(interval, undefined, { signal }).catch(() => {})
        return found
      }
      // Those without an ISBN are asked for one by one, which takes longer than a claim holds.
      for (const book of books.toSorted((a, b) => Number(isNamed(a)) - Number(isNamed(b)))) {
        if (isNamed(book) && !(await renewBook(database, book, now()))) continue
        const edition = await editionOf(book)
        if (signal.aborted) return
        const work = async (tx: LibraryTransaction) => {
          const importId = await importOf(tx, book)
          if (importId === null) return
          const missing = await complete(tx, book.ids, edition, { source, importId })
          const next = later.find((one) => wanted[one].some((name) => missing.has(name)))
          if (edition === null) await postpone(tx, book, next, now())
          else await moveOn(tx, book, next)
        }
        await throttle(() => records.write(work, { isDurable: false }))
      }
    },
  }
}

/** @returns null as soon as it is stopped */
async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: stopped, resolve } = Promise.withResolvers<null>()
  const stop = () => resolve(null)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A queued book with its records. */
interface OpenBook extends QueuedBook {
  ids: string[]
  /** What to look up; null if the book lacks nothing that the source has. */
  sought: Sought | null
}

/** A book to look up, by its ISBN if it has one. */
interface Sought {
  isbn: string | null
  title: string
  authors: readonly string[]
}

/** Whether a book is looked up by its title and author. */
const isNamed = ({ sought }: OpenBook) => sought !== null && !sought.isbn

const hasIsbn = ({ isbns: { ISBN_13 } }: Edition, isbn: string | null) => ISBN_13 === isbn

/** @returns the book without records if its reader doesn't want it completed any more */
async function openBook(
  { database, records }: CompletionDeps,
  queued: QueuedBook,
  source: CompletionSource,
): Promise<OpenBook> {
  const rows = await query(
    database,
    sql`SELECT b.id FROM user_books b JOIN settings s ON s."user" = b."user"
      WHERE b."user" = ${queued.user} AND b.book_key = ${queued.book_key}
        AND s.complete_books <> 'off' ORDER BY b.id`,
  )
  const ids = named(rows, { id: text }).map(({ id }) => id)
  const copies = await Promise.all(ids.map((id) => records.find('user_books', id)))
  const copy = copies.find((one) => {
    return one && missingFields(one).some((name) => wanted[source].includes(name))
  })
  const sought = copy
    ? { isbn: toIsbn13(copy.isbn), title: copy.title, authors: copy.authors ?? [] }
    : null
  return { ...queued, ids, sought }
}

/** @returns null if the source doesn't answer */
async function editionsOf(
  catalogue: CompletionDeps['catalogue'],
  source: CompletionSource,
  isbns: readonly string[],
): Promise<readonly Edition[] | null> {
  if (!isbns.length) return []
  if (source === 'catalogue') {
    const found = await catalogue.named(isbns.map((isbn) => ({ isbn, titles: [], authors: [] })))
    return found.flatMap(({ byIsbn }) => byIsbn ?? [])
  }
  // The log has the reason.
  return catalogue.editionsFrom(source, isbns).catch(() => null)
}

/** @returns the edition that a title and author mean; null if the source doesn't answer */
async function editionNamed(
  catalogue: CompletionDeps['catalogue'],
  source: CompletionSource,
  { title, authors }: Sought,
): Promise<Edition | null | undefined> {
  const [author = ''] = authors
  if (!author) return undefined
  const titles = titleForms(title)
  const found: readonly Edition[] | null | undefined =
    source === 'catalogue'
      ? (await catalogue.named([{ isbn: '', titles, authors: [...authors] }]))[0]?.byName
      : await catalogue.namedFrom(source, { title: titles[1], author }).catch(() => null)
  if (!found) return null
  const read = { title, authors }
  return surelyNamed(read, foundUnder(read, found))
}

/**
 * Fills in what each of a book's records lacks.
 *
 * @param edition nothing is filled in without one, or if its title is another book's
 * @returns what they still lack
 */
async function complete(
  tx: LibraryTransaction,
  ids: readonly string[],
  edition: Edition | null | undefined,
  from: Parameters<typeof fillIn>[3],
): Promise<Set<CompletedField>> {
  suppressActivities(tx)
  const missing = new Set<CompletedField>()
  for (const id of ids) {
    const book = await tx.find('user_books', id)
    if (!book) continue
    const named = { title: book.title, authors: book.authors ?? [] }
    const filled =
      edition && isSameEdition(named, edition) ? await fillIn(tx, book, edition, from) : book
    for (const name of missingFields(filled)) missing.add(name)
  }
  return missing
}
