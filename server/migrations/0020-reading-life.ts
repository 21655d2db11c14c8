import type { Migration } from './migration.ts'

/**
 * What readers know about their books: tags, notes, reviews, formats, private books, each time
 * through a book, progress by day, quotes and goals.
 */
export const readingLife: Migration = {
  name: 'reading-life',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const id = `id ${dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT'} PRIMARY KEY NOT NULL`
    const said = `${text} DEFAULT ''`
    const json = `${text} DEFAULT 'null'`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    const bool = 'BOOLEAN NOT NULL DEFAULT FALSE'
    const add = (column: string) => `ALTER TABLE user_books ADD COLUMN ${column}`
    return [
      add(`tags ${json}`),
      add(`notes ${said}`),
      add(`review ${said}`),
      add(`review_spoilers ${bool}`),
      add(`format ${said}`),
      add(`duration ${number}`),
      add(`progress_minutes ${number}`),
      add(`"isPrivate" ${bool}`),
      add(`position ${number}`),
      `UPDATE user_books SET tags = '[]'`,
      `ALTER TABLE bookshelves ADD COLUMN private_count ${number}`,
      `ALTER TABLE settings ADD COLUMN time_zone ${said}`,

      // What everybody may see is counted and compared without a look at the table.
      `DROP INDEX user_books_user_shelf`,
      `DROP INDEX user_books_shelf_user`,
      `DROP INDEX user_books_profile`,
      `DROP INDEX user_books_readers`,
      `CREATE INDEX user_books_user_shelf ON user_books ("user", shelf, "isPrivate")`,
      `CREATE INDEX user_books_shelf_user ON user_books (shelf, "user", "isPrivate")`,
      `CREATE INDEX user_books_profile ON user_books
        ("user", book_key, shelf, rating, progress, status, "isPrivate")`,
      `CREATE INDEX user_books_readers ON user_books (book_key, "user", shelf, rating, "isPrivate")`,

      `CREATE TABLE readings (${id}, "user" ${said}, book_key ${said}, started ${said},
        finished ${said}, outcome ${said}, format ${said}, pages ${number}, minutes ${number},
        rating ${number}, source ${said}, created ${said}, updated ${said})`,
      `CREATE INDEX readings_user_book ON readings ("user", book_key, created)`,
      `CREATE INDEX readings_user_finished ON readings ("user", finished)`,
      `CREATE INDEX readings_user_created ON readings ("user", created DESC, id)`,

      `CREATE TABLE progress_log (${id}, "user" ${said}, book_key ${said}, reading ${said},
        day ${said}, "at" ${said}, unit ${said}, "from" ${number}, "to" ${number},
        minutes ${number}, source ${said})`,
      `CREATE INDEX progress_log_user_book ON progress_log ("user", book_key, day)`,
      `CREATE INDEX progress_log_user_day ON progress_log ("user", day)`,
      `CREATE INDEX progress_log_reading ON progress_log (reading)`,

      `CREATE TABLE quotes (${id}, "user" ${said}, book_key ${said}, text ${said}, note ${said},
        page ${number}, percent ${number}, "isPrivate" ${bool}, created ${said}, updated ${said})`,
      `CREATE INDEX quotes_user_book ON quotes ("user", book_key, created)`,
      `CREATE INDEX quotes_user_created ON quotes ("user", created DESC, id)`,

      `CREATE TABLE goals (${id}, "user" ${said}, year ${number}, kind ${said}, target ${number},
        "isPrivate" ${bool}, created ${said}, updated ${said})`,
      `CREATE UNIQUE INDEX goals_user_year_kind_unique ON goals ("user", year, kind)`,
      ...oneState,
      ...knownReadings(dialect),
    ]
  },
}

/** Whether a reader has the book on another shelf, too. */
const hasCopy = `EXISTS (SELECT 1 FROM user_books o WHERE o."user" = user_books."user"
  AND o.book_key = user_books.book_key AND o.id <> user_books.id)`

const newest = (column: string, where = '') => `(SELECT n.${column} FROM user_books n
  WHERE n."user" = user_books."user" AND n.book_key = user_books.book_key${where}
  ORDER BY n.updated DESC, n.id LIMIT 1)`

/** A book on several shelves has one state from now on: that of the copy changed last. */
const oneState = [
  `UPDATE user_books SET rating = ${newest('rating', ' AND n.rating > 0')}
    WHERE ${hasCopy} AND ${newest('rating', ' AND n.rating > 0')} IS NOT NULL`,
  `UPDATE user_books SET progress = ${newest('progress')} WHERE ${hasCopy}`,
  `UPDATE user_books SET progress_percent = ${newest('progress_percent')},
    status = ${newest('status')} WHERE ${hasCopy}`,
  // Editions differ in length.
  `UPDATE user_books SET progress = page_count WHERE page_count > 0 AND ${hasCopy}
    AND (progress > page_count OR status = 'completed')`,
  `UPDATE user_books SET progress_average = CASE WHEN progress_percent > 0 THEN progress_percent
    WHEN page_count <= 0 OR progress <= 0 THEN 0 ELSE progress / page_count * 100 END
    WHERE ${hasCopy}`,
]

/**
 * Readings that the timeline knows of. An entry from the minute in which its book was added says
 * nothing about a day: the book may have been read long before.
 */
function knownReadings(dialect: string): string[] {
  // 15 characters that nobody can guess, as records' ids are.
  const newId =
    dialect === 'postgres'
      ? `SUBSTR(MD5(RANDOM()::text || CLOCK_TIMESTAMP()::text), 1, 15)`
      : `LOWER(SUBSTR(HEX(RANDOMBLOB(8)), 1, 15))`
  const told = `SELECT a."user" AS reader, b.book_key AS key, a.event_type AS event, a.created AS at,
      CASE WHEN SUBSTR(a.created, 1, 16) = SUBSTR(b.created, 1, 16) AND a.event_type <> 'reading'
        THEN '' ELSE SUBSTR(a.created, 1, 10) END AS day,
      ROW_NUMBER() OVER (PARTITION BY a."user", b.book_key ORDER BY a.created, a.id) AS place
    FROM activities a JOIN user_books b ON b.id = a.book AND b."user" = a."user"
    WHERE a.event_type IN ('reading', 'completed', 'dropped')`
  const previous = `LAG(event) OVER (PARTITION BY reader, key ORDER BY place)`
  const steps = `SELECT told.*, ${previous} AS before_event,
      LAG(day) OVER (PARTITION BY reader, key ORDER BY place) AS before_day,
      LEAD(event) OVER (PARTITION BY reader, key ORDER BY place) AS next_event FROM told`
  const columns = `id, "user", book_key, started, finished, outcome, source, created, updated`
  const outcome = `CASE WHEN event = 'completed' THEN 'finished' ELSE 'dropped' END`
  return [
    // What ended, with the start that came right before.
    `INSERT INTO readings (${columns})
      SELECT ${newId}, reader, key, CASE WHEN before_event = 'reading' THEN before_day ELSE '' END,
        day, ${outcome}, 'app', at, at
      FROM (WITH told AS (${told}) ${steps}) steps
      WHERE event IN ('completed', 'dropped') AND (before_event IS NULL OR before_event <> event)`,
    // What goes on.
    `INSERT INTO readings (${columns})
      SELECT ${newId}, reader, key, day, '', 'reading', 'app', at, at
      FROM (WITH told AS (${told}) ${steps}) steps
      WHERE event = 'reading' AND next_event IS NULL
        AND EXISTS (SELECT 1 FROM user_books b WHERE b."user" = reader AND b.book_key = key
          AND b.status IN ('reading', 'paused'))`,
    // What the timeline has forgotten: that it was read, and not when.
    `INSERT INTO readings (${columns})
      SELECT ${newId}, b."user", b.book_key, '', '', MIN(CASE WHEN b.status = 'completed'
        THEN 'finished' WHEN b.status = 'dropped' THEN 'dropped' ELSE 'reading' END),
        'app', MAX(b.updated), MAX(b.updated)
      FROM user_books b WHERE b.status <> 'planning'
        AND NOT EXISTS (SELECT 1 FROM readings r WHERE r."user" = b."user" AND r.book_key = b.book_key
          AND r.outcome = CASE WHEN b.status = 'completed' THEN 'finished'
            WHEN b.status = 'dropped' THEN 'dropped' ELSE 'reading' END)
      GROUP BY b."user", b.book_key`,
    `UPDATE readings SET rating = COALESCE((SELECT MAX(b.rating) FROM user_books b
        WHERE b."user" = readings."user" AND b.book_key = readings.book_key), 0)
      WHERE outcome = 'finished' AND NOT EXISTS (SELECT 1 FROM readings l
        WHERE l."user" = readings."user" AND l.book_key = readings.book_key
          AND l.outcome = 'finished' AND l.created > readings.created)`,
  ]
}
