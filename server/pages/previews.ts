import { Hono, type Context } from 'hono'
import { LRUCache } from 'lru-cache'
import { drawPreview, type Catalogue } from '#catalogue/index.ts'
import { ApiError, type Database } from '#records/index.ts'
import { parseIsbn } from '#shared/isbn.ts'
import { readPublicReader } from '#server/library/directory.ts'
import { dataHeaders } from '#server/http/headers.ts'
import { isKnownVersion, versionOf } from '#server/http/known-version.ts'
import { previewBook, type BookOfPicture } from './preview-book.ts'

/** The size of the cache of previews, about 60 kB each. */
const maxCached = 200
/** Books in a reader's or Octavo's preview. */
const shown = 5

/**
 * `/previews/book/{isbn}.jpg`, `/previews/reader/{username}.jpg` and `/previews/octavo.jpg`: the
 * previews that other sites show for a link. They show what a visitor may see, whoever asks: a
 * private profile counts as unknown. The cache key is all that a picture shows, so no picture
 * outlives its data.
 *
 * @param deps.fetch calls the server in process, as a visitor, for covers
 */
export function previewRoutes(deps: {
  fetch: (request: Request) => Promise<Response>
  database: Database
  catalogue: Pick<Catalogue, 'byIsbn' | 'curated'>
  origin: string
}): Hono {
  const { database, catalogue } = deps
  const pictures = new LRUCache<string, Promise<Uint8Array>>({ max: maxCached })

  function drawn(key: string, books: readonly BookOfPicture[]): Promise<Uint8Array> {
    const cached = pictures.get(key)
    if (cached) return cached
    const picture = Promise.all(books.map((book) => previewBook(deps, book, 500))).then(drawPreview)
    pictures.set(key, picture)
    // Don't cache failures.
    picture.catch(() => pictures.delete(key))
    return picture
  }

  async function answer(c: Context, books: readonly BookOfPicture[]): Promise<Response> {
    const key = versionOf(JSON.stringify(books))
    const headers = {
      'Content-Type': 'image/jpeg',
      // Revalidated each time, so that what a reader hides disappears at once.
      'Cache-Control': 'public, no-cache',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: `"${key}"`,
    }
    if (isKnownVersion(c.req.header('if-none-match'), headers.ETag))
      return c.body(null, 304, headers)
    return c.body(new Uint8Array(await drawn(key, books)), 200, headers)
  }

  async function octavo(c: Context): Promise<Response> {
    const { classics, manga } = await catalogue.curated()
    const books = [...classics.slice(0, 3), ...manga.slice(0, shown - 3)]
    return answer(c, books.map(catalogueBook))
  }

  const router = new Hono()
  router.use(dataHeaders())
  return router
    .get('/octavo.jpg', octavo)
    .get('/book/:file{[\\dXx-]+\\.jpg}', async (c) => {
      const isbn = parseIsbn(c.req.param('file').slice(0, -4))
      const book = isbn && (await catalogue.byIsbn(isbn))
      if (!book) throw new ApiError(404)
      return answer(c, [catalogueBook(book)])
    })
    .get('/reader/:file{.+\\.jpg}', async (c) => {
      const reader = await readPublicReader(database, c.req.param('file').slice(0, -4), shown)
      if (!reader) throw new ApiError(404)
      return reader.books.length > 0 ? answer(c, reader.books) : octavo(c)
    })
}

const catalogueBook = (book: {
  title: string
  authors: readonly string[]
  image_links: readonly string[]
}): BookOfPicture => ({ title: book.title, authors: book.authors, images: book.image_links })
