import type { DatabaseSync } from 'node:sqlite'
import { preparedRows } from '#catalogue/index/rows.ts'
import { openOrRecreate } from '#catalogue/open-or-recreate.ts'
import type { FoundBook, FoundPage } from './source.ts'

/** Incremented when older files can't be read any more; their answers are then fetched again. */
const format = 1
/** The most answers, about 20 kB each; the oldest are dropped. */
const maxAnswers = 5000

/** A source's page and its time in milliseconds. */
interface CachedPage extends FoundPage {
  asked: number
}

/**
 * A cache of sources' pages, so that each request is made once; an old answer is better than none.
 * Keys are digests, so that the file doesn't reveal searches. The books are also added to the
 * index.
 */
export interface SourceCache {
  set(digest: string, page: FoundPage): void
  get(digest: string): CachedPage | null
  close(): void
}

/** @param file created if missing or damaged, emptied if it has another format */
export function openSourceCache(file: string, now: () => number): SourceCache {
  const db = openOrRecreate(file, prepare, 2000)
  const read = preparedRows(db, 'SELECT books, more, asked FROM answer WHERE digest = ?')
  const write = db.prepare('REPLACE INTO answer (digest, books, more, asked) VALUES (?, ?, ?, ?)')
  const forget = db.prepare(
    `DELETE FROM answer WHERE asked <= (SELECT asked FROM answer ORDER BY asked DESC
     LIMIT 1 OFFSET ${maxAnswers})`,
  )
  return {
    set(digest, { books, hasMore }) {
      write.run(digest, JSON.stringify(books), Number(hasMore), now())
      forget.run()
    },
    get(digest) {
      const [row] = read(digest)
      if (!row) return null
      const books = JSON.parse(String(row[0])) as FoundBook[]
      return { books, hasMore: row[1] === 1, asked: Number(row[2]) }
    },
    close: () => {
      if (db.isOpen) db.close()
    },
  }
}

function prepare(db: DatabaseSync): void {
  // Losing the latest answers in a power cut is fine.
  db.exec('PRAGMA synchronous = NORMAL')
  if (preparedRows(db, 'PRAGMA user_version')()[0]?.[0] !== format)
    db.exec(`DROP TABLE IF EXISTS answer; ${schema}; PRAGMA user_version = ${format}`)
}

const schema = `
CREATE TABLE answer (
  digest TEXT PRIMARY KEY,
  books TEXT NOT NULL,
  more INTEGER NOT NULL,
  asked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_asked ON answer (asked)
`
