import { availableParallelism } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import type { Book, CuratedSections, SearchForm, SearchResult } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import type { AuthorBooks, SeriesBooks } from '#shared/series.ts'
import { catalogueFiles } from './files.ts'
import { startRebuild } from './import/start-rebuild.ts'
import { stagedMinEditions } from './import/staging.ts'
import { addStarter, buildIndex } from './starter/build-index.ts'
import { openLearnt } from './learning/learnt.ts'
import { metaOf } from './index/meta.ts'
import { boundReference, type BookReference } from './search/book-reference.ts'
import { openPool, type Meter } from './search/pool.ts'
import { formatVersion } from './index/schema.ts'
import { decodePage, type EncodedPage } from './search/encoded-page.ts'
import type { OwnedSeries, SeriesEditions } from './reading/books.ts'
import type { CatalogueWork } from './index/work.ts'
import type { FoundByName, SuggestedBooks } from './search/worker.ts'
import { starter, starterVersion } from './starter-works.ts'
import type { ReaderCounts } from './co-reads/count.ts'

/** The catalogue. Every answer comes from a worker thread; none needs the network. */
export interface Catalogue {
  /**
   * Searches with a valid form, one page at a time.
   *
   * @param language MARC code of the language the reader prefers, such as "eng": works that have an
   *   edition in it rank a little higher and are shown in it; none by default
   */
  search(form: SearchForm, language?: string): Promise<SearchResult>
  /** The same as serialized JSON. */
  searchEncoded(form: SearchForm, language?: string): Promise<EncodedPage>
  /**
   * Suggests well-known works, series and authors while a reader types, best first; the last word
   * may be incomplete.
   *
   * @param language as for the search
   */
  suggest(text: string, count?: number, language?: string): Promise<SuggestedBooks>
  /** @param isbn ISBN-10 or ISBN-13, hyphens allowed; null if invalid */
  byIsbn(isbn: string): Promise<Book | null>
  /**
   * Looks up many books at once, each by its ISBN or else by its title and an author. The match is
   * exact, apart from extra words within a title.
   *
   * @returns an answer for each, in order
   */
  named(books: readonly BookReference[]): Promise<FoundByName[]>
  /** @param id the catalogue's own id, `Book.id` */
  byId(id: string): Promise<Book | null>
  /** All editions of this edition's work, this one first; empty for an unknown id. */
  editions(id: string): Promise<Book[]>
  curated(): Promise<CuratedSections>
  /** A series with its works in order; null for an unknown id. */
  series(id: string): Promise<SeriesBooks | null>
  /**
   * The same with the ISBN-13s and titles of all editions.
   *
   * @param owned ISBN-13s of editions that are shown instead of others of the same works
   */
  seriesEditions(id: string, owned?: readonly string[]): Promise<SeriesEditions | null>
  /** The series that a reader's books are part of, each with the ISBN-13s of its books. */
  seriesOf(isbns: readonly string[]): Promise<OwnedSeries[]>
  /** One page of an author's works, most read first; null for an unknown id. */
  author(id: string, page: number): Promise<AuthorBooks | null>
  /**
   * Stores works from an external source. Known works (by id, ISBN, or title and author) are
   * completed, never overwritten; new ones are found by the next search. They survive a rebuild of
   * the index.
   *
   * @param source its name, such as "openlibrary"
   */
  learn(source: string, works: CatalogueWork[]): Promise<void>
  /**
   * Stores how many readers have each book on a public shelf; popular works rank higher.
   *
   * @param shelved the complete counts: missing books have none
   */
  setShelved(shelved: ReaderCounts): Promise<void>
  /** Stops the workers; waiting requests are rejected. */
  close(): Promise<void>
}

/**
 * Milliseconds until an idle thread ends. Searches wait for a thread to start; nobody waits for a
 * writer.
 */
const searchIdle = 10 * 60_000
const writeIdle = 2000

/** Books per request to a worker, which limits how long a search waits behind it. */
const namedAtOnce = 5
const seriesAtOnce = 100
const toReference = (book: BookReference): BookReference =>
  boundReference({ ...book, isbn: toIsbn13(book.isbn) ?? '' })

/** The default number of suggestions. */
const suggested = 8

/**
 * Opens the catalogue in a folder. If its index, `catalogue.db`, is missing, unreadable or of
 * another format, it is built from the starter books and learnt works, and a stored import is added
 * in the background. If another process replaces the index, the next request uses the new one.
 *
 * @param options.folder an existing writable folder
 * @param options.workers number of search threads; one or two by default, depending on the machine
 * @param options.meter called at each search; returns a function that receives its processor time
 * @throws if the folder can't be written
 */
export async function openCatalogue(options: {
  folder: string
  workers?: number
  meter?: Meter
}): Promise<Catalogue> {
  const files = catalogueFiles(options.folder)
  const isImportMissing = await prepareIndex(files)
  const stopRebuilding = isImportMissing ? startRebuild(options.folder) : () => undefined
  const workers = options.workers ?? Math.max(1, Math.min(2, availableParallelism() - 1))
  const pool = openPool(files, { size: workers, idle: searchIdle, meter: options.meter })
  // Writes have their own thread, so that no search waits for them.
  const writer = openPool(files, { size: 1, idle: writeIdle })
  const sections = async () => {
    const [classics, manga] = await Promise.all([
      pool.ask('section', 'classics'),
      pool.ask('section', 'manga'),
    ])
    return { classics, manga }
  }
  const searchEncoded = (form: SearchForm, language = '') => pool.ask('search', { form, language })
  return {
    searchEncoded,
    search: async (form, language) => decodePage(await searchEncoded(form, language)),
    suggest: (text, count = suggested, language = '') =>
      pool.ask('suggest', { text, count, language }),
    byIsbn: async (isbn) => {
      const isbn13 = toIsbn13(isbn)
      return isbn13 === null ? null : pool.ask('isbn', isbn13)
    },
    named: async (books) => {
      const found: FoundByName[] = []
      for (let from = 0; from < books.length; from += namedAtOnce) {
        const some = books.slice(from, from + namedAtOnce)
        found.push(...(await pool.askLater('named', some.map(toReference))))
      }
      return found
    },
    byId: (id) => pool.ask('key', id),
    editions: (id) => pool.ask('editions', id),
    curated: sections,
    series: (id) => pool.ask('series', id),
    seriesEditions: (id, owned = []) => pool.ask('seriesEditions', { id, owned }),
    seriesOf: async (isbns) => {
      const found = new Map<string, OwnedSeries>()
      for (let from = 0; from < isbns.length; from += seriesAtOnce) {
        const some = isbns.slice(from, from + seriesAtOnce)
        for (const { id, isbns: own } of await pool.askLater('seriesOf', some))
          found.getOrInsertComputed(id, () => ({ id, isbns: [] })).isbns.push(...own)
      }
      return [...found.values()]
    },
    author: (id, page) => pool.ask('author', { id, page }),
    learn: async (source, works) => {
      if (works.length === 0) return
      await writer.ask('learn', { source, works, learntAt: new Date().toISOString() })
    },
    setShelved: async (shelved) => {
      await writer.ask('shelved', shelved)
    },
    close: async () => {
      await Promise.all([pool.close(), writer.close(), stopRebuilding()])
    },
  }
}

/**
 * Makes sure that there is an index that the workers can read.
 *
 * @returns whether it lacks the stored import
 */
async function prepareIndex(files: ReturnType<typeof catalogueFiles>): Promise<boolean> {
  const { file } = files
  using learnt = openLearnt(files.learnt)
  // Missing or not a database: build it.
  const { format, starter: version, imported } = metaOf(file)
  if (format === String(formatVersion) && version === starterVersion()) return false
  const shipped = starter()
  if (format !== String(formatVersion) || imported === undefined) {
    const isKept = stagedMinEditions(files.staged) !== null
    await buildIndex(file, shipped, learnt)
    return isKept
  }
  // Don't discard an import because of new starter books.
  using db = new DatabaseSync(file)
  db.exec('BEGIN IMMEDIATE')
  addStarter(db, shipped)
  db.exec('COMMIT')
  return false
}
