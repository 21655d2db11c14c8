import { sql } from 'kysely'
import { type Database, type Row, number, text, texts } from '#records/index.ts'
import { diaryPageSize, type DiaryPage, type DiaryEntry } from '#shared/diary.ts'
import { outcomes } from '#shared/reading.ts'
import { narrowings, type ReadingPartForm } from '#shared/statistics.ts'
import { bookImages } from '#shared/user-book.ts'
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
  const shown = entries.slice(0, diaryPageSize)
  const keys = [...new Set(shown.map((row) => row[5]))]
  const books = keys.length ? await oldestCopies(database, reader.id, keys, isOwn) : new Map()
  const items = shown.map((row) => toEntry(row, books.get(row[5])))
  return { items, page, hasMore: entries.length > diaryPageSize }
}

/** @returns each book's oldest copy that the viewer may see, by key */
async function oldestCopies(
  database: Database,
  user: string,
  keys: readonly unknown[],
  isOwn: boolean,
): Promise<Map<unknown, Row>> {
  const visible = isOwn
    ? sql`user_books c WHERE TRUE`
    : sql`user_books c JOIN bookshelves h ON h.id = c.shelf
        WHERE h.visibility = 'public' AND c."isPrivate" = FALSE`
  const rows = await query(
    database,
    sql`SELECT b.book_key, b.id, b.isbn, b.image, b.images
      FROM (SELECT c.id, ROW_NUMBER() OVER (PARTITION BY c.book_key ORDER BY c.created, c.id) AS place
        FROM ${visible} AND c."user" = ${user} AND c.book_key IN (${sql.join(keys)})) oldest
      JOIN user_books b ON b.id = oldest.id WHERE oldest.place = 1`,
  )
  return new Map(rows.map((row) => [row[0], row]))
}

/** @param copy of its book; absent if it was removed */
function toEntry(reading: Row, copy: Row | undefined): DiaryEntry {
  const [id = null, started = null, finished = null, said, rating = 0, , title = null] = reading
  const authors = texts(reading[7] ?? null)
  const pages = number(reading[8] ?? 0)
  const [, bookId = '', isbn = '', image = '', images = 'null'] = copy ?? []
  const shown = { id: text(bookId), image: text(image), images: texts(images) }
  return {
    id: text(id),
    started: text(started),
    finished: text(finished),
    outcome: outcomes.find((one) => one === said) ?? 'finished',
    pages,
    rating: number(rating),
    book: {
      id: shown.id,
      title: text(title),
      authors,
      isbn: text(isbn),
      images: bookImages(shown),
    },
  }
}
