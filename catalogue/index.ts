import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { starterBooks } from '#catalogue/starter/starter.ts'
import type { Book, CuratedSections, SearchForm, SearchResult } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { buildIndex } from './index/build.ts'
import { openPool } from './index/pool.ts'
import { formatVersion } from './index/schema.ts'
import { curatedSections, starterVersion, starterWorks } from './starter-works.ts'

export { CatalogueBusy } from './index/pool.ts'
export { bookSources, storeOffers } from './offers.ts'

/** Books of the world. Every answer comes from a worker thread; none needs the network. */
export interface Catalogue {
  /** One page of what a valid form asks for. */
  search(form: SearchForm): Promise<SearchResult>
  /** @param isbn ISBN-10 or ISBN-13, hyphens allowed; null for what is none */
  byIsbn(isbn: string): Promise<Book | null>
  /** @param id the catalogue's own id, `Book.id` */
  byId(id: string): Promise<Book | null>
  curated(): Promise<CuratedSections>
  /** Stops the workers; questions still waiting are rejected. */
  close(): Promise<void>
}

/**
 * Opens the catalogue in a folder. Its index, `catalogue.db`, is built from the starter books when
 * it is missing, unreadable, of another format or of other starter books.
 *
 * @param options.folder an existing folder that can be written
 * @param options.workers threads that search; one or two by the machine unless told
 * @throws when the folder cannot be written
 */
export async function openCatalogue(options: {
  folder: string
  workers?: number
}): Promise<Catalogue> {
  const file = join(options.folder, 'catalogue.db')
  const books = starterBooks()
  const works = starterWorks(books)
  const curated = curatedSections(books)
  const source = starterVersion(works, curated)
  if (!isCurrent(file, source)) buildIndex(file, works, { source, curated })
  const workers = options.workers ?? Math.max(1, Math.min(2, availableParallelism() - 1))
  const pool = openPool(file, workers)
  let shown: Promise<CuratedSections> | null = null
  const sections = async () => {
    const [classics, manga] = await Promise.all([
      pool.ask('section', 'classics'),
      pool.ask('section', 'manga'),
    ])
    return { classics, manga }
  }
  return {
    search: (form) => pool.ask('search', form),
    byIsbn: async (isbn) => {
      const isbn13 = toIsbn13(isbn)
      return isbn13 === null ? null : pool.ask('isbn', isbn13)
    },
    byId: (id) => pool.ask('key', id),
    curated: () => {
      shown ??= sections().catch((error: unknown) => {
        shown = null
        throw error
      })
      return shown
    },
    close: () => pool.close(),
  }
}

function isCurrent(file: string, source: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { readOnly: true })
    const read = db.prepare('SELECT value FROM meta WHERE key = ?')
    const value = (key: string) => read.get(key)?.['value']
    return value('format') === String(formatVersion) && value('source') === source
  } catch {
    // Missing, or no database: it is built anew.
    return false
  } finally {
    db?.close()
  }
}
