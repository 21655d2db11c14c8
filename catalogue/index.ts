import { availableParallelism } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import type { Book, CuratedSections, SearchForm, SearchResult } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { catalogueFiles } from './files.ts'
import { startRebuild } from './import/start-rebuild.ts'
import { stagedMinEditions } from './import/staging.ts'
import { addStarter, buildIndex } from './index/build.ts'
import { openLearnt } from './index/learnt.ts'
import { metaOf } from './index/meta.ts'
import type { BookReference } from './index/book-reference.ts'
import { openPool, type Meter } from './index/pool.ts'
import { formatVersion } from './index/schema.ts'
import { decodePage, type EncodedPage } from './index/encoded-page.ts'
import type { CatalogueWork } from './index/work.ts'
import type { FoundByName } from './index/worker.ts'
import { starter } from './starter-works.ts'
import type { ReaderCounts } from './co-reads/count.ts'

export { importFlags } from './import/options.ts'
export { CatalogueBusy } from './index/pool.ts'
export { foldTitle, foldWords, indexText, isUnspacedToken } from './index/fold.ts'
export { editDistance } from './index/spelling.ts'
export type { CatalogueWork } from './index/work.ts'
export type { BookReference } from './index/book-reference.ts'
export type { FoundByName } from './index/worker.ts'
export { openCovers, type Covers, type CoversOptions } from './covers/covers.ts'
export { drawCover } from './covers/drawn-cover.ts'
export { coverFormats, type CoverFormat } from './covers/picture.ts'
export { drawPreview, type PreviewBook } from './covers/preview.ts'
export { preferredMarcLanguage } from './language.ts'
export { bookSources, storeOffers } from './offers.ts'
export { openModel, type Model } from './model/model.ts'
export { suggestedBooks } from './model/suggested.ts'
export { minReaders, type ReaderCounts } from './co-reads/count.ts'
export { countCoReads, type CoReads } from './co-reads/co-reads.ts'
export {
  withSources,
  type SourcesOptions,
  type FederatedCatalogue,
} from './sources/with-sources.ts'

/** Books of the world. Every answer comes from a worker thread; none needs the network. */
export interface Catalogue {
  /**
   * One page of what a valid form asks for.
   *
   * @param language MARC code of the language the reader prefers, such as "eng": works that have
   * an edition in it come a little earlier and are shown in it; none unless told
   */
  search(form: SearchForm, language?: string): Promise<SearchResult>
  /** The same as it is sent. */
  searchEncoded(form: SearchForm, language?: string): Promise<EncodedPage>
  /**
   * What a reader may be typing, best first: a few of the best known works, with the last word
   * only begun.
   *
   * @param language as for the search
   */
  suggest(text: string, count?: number, language?: string): Promise<Book[]>
  /** @param isbn ISBN-10 or ISBN-13, hyphens allowed; null for what is none */
  byIsbn(isbn: string): Promise<Book | null>
  /**
   * Looks many books up at once, each by its ISBN and, unless that is known, by its title and an
   * author: exactly, with no more tolerance than for other words between those of the title.
   *
   * @returns an answer for each, in their order
   */
  named(books: readonly BookReference[]): Promise<FoundByName[]>
  /** @param id the catalogue's own id, `Book.id` */
  byId(id: string): Promise<Book | null>
  /** The editions of the work that has this one, this one first; none for an unknown id. */
  editions(id: string): Promise<Book[]>
  curated(): Promise<CuratedSections>
  /**
   * Keeps what an outside source said. Works that the catalogue has (by id, ISBN, or title and
   * author) are completed, never overwritten; others are found by the next search. It is kept when
   * the index is built anew.
   *
   * @param source its name, such as "openlibrary"
   */
  learn(source: string, works: CatalogueWork[]): Promise<void>
  /**
   * Keeps how many readers have a book on a public shelf; works that many have rank higher.
   *
   * @param shelved all of them: what is not named has none
   */
  setShelved(shelved: ReaderCounts): Promise<void>
  /** Stops the workers; questions still waiting are rejected. */
  close(): Promise<void>
}

/** Milliseconds until a thread that nobody asks ends: readers wait for one to start, nobody for a writer. */
const searchIdle = 10 * 60_000
const writeIdle = 2000

/** Books of one question: a reader's search waits for no more than these. */
const namedAtOnce = 25
const withIsbn13 = (book: BookReference): BookReference => ({
  ...book,
  isbn: toIsbn13(book.isbn) ?? '',
})

/** Offered while typing unless told otherwise. */
const suggested = 8

/**
 * Opens the catalogue in a folder. Its index, `catalogue.db`, is built from the starter books and
 * from what was learnt when it is missing, unreadable or of another format; the import that is kept
 * there follows in the background. An index that another process puts in its place is searched from
 * the next question on.
 *
 * @param options.folder an existing folder that can be written
 * @param options.workers threads that search; one or two by the machine unless told
 * @param options.meter asked at each search whom to tell what it took; nobody unless given
 * @throws when the folder cannot be written
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
  // Writing is a thread of its own, so that no search waits behind it.
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
        found.push(...(await pool.ask('named', some.map(withIsbn13))))
      }
      return found
    },
    byId: (id) => pool.ask('key', id),
    editions: (id) => pool.ask('editions', id),
    curated: sections,
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
 * The commands for the operator, see ./import/command.ts; loaded only when one is given.
 *
 * @returns the exit code
 */
export async function catalogueCommand(args: string[], folder: string): Promise<number> {
  const { runCatalogueCommand } = await import('./import/command.ts')
  return runCatalogueCommand(args, folder)
}

/**
 * Leaves an index at the file that the workers can read.
 *
 * @returns whether it lacks the import that is kept beside it
 */
async function prepareIndex(files: ReturnType<typeof catalogueFiles>): Promise<boolean> {
  const { file } = files
  const shipped = starter()
  using learnt = openLearnt(files.learnt)
  // Missing, or no database: it is built anew.
  const { format, starter: version, imported } = metaOf(file)
  if (format === String(formatVersion) && version === shipped.version) return false
  if (format !== String(formatVersion) || imported === undefined) {
    const isKept = stagedMinEditions(files.staged) !== null
    await buildIndex(file, shipped, learnt)
    return isKept
  }
  // An import is not thrown away for new starter books.
  using db = new DatabaseSync(file)
  db.exec('BEGIN IMMEDIATE')
  addStarter(db, shipped)
  db.exec('COMMIT')
  return false
}
