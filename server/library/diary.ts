import { sql } from 'kysely'
import { type Database, type NamedRow, named, number, text, texts } from '#records/index.ts'
import { diaryPageSize, type DiaryPage, type DiaryEntry } from '#shared/diary.ts'
import { outcomes } from '#shared/reading.ts'
import { narrowings, type ReadingPartForm } from '#shared/statistics.ts'
import { bookImages } from '#shared/user-book.ts'
import { columnsOf } from '#server/collections/select.ts'
import { query } from '#server/storage/query.ts'
import { countedReadings, ofBooks, toSql } from './counted-readings.ts'
import { findVisibleReader } from './profile.ts'

/**
 * The books a reader finished or stopped, latest first, as far as the viewer may see them. A
 * partial date comes after the full dates of its month or year. The books may be removed by now.
 *
 * @param viewer id; '' for a visitor
 * @param form which page, and which bar of which statistics; without one, all that have a day
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function listDiary(
  database: Database,
  username: string,
  viewer: string,
  form: { page: number } & Partial<ReadingPartForm>,
): Promise<DiaryPage | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const { page, year, by } = form
  const isOwn = reader.id === viewer
  const isPart = [year, by, ...narrowings.map((name) => form[name])].some(Boolean)
  const conditions = isPart ? countedReadings(form) : [['finished', '>', ''] as const]
  if (!conditions) return { items: [], page, hasMore: false }
  const { dialect } = database
  const statement = dialect.compile(
    sql`SELECT r.id, r.started, r.finished, r.outcome, r.rating, r.book_key, r.title, r.authors,
        CASE WHEN r.format = 'audio' THEN 0 ELSE r.pages END
      FROM (SELECT id FROM readings
        WHERE "user" = ${reader.id} AND ${isOwn ? sql`TRUE` : sql`visible = TRUE`}
          AND ${toSql(dialect, conditions)} AND ${ofBooks(dialect, reader.id, isOwn, form)}
        ORDER BY finished DESC, id
        LIMIT ${sql.lit(diaryPageSize + 1)} OFFSET ${(page - 1) * diaryPageSize}) page
      JOIN readings r ON r.id = page.id ORDER BY r.finished DESC, r.id`,
  )
  const parameters = statement.parameters as Parameters<Database['query']>[1]
  // A bar's readings are searched for among all of the reader's.
  const entries = await (isPart
    ? database.search(statement.sql, parameters, viewer)
    : database.query(statement.sql, parameters))
  const shown = named(entries.slice(0, diaryPageSize), entryColumns)
  const keys = new Set(shown.map(({ book_key }) => book_key))
  const copies = keys.size ? await oldestCopies(database, reader.id, [...keys], isOwn) : []
  const books = new Map(copies.map((copy) => [copy.book_key, copy]))
  const items = shown.map((one) => toEntry(one, books.get(one.book_key)))
  return { items, page, hasMore: entries.length > diaryPageSize }
}

const entryColumns = {
  id: text,
  started: text,
  finished: text,
  outcome: (said: unknown) => outcomes.find((one) => one === said) ?? 'finished',
  rating: number,
  book_key: text,
  title: text,
  authors: texts,
  pages: number,
}

const copyColumns = columnsOf('user_books', 'book_key', 'id', 'isbn', 'image', 'images')
type Copy = NamedRow<typeof copyColumns>

/** @returns each book's oldest copy that the viewer may see */
function oldestCopies(
  database: Database,
  user: string,
  keys: readonly string[],
  isOwn: boolean,
): Promise<Copy[]> {
  const visible = isOwn
    ? sql`user_books c WHERE TRUE`
    : sql`user_books c JOIN bookshelves h ON h.id = c.shelf
        WHERE h.visibility = 'public' AND c."isPrivate" = FALSE`
  return query(
    database,
    sql`SELECT b.book_key, b.id, b.isbn, b.image, b.images
      FROM (SELECT c.id, ROW_NUMBER() OVER (PARTITION BY c.book_key ORDER BY c.created, c.id) AS place
        FROM ${visible} AND c."user" = ${user} AND c.book_key IN (${sql.join(keys)})) oldest
      JOIN user_books b ON b.id = oldest.id WHERE oldest.place = 1`,
    copyColumns,
  )
}

/** @param copy of its book; absent if it was removed */
function toEntry(reading: NamedRow<typeof entryColumns>, copy: Copy | undefined): DiaryEntry {
  const { id, started, finished, outcome, pages, rating, title, authors } = reading
  const { id: book, isbn, image, images } = copy ?? { id: '', isbn: '', image: '', images: [] }
  const shown = { id: book, title, authors, isbn, images: bookImages({ id: book, image, images }) }
  return { id, started, finished, outcome, pages, rating, book: shown }
}
