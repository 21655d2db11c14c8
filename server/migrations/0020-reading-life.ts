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
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    const bool = 'BOOLEAN NOT NULL DEFAULT FALSE'
    const add = (column: string) => `ALTER TABLE user_books ADD COLUMN ${column}`
    return [
      ...emptyTags(dialect),
      add(`notes ${said}`),
      add(`review ${said}`),
      add(`review_spoilers ${bool}`),
      add(`format ${said}`),
      add(`duration ${number}`),
      add(`progress_minutes ${number}`),
      add(`"isPrivate" ${bool}`),
      add(`position ${number}`),
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
      oneState,
      ...knownReadings(dialect),
    ]
  },
}

/** Adds the tags of a book: none for those that are there. */
function emptyTags(dialect: string): string[] {
  const add = `ALTER TABLE user_books ADD COLUMN tags TEXT`
  // PostgreSQL keeps the first default for the rows that are there, without writing them.
  return dialect === 'postgres'
    ? [
        `${add} COLLATE "C" NOT NULL DEFAULT '[]'`,
        `ALTER TABLE user_books ALTER COLUMN tags SET DEFAULT 'null'`,
      ]
    : [`${add} NOT NULL DEFAULT 'null'`, `UPDATE user_books SET tags = '[]'`]
}

/**
 * A book on several shelves has one state from now on: that of the copy changed last. All copies
 * are read once: looking at the others for each would take hours for a large library.
 */
const oneState = `UPDATE user_books SET rating = new.rating, progress = new.progress,
    progress_percent = new.progress_percent, status = new.status,
    progress_average = CASE WHEN new.progress_percent > 0 THEN new.progress_percent
      WHEN new.page_count <= 0 OR new.progress <= 0 THEN 0
      ELSE new.progress / new.page_count * 100 END
  FROM (
    SELECT id, page_count, progress_percent, status,
      CASE WHEN rated > 0 THEN rated ELSE rating END AS rating,
      -- Editions differ in length.
      CASE WHEN page_count > 0 AND (progress > page_count OR status = 'completed')
        THEN page_count ELSE progress END AS progress
    FROM (
      SELECT b.id, b.page_count, b.rating, FIRST_VALUE(b.progress) OVER newest AS progress,
        FIRST_VALUE(b.progress_percent) OVER newest AS progress_percent,
        FIRST_VALUE(b.status) OVER newest AS status,
        FIRST_VALUE(b.rating) OVER newest_rated AS rated
      FROM (SELECT "user", book_key FROM user_books
          GROUP BY "user", book_key HAVING COUNT(*) > 1) several
        JOIN user_books b ON b."user" = several."user" AND b.book_key = several.book_key
      WINDOW newest AS (PARTITION BY b."user", b.book_key ORDER BY b.updated DESC, b.id),
        newest_rated AS (PARTITION BY b."user", b.book_key
          ORDER BY CASE WHEN b.rating > 0 THEN 0 ELSE 1 END, b.updated DESC, b.id)
    ) copies
  ) new WHERE new.id = user_books.id`

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
  // Each entry about reading, with those before and after it in the same book's timeline.
  const told = `SELECT reader, key, event, at, day, LAG(event) OVER entries AS before_event,
      LAG(day) OVER entries AS before_day, LEAD(event) OVER entries AS next_event
    FROM (SELECT a.id, a."user" AS reader, b.book_key AS key, a.event_type AS event,
        a.created AS at,
        CASE WHEN SUBSTR(a.created, 1, 16) = SUBSTR(b.created, 1, 16) AND a.event_type <> 'reading'
          THEN '' ELSE SUBSTR(a.created, 1, 10) END AS day
      FROM activities a JOIN user_books b ON b.id = a.book AND b."user" = a."user"
      WHERE a.event_type IN ('reading', 'completed', 'dropped')) told
    WINDOW entries AS (PARTITION BY reader, key ORDER BY at, id)`
  const columns = `id, "user", book_key, started, finished, outcome, source, created, updated`
  return [
    // What ended, with the start that came right before, and what goes on.
    `INSERT INTO readings (${columns})
      SELECT ${newId}, reader, key,
        CASE WHEN event = 'reading' THEN day WHEN before_event = 'reading' THEN before_day
          ELSE '' END,
        CASE WHEN event = 'reading' THEN '' ELSE day END,
        CASE event WHEN 'completed' THEN 'finished' ELSE event END, 'app', at, at
      FROM (${told}) entries
      WHERE CASE WHEN event = 'reading' THEN next_event IS NULL
          AND EXISTS (SELECT 1 FROM user_books b WHERE b."user" = reader AND b.book_key = key
            AND b.status IN ('reading', 'paused'))
        ELSE before_event IS NULL OR before_event <> event END`,
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
    // The newest time through a book has its rating.
    `UPDATE readings SET rating = rated.rating
      FROM (
        SELECT r.id, b.rating
        FROM (SELECT id, "user", book_key, created,
            MAX(created) OVER (PARTITION BY "user", book_key) AS newest
          FROM readings WHERE outcome = 'finished') r
        JOIN (SELECT "user", book_key, MAX(rating) AS rating FROM user_books
          GROUP BY "user", book_key) b ON b."user" = r."user" AND b.book_key = r.book_key
        WHERE r.created = r.newest AND b.rating <> 0
      ) rated WHERE rated.id = readings.id`,
  ]
}
