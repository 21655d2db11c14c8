import { sql } from 'kysely'
import { type Database, type Row, texts } from '#records/index.ts'
import { diaryPageSize, type DiaryPage, type DiaryEntry } from '#shared/diary.ts'
import { outcomes } from '#shared/reading.ts'
import { bookImages } from '#shared/user-book.ts'
import { query } from '#server/storage/query.ts'
import { findVisibleReader } from './profile.ts'

/**
 * The books a reader finished or stopped, latest first, as far as the viewer may see them. A
 * partial date comes after the full dates of its month or year.
 *
 * @param viewer id; '' for a visitor
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function listDiary(
  database: Database,
  username: string,
  viewer: string,
  page: number,
): Promise<DiaryPage | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const isOwn = reader.id === viewer
  const statement = database.dialect.compile(
    sql`SELECT r.id, r.started, r.finished, r.outcome, r.rating, r.book_key
      FROM (SELECT id FROM readings
        WHERE "user" = ${reader.id} AND ${isOwn ? hasBook : sql`visible = TRUE`} AND finished > ''
        ORDER BY finished DESC, id
        LIMIT ${sql.lit(diaryPageSize + 1)} OFFSET ${(page - 1) * diaryPageSize}) page
      JOIN readings r ON r.id = page.id ORDER BY r.finished DESC, r.id`,
  )
  // Whether a book is still there is looked up for each of the owner's readings before the page.
  const isLong = isOwn && page > shortUntil
  const parameters = statement.parameters as Parameters<Database['query']>[1]
  const entries = await (isLong
    ? database.search(statement.sql, parameters, viewer)
    : database.query(statement.sql, parameters))
  const shown = entries.slice(0, diaryPageSize)
  const keys = [...new Set(shown.map((row) => row[5]))]
  const books = keys.length ? await oldestCopies(database, reader.id, keys, isOwn) : new Map()
  const items = shown.flatMap((row) => {
    const book = books.get(row[5])
    return book ? toEntry(row, book) : []
  })
  return { items, page, hasMore: entries.length > diaryPageSize }
}

/** The owner's pages that take little time. */
const shortUntil = 50

/** Whether a reading's book is still there. */
const hasBook = sql`EXISTS (SELECT 1 FROM user_books b
  WHERE b."user" = readings."user" AND b.book_key = readings.book_key)`

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
    sql`SELECT b.book_key, b.id, b.title, b.authors, b.isbn, b.image, b.images
      FROM (SELECT c.id, ROW_NUMBER() OVER (PARTITION BY c.book_key ORDER BY c.created, c.id) AS place
        FROM ${visible} AND c."user" = ${user} AND c.book_key IN (${sql.join(keys)})) oldest
      JOIN user_books b ON b.id = oldest.id WHERE oldest.place = 1`,
  )
  return new Map(rows.map((row) => [row[0], row]))
}

function toEntry(reading: Row, copy: Row): DiaryEntry {
  const [id, started, finished, said] = reading.map(String) as [string, string, string, string]
  const [, bookId, title, authors, isbn, image, images] = copy.map(String) as [
    ...[string, string, string, string, string, string, string],
  ]
  const outcome = outcomes.find((one) => one === said) ?? 'finished'
  const lists = { authors: texts(authors), images: texts(images) }
  const covers = bookImages({ id: bookId, image, images: lists.images })
  const book = { id: bookId, title, authors: lists.authors, isbn, images: covers }
  return { id, started, finished, outcome, rating: Number(reading[4]), book }
}
