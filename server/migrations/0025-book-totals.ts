import type { Migration } from './migration.ts'

/** What profiles and lists of tags say of all of a reader's books, counted once. */
export const bookTotals: Migration = {
  name: 'book-totals',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `CREATE TABLE book_totals ("user" ${text}, audience ${text}, books ${number},
        books_read ${number}, rated ${number}, rating_total ${number}, pages_read ${number},
        PRIMARY KEY ("user", audience))`,
      `CREATE TABLE tag_totals ("user" ${text}, audience ${text}, tag ${text}, books ${number},
        PRIMARY KEY ("user", audience, tag))`,
      ...countBookTotals(dialect),
    ]
  },
}

/** Counts the books and tags of all readers, for whom nothing is counted yet. */
export function countBookTotals(dialect: 'sqlite' | 'postgres'): string[] {
  const each =
    dialect === 'postgres'
      ? `jsonb_array_elements_text(CASE WHEN jsonb_typeof(b.tags::jsonb) = 'array'
          THEN b.tags::jsonb ELSE '[]'::jsonb END)`
      : `json_each(CASE WHEN json_type(b.tags) = 'array' THEN b.tags ELSE '[]' END)`
  const seen = {
    owner: 'TRUE',
    others: `h.visibility = 'public' AND b."isPrivate" = FALSE`,
  }
  return Object.entries(seen).flatMap(([audience, condition]) => [
    `INSERT INTO book_totals ("user", audience, books, books_read, rated, rating_total, pages_read)
      SELECT one."user", '${audience}', COUNT(*), SUM(one.is_read),
        SUM(CASE WHEN one.best > 0 THEN 1 ELSE 0 END), SUM(one.best), SUM(one.furthest)
      FROM (SELECT b."user", MAX(CASE WHEN b.status = 'completed' THEN 1 ELSE 0 END) AS is_read,
          MAX(b.rating) AS best, MAX(b.progress) AS furthest
        FROM user_books b JOIN bookshelves h ON h.id = b.shelf WHERE ${condition}
        GROUP BY b."user", b.book_key) one
      GROUP BY one."user"`,
    `INSERT INTO tag_totals ("user", audience, tag, books)
      SELECT b."user", '${audience}', tag.value, COUNT(DISTINCT b.book_key)
      FROM user_books b JOIN bookshelves h ON h.id = b.shelf CROSS JOIN ${each} AS tag
      WHERE ${condition} GROUP BY b."user", tag.value`,
  ])
}
