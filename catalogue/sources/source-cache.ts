import type { DatabaseSync } from 'node:sqlite'
import { preparedRows } from '#catalogue/index/rows.ts'
import { openOrRecreate } from '#catalogue/open-or-recreate.ts'
import type { FoundBook, FoundPage } from './source.ts'

/** Raised when what older code wrote can no longer be read; it is then asked for anew. */
const format = 1
/** Some 20 kB each; beyond this many the oldest are forgotten. */
const maxAnswers = 5000

/** A page that a source answered, and when, in milliseconds. */
interface CachedPage extends FoundPage {
  asked: number
}

/**
 * The pages that sources answered: a question is put once, and an old answer is
 * better than none. Questions are kept as digests only, nobody can read from the file what was
 * looked for. The books themselves are learnt by the index as well.
 */
export interface SourceCache {
  set(digest: string, page: FoundPage): void
  get(digest: string): CachedPage | null
  close(): void
}

/** @param file made when missing or damaged, emptied when it is of another format */
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
  // Lost in a power cut, it is asked for again.
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
