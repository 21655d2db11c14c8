import { sql, type RawBuilder } from 'kysely'

/** The condition on a row of settings that lets everybody see the reader. */
export const isPublicProfile = (settings: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${settings}."isPrivate" = FALSE AND ${settings}."isHidden" = FALSE)`

/**
 * The rows of `profile`: one a reader, with numbers over the books this viewer may see, so that a
 * book on a private shelf changes no digit for anybody else. A book on two shelves is one book: it
 * is read when one of its records is, and its best rating and furthest page count.
 */
export function profileRows(viewer: RawBuilder<string>): RawBuilder<unknown> {
  const visibleBooks = sql`user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b."user" = u.id AND ((h.visibility = 'public' AND b."isPrivate" = FALSE) OR u.id = ${viewer})`
  const number = (expression: RawBuilder<unknown>) => sql`CAST(${expression} AS DOUBLE PRECISION)`
  const count = (what: RawBuilder<unknown>, where = sql``) =>
    number(sql`(SELECT COUNT(DISTINCT ${what}) FROM ${visibleBooks}${where})`)

  return sql`SELECT u.id, u.username, u.name, u.avatar,
    COALESCE(s.background, '') AS background,
    COALESCE(s."isPrivate", TRUE) AS "isPrivate",
    COALESCE(s."isHidden", TRUE) AS "isHidden",
    ${number(sql`(SELECT COALESCE(AVG(one.best), 0) FROM (
      SELECT MAX(b.rating) AS best FROM ${visibleBooks} AND b.rating > 0 GROUP BY b.book_key
    ) one)`)} AS average_rating,
    ${count(sql`b.book_key`)} AS books_count,
    ${count(sql`b.book_key`, sql` AND b.status = 'completed'`)} AS books_read,
    ${number(sql`(SELECT COUNT(*) FROM bookshelves h
      WHERE h."user" = u.id AND (h.visibility = 'public' OR u.id = ${viewer}))`)} AS shelves_count,
    ${number(sql`(SELECT COALESCE(SUM(one.furthest), 0) FROM (
      SELECT MAX(b.progress) AS furthest FROM ${visibleBooks} GROUP BY b.book_key
    ) one)`)} AS pages_read,
    u.created
  FROM users u LEFT JOIN settings s ON s."user" = u.id`
}
