import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { docWriter } from './docs.ts'
import type { FoldedBatch } from './ranked.ts'
import { numberRows, preparedRows } from './rows.ts'
import { docIndexes, editionIndexes, formatVersion, searchSchema, worksSchema } from './schema.ts'
import { suggestionWriter } from './suggestions.ts'
import { vocabularyWriter } from './terms.ts'
import { timelineDraft } from './timeline.ts'
import { toldWriter } from './told.ts'

/** How long a reader or writer of the old file may take to let go of it, in milliseconds. */
export const lockPatience = 10_000

/**
 * So many megabytes of each full text are sorted in memory before they are written, and the pieces are
 * merged when the index is sealed: all at once, so that nothing is merged twice. In an index that is
 * taught it is as SQLite does it unless told. The one by dates is written when the threads that fold
 * have ended, and has their memory.
 */
const fullTexts = { fts: 32, dated: 128, suggest: 8, told: 8 }
const manyPieces = 1000
const megabyte = 2 ** 20

/** A new index that nobody reads yet. */
export interface Draft {
  db: DatabaseSync
  /** Once all works and editions are in. */
  indexEditions(): void
  /** Adds a part of what is searched; all in their order. */
  add(batch: FoldedBatch): void
  /** Once all is in, editions indexed; further works can then be put one by one. */
  complete(meta: Readonly<Record<string, string>>): void
}

/**
 * Writes a search index as a new file beside the old one, checks it and puts it in the old one's
 * place in one step: whoever opens the name finds either the whole old index or the whole new one.
 *
 * @param file where the index shall stand; its folder must exist
 * @param write fills the draft, which holds no works yet
 * @param staged a file that the draft can read under the name `staged`
 * @throws when the folder cannot be written or the written file does not pass SQLite's own check;
 * the old file is then still there
 */
export async function replaceIndex(
  file: string,
  write: (draft: Draft) => void | Promise<void>,
  staged?: string,
): Promise<void> {
  removeAbandoned(file)
  const path = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    const draft = openDraft(path, staged)
    try {
      await write(draft)
      seal(draft.db)
    } finally {
      draft.db.close()
    }
    putInPlace(path, file)
  } finally {
    rmSync(path, { force: true })
  }
}

/** A draft that nobody has written to for so long, in milliseconds, was left by a killed process. */
const abandonedAfter = 3_600_000

function removeAbandoned(file: string): void {
  const folder = dirname(file)
  // That it is missing is said by whoever writes to it.
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith('.new')) continue
    const draft = join(folder, name)
    const found = statSync(draft, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > abandonedAfter) rmSync(draft, { force: true })
  }
}

function openDraft(path: string, staged?: string): Draft {
  const db = new DatabaseSync(path)
  // Nothing to lose: a draft that was not finished is thrown away.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
  db.exec('PRAGMA temp_store = FILE')
  if (staged !== undefined) db.prepare('ATTACH ? AS staged').run(staged)
  db.exec(`BEGIN; ${worksSchema} ${searchSchema}`)
  for (const [table, held] of Object.entries(fullTexts))
    db.exec(`INSERT INTO ${table} (${table}, rank)
      VALUES ('hashsize', ${held * megabyte}), ('automerge', 0), ('crisismerge', ${manyPieces})`)
  db.exec('CREATE TEMP TABLE keyed (h INTEGER, docid INTEGER)')
  const works = worksWriter(db)
  const told = toldWriter(db)
  const words = vocabularyWriter(db)
  return {
    db,
    indexEditions: () => db.exec(editionIndexes),
    add(batch) {
      for (const work of batch.works) works.add(work)
      for (const text of batch.told) told.write(text)
      words.add(batch.words)
    },
    complete(meta) {
      works.date()
      works.finish()
      words.finish()
      const write = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
      const all = { ...meta, format: String(formatVersion), works: String(works.count()) }
      for (const [key, value] of Object.entries(all)) write.run(key, value)
    },
  }
}

/** Writes the works of a draft into the tables they are found by. */
function worksWriter(db: DatabaseSync) {
  const docs = docWriter(db)
  const timeline = timelineDraft(db)
  const suggest = suggestionWriter(db)
  const keys = numberRows(db, 'keyed', 2)
  let count = 0
  return {
    count: () => count,
    add(work: FoldedWork) {
      docs.write(work, timeline.add(work))
      suggest.add(work, count)
      for (const key of work.keys) keys.add(key, work.docid)
      count += 1
    },
    /** Puts them into the order of dates, once all are in. */
    date: () => timeline.finish(),
    /** Once all are in. */
    finish() {
      keys.finish()
      db.exec(`INSERT INTO title_key SELECT h, docid FROM keyed ORDER BY h, docid;
        DROP TABLE keyed;
        ${docIndexes}`)
    },
  }
}

function seal(db: DatabaseSync): void {
  for (const table of Object.keys(fullTexts))
    db.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize');
      INSERT INTO ${table} (${table}, rank)
        VALUES ('hashsize', ${megabyte}), ('automerge', 4), ('crisismerge', 16)`)
  db.exec('COMMIT; PRAGMA analysis_limit = 400; ANALYZE main')
  // Looks into the full-text indexes as well.
  const [[result] = []] = preparedRows(db, 'PRAGMA main.quick_check')()
  if (result !== 'ok') throw new Error(`The new catalogue index is damaged: ${String(result)}`)
}

/**
 * No writer may be at the old file meanwhile: the journal it would leave in a crash bears the
 * file's name, and would be taken for the new file's.
 */
function putInPlace(path: string, file: string): void {
  syncToDisk(path)
  const old = lockedAgainstWriters(file)
  try {
    if (old === null) for (const left of ['-journal', '-wal']) rmSync(file + left, { force: true })
    // Windows renames over no open file; alone in its folder, Octavo has let go of it.
    if (process.platform === 'win32') old?.close()
    renameSync(path, file)
    syncToDisk(dirname(file))
  } finally {
    if (old?.isOpen) old.close()
  }
}

/** @returns null when there is no such file, or it is no database */
function lockedAgainstWriters(file: string): DatabaseSync | null {
  if (!existsSync(file)) return null
  const db = new DatabaseSync(file, { timeout: lockPatience })
  try {
    db.exec('BEGIN IMMEDIATE; SELECT count(*) FROM sqlite_schema')
    return db
  } catch (error) {
    db.close()
    if (error instanceof Error && error.message.includes('locked')) throw error
    return null
  }
}

function syncToDisk(path: string): void {
  // Windows does not open folders; its rename is durable enough without.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
