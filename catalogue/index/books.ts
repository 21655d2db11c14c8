import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import type { Book } from '#shared/book.ts'
import { bookSlug } from '#shared/book.ts'
import { toIsbn10 } from '#shared/isbn.ts'
import type { Cell } from './rows.ts'
import { preparedRows } from './rows.ts'

const names = z.array(z.string())
const sourceIds = z.object({
  google: z.string().exactOptional(),
  openlibrary: z.string().exactOptional(),
})

/** Books as the product shows them, out of an index file. */
export interface BookShelf {
  byEdition(editionId: number): Book | null
  byKey(key: string): Book | null
  section(name: string): Book[]
  close(): void
}

/**
 * @param file an index that `buildIndex` wrote
 * @returns look-ups on a read-only connection of their own
 */
export function openBooks(file: string): BookShelf {
  const db = new DatabaseSync(file, { readOnly: true })
  const columns = `e.key, e.ids, CASE e.title WHEN '' THEN w.title ELSE e.title END, w.subtitle,
    w.authors, w.genres, e.image_links, e.page_count, e.isbn13, w.description, e.published_date,
    e.publisher, e.language`
  const books = (rest: string) => {
    const sql = `SELECT ${columns} FROM edition e JOIN work w ON w.id = e.work_id ${rest}`
    const rows = preparedRows(db, sql)
    return (value: Cell) => rows(value).map(bookOf)
  }
  const byEdition = books('WHERE e.id = ?')
  const byKey = books('WHERE e.key = ?')
  const inSection = books(
    'JOIN curated c ON c.edition_id = e.id WHERE c.section = ? ORDER BY c.position',
  )
  return {
    byEdition: (id) => byEdition(id)[0] ?? null,
    byKey: (key) => byKey(key)[0] ?? null,
    section: inSection,
    close: () => db.close(),
  }
}

function bookOf(row: Cell[]): Book {
  const [key, ids, title, subtitle, authors, genres, images, pages, isbn, ...rest] = row
  const [description, publishedDate, publisher, language] = rest
  const isbn13 = isbn === null ? null : String(isbn)
  const isbn10 = isbn13 === null ? null : toIsbn10(isbn13)
  return {
    id: String(key),
    ids: sourceIds.parse(JSON.parse(String(ids))),
    title: String(title),
    ...(subtitle === '' ? {} : { subtitle: String(subtitle) }),
    authors: names.parse(JSON.parse(String(authors))),
    genres: names.parse(JSON.parse(String(genres))),
    image_links: names.parse(JSON.parse(String(images))),
    page_count: Number(pages),
    isbns: { ...(isbn10 ? { ISBN_10: isbn10 } : {}), ...(isbn13 ? { ISBN_13: isbn13 } : {}) },
    description: String(description),
    published_date: String(publishedDate),
    publisher: String(publisher),
    language: String(language),
    slug: bookSlug(String(title), isbn13 ?? undefined),
  }
}
