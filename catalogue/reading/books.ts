import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import type { Book } from '#shared/book.ts'
import { bookSlug } from '#shared/book.ts'
import { toIsbn10 } from '#shared/isbn.ts'
import {
  authorPageSize,
  comparePlaces,
  type AuthorBooks,
  type BookSeries,
  type SeriesBooks,
} from '#shared/series.ts'
import { foldWords } from '../text/fold.ts'
import type { Cell } from '../index/rows.ts'
import { linesOf, preparedRows } from '../index/rows.ts'
import { authorId } from '../index/names.ts'
import { lockTimeout, openLibraryNumber } from '../index/schema.ts'

const sourceIds = z.object({
  google: z.string().exactOptional(),
  openlibrary: z.string().exactOptional(),
  work: z.string().exactOptional(),
  gutenberg: z.string().exactOptional(),
  standard_ebooks: z.string().exactOptional(),
  librivox: z.string().exactOptional(),
  archive: z.string().exactOptional(),
})

const maxEditions = 100
const maxInSeries = 500
const maxOfAuthor = 1000

/** A series, and the ISBN-13s of a reader's books in it. */
export interface OwnedSeries {
  id: string
  isbns: string[]
}

/** A series with what all editions of each book are called, by which a reader's are recognised. */
export interface SeriesEditions extends SeriesBooks {
  entries: (SeriesBooks['entries'][number] & { isbns: string[]; titles: string[] })[]
}

/** Reads books from an index file. */
export interface IndexedBooks {
  byEdition(editionId: number): Book | null
  byKey(key: string): Book | null
  /** All editions of this edition's work, this one first. */
  editionsOf(key: string): Book[]
  section(name: string): Book[]
  /**
   * Its works in order, in the edition to show first; null for an unknown id. A former id finds
   * the series by its present one.
   */
  series(id: string): SeriesBooks | null
  /**
   * The same with the ISBN-13s and titles of all editions.
   *
   * @param owned ISBN-13s of editions that are shown instead
   */
  seriesEditions(id: string, owned: readonly string[]): SeriesEditions | null
  /** The series that books are part of, each with the ISBN-13s of its books. */
  seriesOf(isbns: readonly string[]): OwnedSeries[]
  /**
   * One page of an author's works, most read first; null for an unknown id. Another spelling or
   * name, or a former id, finds the author by the present id.
   */
  author(id: string, page: number): AuthorBooks | null
  close(): void
}

/**
 * @param file an index that `buildIndex` wrote
 * @returns lookups on their own read-only connection
 */
export function openBooks(file: string): IndexedBooks {
  const db = new DatabaseSync(file, { readOnly: true, timeout: lockTimeout })
  const columns = `e.id, e.key, e.ids, CASE e.title WHEN '' THEN w.title ELSE e.title END, w.subtitle,
    w.authors, w.genres, e.image_links, e.page_count, e.isbn13, w.description, e.published_date,
    e.publisher, e.language, w.id`
  const places = preparedRows(
    db,
    'SELECT series, name, position FROM series_place WHERE work_id = ? ORDER BY series',
  )
  const seriesOf = (workId: Cell) =>
    places(workId).map(([id, name, position]) => ({
      id: String(id),
      name: String(name),
      position: String(position),
    }))
  const books = (rest: string) => {
    const sql = `SELECT ${columns} FROM edition e JOIN work w ON w.id = e.work_id ${rest}`
    const rows = preparedRows(db, sql)
    return (...values: Cell[]) => rows(...values).map((row) => bookOf(row, seriesOf))
  }
  const byEdition = books('WHERE e.id = ?')
  const idOf = preparedRows(
    db,
    `SELECT id FROM edition WHERE id = ?1 UNION ALL SELECT id FROM edition WHERE key = ?2
     UNION ALL SELECT edition_id FROM alias WHERE key = ?2 LIMIT 1`,
  )
  const find = (key: string) => {
    const [[id] = []] = idOf(openLibraryNumber(key, 'M'), key)
    return id === undefined ? null : Number(id)
  }
  const ofWork = books(
    `WHERE e.work_id = (SELECT work_id FROM edition WHERE id = ?1)
     ORDER BY e.id <> ?1, e.published_date DESC, e.id LIMIT ${maxEditions}`,
  )
  const named = preparedRows(
    db,
    `SELECT d.edition_id, w.authors, w.author_names FROM fts JOIN doc d ON d.docid = fts.rowid
     JOIN work w ON w.id = d.work_id WHERE fts MATCH ? ORDER BY fts.rowid LIMIT ${maxOfAuthor}`,
  )
  const inSeries = preparedRows(
    db,
    `SELECT p.name, p.position, d.work_id, d.edition_id FROM series_place p
     JOIN doc d ON d.work_id = p.work_id WHERE p.series = ? LIMIT ${maxInSeries}`,
  )
  const editions = `SELECT e.id, e.work_id, i.value AS isbn13 FROM json_each(?) i
    JOIN edition e ON e.id IN (SELECT id FROM edition WHERE isbn13 = i.value
      UNION ALL SELECT edition_id FROM isbn WHERE isbn13 = i.value)`
  const owned = preparedRows(db, `SELECT work_id, id FROM (${editions})`)
  const seriesOfIsbns = preparedRows(
    db,
    `SELECT p.series, o.isbn13 FROM (${editions}) o JOIN series_place p ON p.work_id = o.work_id`,
  )
  const numbers = (isbns: readonly string[]) => JSON.stringify(isbns.map(Number))
  const namesOfEditions = preparedRows(
    db,
    `SELECT e.isbn13, iif(e.title = '', w.title, e.title) FROM edition e
       JOIN work w ON w.id = e.work_id WHERE e.work_id = ?1
     UNION SELECT i.isbn13, e.title FROM isbn i JOIN edition e ON e.id = i.edition_id
       WHERE e.work_id = ?1 AND e.title <> '' LIMIT ${maxEditions}`,
  )
  const formerly = preparedRows(db, 'SELECT now FROM former_id WHERE kind = ? AND id = ?')
  const inSection = books(
    'JOIN curated c ON c.edition_id = e.id WHERE c.section = ? ORDER BY c.position',
  )
  const namedLike = (id: string) => {
    const words = foldWords(id.replaceAll('-', ' '))
    return words.length === 0 ? [] : named(`author : "${words.join(' ')}"`)
  }
  const worksOf = (id: string) =>
    namedLike(id).flatMap(([edition, authors]) => {
      const name = linesOf(authors).find((one) => authorId(one) === id)
      return name === undefined ? [] : [{ edition: Number(edition), name }]
    })
  const presentId = (kind: 'series' | 'author', id: string) =>
    String(formerly(kind, id)[0]?.[0] ?? id)
  const worksInSeries = (asked: string, isbns: readonly string[]) => {
    const own = new Map(owned(numbers(isbns)).map(([work, edition]) => [work, edition] as const))
    const known = inSeries(asked)
    const id = known.length > 0 ? asked : presentId('series', asked)
    const found = id === asked ? known : inSeries(id)
    const [[name] = []] = found
    if (name === undefined) return null
    const entries = found
      .flatMap(([, position, work = null, shown]) =>
        byEdition(Number(own.get(work) ?? shown)).map((book): SeriesWork => {
          return { position: String(position), book, work }
        }),
      )
      .toSorted((a, b) => comparePlaces(a.position, b.position))
    return { series: { id, name: String(name), authors: mainAuthors(entries) }, entries }
  }
  return {
    byEdition: (id) => byEdition(id)[0] ?? null,
    byKey(key) {
      const id = find(key)
      return id === null ? null : (byEdition(id)[0] ?? null)
    },
    editionsOf(key) {
      const id = find(key)
      return id === null ? [] : ofWork(id)
    },
    section: inSection,
    seriesOf(isbns) {
      const rows = Map.groupBy(seriesOfIsbns(numbers(isbns)), ([id]) => String(id))
      return [...rows].map(([id, of]) => ({ id, isbns: of.map(([, isbn]) => String(isbn)) }))
    },
    series(asked) {
      const found = worksInSeries(asked, [])
      return found && { ...found, entries: found.entries.map(withoutWork) }
    },
    seriesEditions(asked, isbns) {
      const found = worksInSeries(asked, isbns)
      const withEditions = ({ work, ...entry }: SeriesWork) => {
        const of = namesOfEditions(work)
        return {
          ...entry,
          isbns: of.flatMap(([isbn]) => (isbn === null ? [] : String(isbn))),
          titles: [...new Set(of.map(([, title]) => String(title)))],
        }
      }
      return found && { ...found, entries: found.entries.map(withEditions) }
    },
    author(address, page) {
      const asked = authorId(address)
      const known = worksOf(asked)
      const present = () => authorAlsoCalled(asked, namedLike(asked)) ?? presentId('author', asked)
      const id = known.length > 0 ? asked : present()
      const works = id === asked ? known : worksOf(id)
      const [first] = works
      if (!first) return null
      const start = (page - 1) * authorPageSize
      const shown = works.slice(start, start + authorPageSize)
      return {
        author: { id, name: first.name },
        books: shown.flatMap(({ edition }) => byEdition(edition)),
        total: works.length,
        hasMore: works.length > start + authorPageSize,
      }
    },
    close: () => db.close(),
  }
}

/**
 * The author who has another name: the one of most works that have it, as works of several authors
 * don't say whose it is.
 *
 * @param works rows of an edition, its authors and their other names
 * @returns null if it is no other name of one author
 */
function authorAlsoCalled(id: string, works: readonly Cell[][]): string | null {
  const counts = new Map<string, number>()
  for (const [, authors, names] of works)
    if (linesOf(names).some((name) => authorId(name) === id))
      for (const author of linesOf(authors).map(authorId))
        counts.set(author, (counts.get(author) ?? 0) + 1)
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first && first[1] !== second?.[1] ? first[0] : null
}

interface SeriesWork {
  position: string
  book: Book
  work: Cell
}

const withoutWork = ({ position, book }: SeriesWork) => ({ position, book })

/** The authors of most of the books, at most three. */
function mainAuthors(entries: SeriesBooks['entries']): string[] {
  const counts = Map.groupBy(
    entries.flatMap(({ book }) => book.authors),
    (name) => name,
  )
  return [...counts]
    .filter(([, { length }]) => 2 * length >= entries.length)
    .map(([name]) => name)
    .slice(0, 3)
}

function bookOf(row: Cell[], seriesOf: (workId: Cell) => BookSeries[]): Book {
  const [id, key, ids, title, subtitle, authors, genres, images, pages, isbn, ...rest] = row
  const [description, publishedDate, publisher, language, workId = null] = rest
  const names = linesOf(authors)
  const isbn13 = isbn === null ? null : String(isbn)
  const isbn10 = isbn13 === null ? null : toIsbn10(isbn13)
  return {
    id: key === null ? `OL${String(id)}M` : String(key),
    ids:
      ids === null ? { openlibrary: `OL${String(id)}M` } : sourceIds.parse(JSON.parse(String(ids))),
    title: String(title),
    ...(subtitle === '' ? {} : { subtitle: String(subtitle) }),
    authors: names,
    author_ids: names.map(authorId),
    genres: linesOf(genres),
    image_links: linesOf(images).map(coverAddress),
    page_count: Number(pages),
    isbns: { ...(isbn10 ? { ISBN_10: isbn10 } : {}), ...(isbn13 ? { ISBN_13: isbn13 } : {}) },
    description: withoutTags(String(description)),
    published_date: String(publishedDate),
    publisher: String(publisher),
    language: String(language),
    slug: bookSlug(String(title), isbn13 ?? undefined),
    series: seriesOf(workId),
  }
}

/** Converts br and p tags of descriptions to plain text and keeps words apart. */
function withoutTags(description: string): string {
  if (!description.includes('<')) return description
  return description
    .replace(/(\S)(?:<\/?(?:br|p)\b[^>]*>)+(?=\S)/gi, '$1 ')
    .replace(/<\/?(?:br|p)\b[^>]*>/gi, '')
    .trim()
}

/** Covers of Open Library are stored as their number. */
function coverAddress(entry: string): string {
  return /^\d+$/.test(entry) ? `https://covers.openlibrary.org/b/id/${entry}-L.jpg` : entry
}
