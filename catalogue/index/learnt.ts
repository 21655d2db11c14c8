import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openOrRecreate } from '#catalogue/open-or-recreate.ts'
import type { ReaderCounts } from '#catalogue/co-reads/count.ts'
import { lockTimeout } from './replace-index.ts'
import { indexUpdater } from './index-updater.ts'
import { eachRow, preparedRows, preparedWrite } from './rows.ts'
import type { CatalogueWork } from './work.ts'

/** Where a work was learnt from, such as "openlibrary", and when, as an ISO date and time. */
export interface LearntBatch {
  source: string
  learntAt: string
  works: CatalogueWork[]
}

/**
 * What was learnt while running: works from outside sources, and how many readers of Octavo have a
 * book on a public shelf. It outlives every index, which is made from it among other things.
 */
export interface LearntStore extends Disposable {
  /** Keeps works; one that is known under the same id takes its place. */
  add(batch: LearntBatch): void
  /** Keeps how many readers have each ISBN-13; what is not named has none any more. */
  setShelved(shelved: ReaderCounts): void
  /** How many works are kept. */
  count(): number
  /** Brings an index up to what is known now; nothing is done twice. */
  teach(index: DatabaseSync): void
}

/**
 * So many works are kept; of more, those go that no source has said for the longest time. What the
 * index holds of them stays in it until it is built anew.
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
 * @param file made when it is missing, and anew when it is damaged
 * @throws when the folder cannot be written
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
  const said = preparedRows(index, 'SELECT value FROM meta WHERE key = ?')
  const say = preparedWrite(index, 'INSERT OR REPLACE INTO meta VALUES (?, ?)')
  const updater = indexUpdater(index)
  const isbns: string[] = []
  let step = Number(said('learnt')[0]?.[0] ?? 0)
  const works = 'SELECT step, work FROM learnt WHERE step > ? ORDER BY step'
  for (const [at, work] of eachRow(learnt, works, step)) {
    isbns.push(...updater.put(JSON.parse(String(work)) as CatalogueWork))
    step = Number(at)
  }
  say.run('learnt', String(step))

  const [[mark = ''] = []] = preparedRows(learnt, 'SELECT mark FROM counted')()
  if (mark === (said('shelved')[0]?.[0] ?? '')) {
    const readersOf = preparedRows(learnt, 'SELECT readers FROM shelved WHERE isbn13 = ?')
    for (const isbn13 of isbns)
      updater.addShelved(isbn13, Number(readersOf(Number(isbn13))[0]?.[0] ?? 0))
    return
  }
  const shelved = new Map<string, number>()
  for (const [isbn13, readers] of eachRow(learnt, 'SELECT isbn13, readers FROM shelved'))
    shelved.set(String(isbn13), Number(readers))
  updater.setShelved(shelved)
  say.run('shelved', String(mark))
}

/**
 * Brings the index that is searched up to what is known.
 *
 * @throws when the index is locked for too long, or was replaced at this very moment: try again
 */
export function updateIndex(file: string, learnt: LearntStore): void {
  // Without an index there is nothing to teach; whoever builds one asks what was learnt.
  if (!existsSync(file)) return
  using db = new DatabaseSync(file, { timeout: lockTimeout })
  db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE')
  learnt.teach(db)
  db.exec('COMMIT')
}
