import { sql } from 'kysely'
import type { Database, Row } from '#records/index.ts'
import { diaryPageSize, type DiaryPage, type DiaryEntry } from '#shared/diary.ts'
import { outcomes } from '#shared/reading.ts'
import { bookImages } from '#shared/user-book.ts'
import { query, textList } from '#server/query.ts'
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
  // The oldest copy of the book.
  const copy = sql`(SELECT c.id FROM user_books c JOIN bookshelves h ON h.id = c.shelf
    WHERE c."user" = r."user" AND c.book_key = r.book_key AND (c."user" = ${viewer}
      OR h.visibility = 'public' AND c."isPrivate" = FALSE)
    ORDER BY c.created, c.id LIMIT 1)`
  const rows = await query(
    database,
    sql`SELECT r.id, r.started, r.finished, r.outcome, r.rating,
        b.id, b.title, b.authors, b.isbn, b.image, b.images
      FROM readings r JOIN user_books b ON b.id = ${copy}
      WHERE r."user" = ${reader.id} AND r.finished <> ''
      ORDER BY r.finished DESC, r.id
      LIMIT ${sql.lit(diaryPageSize + 1)} OFFSET ${(page - 1) * diaryPageSize}`,
  )
  const items = rows.slice(0, diaryPageSize).map(toEntry)
  return { items, page, hasMore: rows.length > diaryPageSize }
}

function toEntry(row: Row): DiaryEntry {
  const [id, started, finished, said, , bookId, title, authors, isbn, image, images] = row.map(
    String,
  ) as [...[string, string, string, string], string, ...[string, string, string], ...string[]]
  const outcome = outcomes.find((one) => one === said) ?? 'finished'
  const lists = { authors: textList(authors), images: textList(images ?? '[]') }
  const covers = bookImages({ id: bookId, image: image ?? '', images: lists.images })
  const book = { id: bookId, title, authors: lists.authors, isbn: isbn ?? '', images: covers }
  return { id, started, finished, outcome, rating: Number(row[4]), book }
}
