import { sql } from 'kysely'
import { texts, type Transaction } from '#records/index.ts'
import { workOf } from '#server/library/work.ts'
import { modify } from '#server/storage/query.ts'
import { rowsById } from './fill-columns.ts'
import type { Migration } from './migration.ts'

/** Who has read a work and what they think of it, as everybody sees it, and how many they are. */
export const workReaders: Migration = {
  name: 'work-readers',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      ...['rated', 'reviewed', 'work'].map(
        (name) => `ALTER TABLE user_books ADD COLUMN ${name} ${text} DEFAULT ''`,
      ),
      `UPDATE user_books SET rated = CASE WHEN rating > 0 THEN updated ELSE '' END,
        reviewed = CASE WHEN review <> '' THEN updated ELSE '' END
        WHERE rating > 0 OR review <> ''`,
      `CREATE INDEX user_books_user_work ON user_books ("user", work)`,
      `CREATE TABLE work_readers (work ${text}, "user" ${text}, rating ${number}, rated ${text},
        book ${text}, reviewed ${text}, PRIMARY KEY (work, "user"))`,
      `CREATE INDEX work_readers_reviewed ON work_readers (work, reviewed DESC, "user")
        WHERE reviewed <> ''`,
      `CREATE TABLE work_totals (work ${text}, step ${number}, readers ${number}, total ${number},
        PRIMARY KEY (work, step))`,
    ]
  },
  async fill(tx, progress) {
    await nameWorks(tx, progress)
    for (const statement of countWorks) await tx.query(statement)
  },
}

async function nameWorks(
  tx: Transaction,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const [row] = await tx.query(`SELECT COUNT(*) FROM user_books`)
  let done = 0
  for await (const rows of rowsById(tx, 'user_books', sql`title, authors`)) {
    const values = rows.map(([id, title, authors = null]) => {
      const work = workOf({ title: String(title), authors: texts(authors) })
      return sql`(${id}, ${work})`
    })
    await modify(
      tx,
      'user_books',
      sql`UPDATE user_books SET work = named.column2 FROM (VALUES ${sql.join(values)}) AS named
        WHERE user_books.id = named.column1`,
    )
    progress((done += rows.length), Number(row?.[0]))
  }
}

const first = (date: string) =>
  `ROW_NUMBER() OVER (PARTITION BY b.work, b."user" ORDER BY b.${date} DESC, b.id DESC)`

/** The statements that count the readers of all works, of which none is counted yet. */
export const countWorks = [
  `INSERT INTO work_readers (work, "user", rating, rated, book, reviewed)
    SELECT work, "user", MAX(CASE WHEN by_rated = 1 THEN rating ELSE 0 END),
      MAX(CASE WHEN by_rated = 1 THEN rated ELSE '' END),
      MAX(CASE WHEN by_reviewed = 1 AND reviewed <> '' THEN id ELSE '' END),
      MAX(CASE WHEN by_reviewed = 1 THEN reviewed ELSE '' END)
    FROM (SELECT b.work, b."user", b.id, b.rating, b.rated, b.reviewed,
        ${first('rated')} AS by_rated, ${first('reviewed')} AS by_reviewed
      FROM user_books b JOIN bookshelves h ON h.id = b.shelf AND h.visibility = 'public'
        JOIN settings s ON s."user" = b."user" AND s."isPrivate" = FALSE AND s."isHidden" = FALSE
      WHERE b.work <> '' AND b."isPrivate" = FALSE) copies
    GROUP BY work, "user"`,
  `INSERT INTO work_totals (work, step, readers, total)
    SELECT work, CASE WHEN rating <= 0 THEN 0 WHEN rating < 1 THEN 1 ELSE FLOOR(rating) END AS step,
      COUNT(*), SUM(rating)
    FROM work_readers GROUP BY 1, 2`,
]
