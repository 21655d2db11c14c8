import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openOrRecreate } from '#catalogue/open-or-recreate.ts'
import type { ReaderCounts } from '#catalogue/co-reads/count.ts'
import { lockTimeout } from '../index/schema.ts'
import { indexUpdater } from './index-updater.ts'
import { eachRow, preparedRows, preparedWrite } from '../index/rows.ts'
import type { CatalogueWork } from '../index/work.ts'

/** Learnt works with their source, such as "openlibrary", and an ISO date and time. */
export interface LearntBatch {
  source: string
  learntAt: string
  works: CatalogueWork[]
}

/**
 * Stores works from external sources, and how many readers have each book on a public shelf. It
 * outlives the index, which is built from it and other data.
 */
export interface LearntStore extends Disposable {
  /** Stores works and replaces those with the same id. */
  add(batch: LearntBatch): void
  /** Stores the number of readers by ISBN-13; missing ones have none. */
  setShelved(shelved: ReaderCounts): void
  /** The number of stored works. */
  count(): number
  /** Updates an index with everything that is new since the last time. */
  teach(index: DatabaseSync): void
}

/**
 * The most stored works; beyond this the longest unconfirmed ones are deleted. They stay in the
 * index until it is rebuilt.
 */
const maxCached = 200_000

const schema = `
CREATE TABLE IF NOT EXISTS learnt (
  step INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  learnt_at TEXT NOT NULL,
  work TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS learnt_learnt_at ON learnt (learnt_at);
CREATE TABLE IF NOT EXISTS shelved (isbn13 INTEGER PRIMARY KEY, readers INTEGER NOT NULL) STRICT;
-- Tells one count of the readers from another.
CREATE TABLE IF NOT EXISTS counted (id INTEGER PRIMARY KEY, mark TEXT NOT NULL) STRICT;
INSERT OR IGNORE INTO counted SELECT 1, 'before marks' FROM shelved LIMIT 1;
`

/**
 * @param file created if missing, and recreated if damaged
 * @throws if the folder can't be written
 */
export function openLearnt(file: string, max = maxCached): LearntStore {
  const db = openOrRecreate(file, (made) => made.exec(schema), lockTimeout)
  const same = preparedWrite(db, 'UPDATE learnt SET learnt_at = ? WHERE id = ? AND work = ?')
  const put = preparedWrite(
    db,
    'INSERT OR REPLACE INTO learnt (id, source, learnt_at, work) VALUES (?, ?, ?, ?)',
  )
  const forget = preparedWrite(
    db,
    `DELETE FROM learnt WHERE step IN (SELECT step FROM learnt ORDER BY learnt_at, step
       LIMIT max(0, (SELECT count(*) FROM learnt) - ?))`,
  )
  return {
    add({ source, learntAt, works }) {
      db.exec('BEGIN IMMEDIATE')
      for (const work of works) {
        const { id } = work.editions[0]
        const json = JSON.stringify(work)
        if (same.run(learntAt, id, json).changes === 0n) put.run(id, source, learntAt, json)
      }
      forget.run(max)
      db.exec('COMMIT')
    },
    setShelved({ isbns, readers }) {
      const set = preparedWrite(db, 'INSERT INTO shelved (isbn13, readers) VALUES (?, ?)')
      db.exec('BEGIN IMMEDIATE; DELETE FROM shelved')
      for (const [n, isbn13] of isbns.entries()) set.run(isbn13, readers[n] ?? 0)
      const mark = createHash('sha256').update(isbns).update(readers).digest('base64url')
      preparedWrite(db, 'INSERT OR REPLACE INTO counted VALUES (1, ?)').run(mark)
      db.exec('COMMIT')
    },
    count: () => Number(preparedRows(db, 'SELECT count(*) FROM learnt')()[0]?.[0]),
    teach: (index) => teach(index, db),
    [Symbol.dispose]: () => db.close(),
  }
}

function teach(index: DatabaseSync, learnt: DatabaseSync): void {
  const metaValue = preparedRows(index, 'SELECT value FROM meta WHERE key = ?')
  const say = preparedWrite(index, 'INSERT OR REPLACE INTO meta VALUES (?, ?)')
  const updater = indexUpdater(index)
  const isbns: string[] = []
  let step = Number(metaValue('learnt')[0]?.[0] ?? 0)
  const works = 'SELECT step, work FROM learnt WHERE step > ? ORDER BY step'
  for (const [at, work] of eachRow(learnt, works, step)) {
    isbns.push(...updater.put(JSON.parse(String(work)) as CatalogueWork))
    step = Number(at)
  }
  say.run('learnt', String(step))

  const [[mark = ''] = []] = preparedRows(learnt, 'SELECT mark FROM counted')()
  if (mark === (metaValue('shelved')[0]?.[0] ?? '')) {
    const readersOf = preparedRows(learnt, 'SELECT readers FROM shelved WHERE isbn13 = ?')
    for (const isbn13 of isbns)
      updater.addShelved(isbn13, Number(readersOf(Number(isbn13))[0]?.[0] ?? 0))
    updater.finish()
    return
  }
  const shelved = new Map<string, number>()
  for (const [isbn13, readers] of eachRow(learnt, 'SELECT isbn13, readers FROM shelved'))
    shelved.set(String(isbn13), Number(readers))
  updater.setShelved(shelved)
  updater.finish()
  say.run('shelved', String(mark))
}

/**
 * Updates the index in use with learnt works.
 *
 * @throws if the index is locked for too long or was just replaced: try again
 */
export function updateIndex(file: string, learnt: LearntStore): void {
  // A new index includes the learnt works anyway.
  if (!existsSync(file)) return
  using db = new DatabaseSync(file, { timeout: lockTimeout })
  db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE')
  learnt.teach(db)
  db.exec('COMMIT')
}
