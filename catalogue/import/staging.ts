import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { preparedRows } from '#catalogue/index/rows.ts'
import { worksSchema } from '#catalogue/index/schema.ts'
import type { Dump, ImportOptions } from './options.ts'
import { dumpStat } from './dump-lines.ts'

/** Incremented whenever the staging format changes. */
const stagingVersion = 3
/** The oldest version that can still be indexed; columns it lacks are empty. */
const oldestVersion = 1

/** Columns that version 1 lacks. */
const laterColumns = ['author_names', 'details', 'about']

/** Upgrades a staging file of an older version. */
export function upgradeStaging(db: DatabaseSync): void {
  db.exec(readersSchema + seriesSchema)
  const columns = preparedRows(db, `SELECT name FROM pragma_table_info('work')`)().flat()
  for (const name of laterColumns)
    if (!columns.includes(name))
      db.exec(`ALTER TABLE work ADD COLUMN ${name} TEXT NOT NULL DEFAULT ''`)
}

/** The progress of one dump's import. */
export interface DumpProgress {
  lines: number
  bytes: number
  done: boolean
}

/**
 * The staging file of an import. Each batch is committed together with the progress of its dump.
 */
export interface Staging extends Disposable {
  db: DatabaseSync
  /** Whether this continues an earlier import of the same files with the same options. */
  resumed: boolean
  progress(dump: Dump): DumpProgress
  /** Runs work and stores the progress in one transaction. */
  commit(
    dump: Dump,
    progress: DumpProgress,
    skipped: ReadonlyMap<string, number>,
    work: () => void,
  ): void
  /** Skipped lines by dump and reason. */
  report(): { dump: string; reason: string; lines: number }[]
}

/** A separate table: updating all works would take as long as importing them. */
export const readersSchema = `CREATE TABLE IF NOT EXISTS readers
  (work_id INTEGER PRIMARY KEY, readers INTEGER NOT NULL) STRICT;`

/** The series that works name, by the keys of the series, and what editions state. */
const seriesSchema = `
CREATE TABLE IF NOT EXISTS series (key TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS work_series (key TEXT NOT NULL, work_id INTEGER NOT NULL,
  position TEXT NOT NULL, PRIMARY KEY (key, work_id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS series_statement (work_id INTEGER NOT NULL, name TEXT NOT NULL,
  position TEXT NOT NULL, PRIMARY KEY (work_id, name, position)) STRICT, WITHOUT ROWID;`

const schema = `
${worksSchema}
${readersSchema}
${seriesSchema}
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, other_names TEXT NOT NULL)
  STRICT;
CREATE TABLE progress (dump TEXT PRIMARY KEY, lines INTEGER NOT NULL, bytes INTEGER NOT NULL,
  done INTEGER NOT NULL) STRICT;
CREATE TABLE skipped (dump TEXT NOT NULL, reason TEXT NOT NULL, lines INTEGER NOT NULL,
  PRIMARY KEY (dump, reason)) STRICT;
CREATE TABLE import (options TEXT NOT NULL) STRICT;
`

/** @returns a hash of an import's files and filters */
export function fingerprint(options: ImportOptions): string {
  const dumps = Object.entries(options.dumps).map(([dump, file]) => [dump, dumpStat(file).state])
  return JSON.stringify([stagingVersion, dumps, options.subset])
}

/**
 * Opens an earlier import's staging file if it has the same files and options; otherwise starts a
 * new one.
 */
export function openStaging(file: string, options: ImportOptions): Staging {
  const wanted = fingerprint(options)
  const resumed = stagedFingerprint(file) === wanted
  if (!resumed)
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -49152;
    PRAGMA wal_autocheckpoint = 20000; PRAGMA temp_store = FILE`)
  if (!resumed) {
    db.exec(`BEGIN; ${schema}`)
    db.prepare('INSERT INTO import VALUES (?)').run(wanted)
    db.exec('COMMIT')
  }
  const progress = preparedRows(db, 'SELECT lines, bytes, done FROM progress WHERE dump = ?')
  const note = db.prepare('INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)')
  const skip = db.prepare(
    `INSERT INTO skipped VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET lines = lines + excluded.lines`,
  )
  const report = preparedRows(db, 'SELECT dump, reason, lines FROM skipped ORDER BY rowid')
  return {
    db,
    resumed,
    progress(dump) {
      const [[lines, bytes, done] = []] = progress(dump)
      return { lines: Number(lines ?? 0), bytes: Number(bytes ?? 0), done: done === 1 }
    },
    commit(dump, { lines, bytes, done }, skipped, work) {
      db.exec('BEGIN')
      work()
      note.run(dump, lines, bytes, done ? 1 : 0)
      for (const [reason, count] of skipped) skip.run(dump, reason, count)
      db.exec('COMMIT')
    },
    report: () =>
      report().map(([dump, reason, lines]) => ({
        dump: String(dump),
        reason: String(reason),
        lines: Number(lines),
      })),
    [Symbol.dispose]: () => db.close(),
  }
}

/**
 * @returns the stored import's minimum of editions; null without a complete import that this
 *   version can read
 */
export function stagedMinEditions(file: string): number | null {
  const kept = stagedFingerprint(file)
  if (kept === null) return null
  const [version, dumps, subset] = JSON.parse(kept) as [number, unknown[], ImportOptions['subset']]
  if (version < oldestVersion || version > stagingVersion) return null
  using db = new DatabaseSync(file, { readOnly: true })
  const [[done] = []] = preparedRows(db, 'SELECT count(*) FROM progress WHERE done = 1')()
  return done === dumps.length ? subset.leastEditions : null
}

/** @returns the stored import's fingerprint; null without one */
export function stagedFingerprint(file: string): string | null {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    return String(preparedRows(db, 'SELECT options FROM import')()[0]?.[0])
  } catch {
    return null
  }
}
