import { sql, type RawBuilder } from 'kysely'
import { audienceOf } from './audience.ts'

/** The condition on a settings row for a public profile. */
export const isPublicProfile = (settings: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${settings}."isPrivate" = FALSE AND ${settings}."isHidden" = FALSE)`

/**
 * The rows of `profile`: one per reader, with numbers over the books that the viewer may see, so
 * that private books never change a number for anybody else.
 */
export function profileRows(viewer: RawBuilder<string>): RawBuilder<unknown> {
  const total = (column: RawBuilder<unknown>) => sql`COALESCE(t.${column}, 0)`
  return sql`SELECT u.id, u.username, u.name, u.avatar,
    COALESCE(s.background, '') AS background,
    COALESCE(s."isPrivate", TRUE) AS "isPrivate",
    COALESCE(s."isHidden", TRUE) AS "isHidden",
    CASE WHEN t.rated > 0 THEN t.rating_total / t.rated ELSE 0 END AS average_rating,
    ${total(sql`books`)} AS books_count,
    ${total(sql`books_read`)} AS books_read,
    CAST((SELECT COUNT(*) FROM bookshelves h
      WHERE h."user" = u.id AND (h.visibility = 'public' OR u.id = ${viewer})) AS DOUBLE PRECISION)
      AS shelves_count,
    ${total(sql`pages_read`)} AS pages_read,
    u.created, u.username_key, u.name_key
  FROM users u LEFT JOIN settings s ON s."user" = u.id
    LEFT JOIN book_totals t ON t."user" = u.id AND t.audience = ${audienceOf(sql`u.id`, viewer)}`
}
