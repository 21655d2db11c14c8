import { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { docWriter } from './docs.ts'
import { deferMerges, mergeSegments } from './fts-segments.ts'
import type { FoldedBatch } from './ranked.ts'
import { numberRows, preparedRows } from './rows.ts'
import { docIndexes, editionIndexes, formatVersion, searchSchema, worksSchema } from './schema.ts'
import { suggestionWriter } from './suggestions.ts'
import { vocabularyWriter } from './terms.ts'
import { nextPlace, copyDateIndex, writeDateIndex } from './date-index.ts'
import { subjectWriter } from './subject-index.ts'

/** Megabytes of the full texts that are sorted in memory while works are added. */
const held = { fts: 32, suggest: 8, suggest_other: 8, told: 8 }

/** A new index that nobody reads yet. */
export interface IndexDraft {
  db: DatabaseSync
  /** Once all works and editions are in. */
  indexEditions(): void
  /** Adds a part of what is searched; all in their order. */
  add(batch: FoldedBatch): void
  /** Once all is in, editions indexed; further works can then be put one by one. */
  complete(meta: Readonly<Record<string, string>>): Promise<void>
  /** Once nothing more is put. @throws when the file does not pass SQLite's own check */
  seal(): Promise<void>
}

/** A part of making an index that can be done beside the rest, by a thread that has no other work. */
export type DraftJob =
  | { does: 'write the timeline'; index: string; file: string }
  | { does: 'check the full texts'; index: string }

/** @throws when the file cannot be read, is damaged, or there is no room */
export function runDraftJob(job: DraftJob): void {
  if (job.does === 'write the timeline') {
    writeDateIndex(job.index, job.file)
    return
  }
  using db = new DatabaseSync(job.index, { readOnly: true })
  check(db, 'virtual')
}

/**
 * @param kind of the tables that are looked into by SQLite's own check
 * @throws when one of them is damaged
 */
function check(db: DatabaseSync, kind: 'table' | 'virtual'): void {
  const tables = preparedRows(
    db,
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND iif(type = 'virtual', type, 'table') = ?`,
  )
  for (const [table] of tables(kind)) {
    const [[result] = []] = preparedRows(db, `PRAGMA main.quick_check(${String(table)})`)()
    if (result !== 'ok')
      throw new Error(`The new catalogue index is damaged in ${String(table)}: ${String(result)}`)
  }
}

/**
 * @param path of the new file
 * @param runJob does a part of the work while others are done
 * @param staged a file that can be read under that name
 */
export function openDraft(
  path: string,
  runJob: (job: DraftJob) => Promise<void>,
  staged?: string,
): IndexDraft {
  // The timeline is taken over as FTS5 keeps it.
  const db = new DatabaseSync(path, { defensive: false })
  // Nothing to lose: a draft that was not finished is thrown away.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
  db.exec('PRAGMA temp_store = FILE')
  if (staged !== undefined) db.prepare('ATTACH ? AS staged').run(staged)
  db.exec(`BEGIN; ${worksSchema} ${searchSchema}`)
  for (const [fullText, megabytes] of Object.entries(held)) deferMerges(db, fullText, megabytes)
  db.exec('CREATE TEMP TABLE keyed (h INTEGER, docid INTEGER)')
  const meanwhile = (job: DraftJob) => {
    const done = runJob(job)
    // Heard of when it is waited for, unless the rest has failed before.
    done.catch(() => {})
    return done
  }
  const works = worksWriter(db)
  const subjects = subjectWriter(db)
  const words = vocabularyWriter(db)
  return {
    db,
    indexEditions: () => db.exec(editionIndexes),
    add(batch) {
      for (const work of batch.works) works.add(work)
      for (const text of batch.subjects) subjects.write(text)
      words.add(batch.words)
    },
    async complete(meta) {
      // Whoever reads the works does not see, nor hold up, what is written meanwhile.
      db.exec('COMMIT; PRAGMA main.journal_mode = WAL; BEGIN')
      const file = `${path}-timeline`
      const timeline = meanwhile({ does: 'write the timeline', index: path, file })
      works.finish()
      words.finish()
      const write = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
      const all = { ...meta, format: String(formatVersion), works: String(works.count()) }
      for (const [key, value] of Object.entries(all)) write.run(key, value)
      await timeline
      db.exec('COMMIT; PRAGMA main.journal_mode = OFF')
      copyDateIndex(db, file)
      db.exec('BEGIN')
    },
    async seal() {
      for (const fullText of [...Object.keys(held), 'dated']) mergeSegments(db, fullText)
      db.exec('COMMIT; PRAGMA analysis_limit = 400; ANALYZE main')
      const fullTexts = meanwhile({ does: 'check the full texts', index: path })
      check(db, 'table')
      await fullTexts
    },
  }
}

function worksWriter(db: DatabaseSync) {
  const docs = docWriter(db)
  const place = nextPlace()
  const suggest = suggestionWriter(db)
  const keys = numberRows(db, 'INSERT INTO keyed', 2)
  let count = 0
  return {
    count: () => count,
    add(work: FoldedWork) {
      docs.write(work, place(work.publishedDate))
      suggest.add(work, count)
      for (const key of work.keys) keys.add(key, work.docid)
      count += 1
    },
    /** Once all are in. */
    finish() {
      keys.finish()
      db.exec(`INSERT INTO title_key SELECT h, docid FROM keyed ORDER BY h, docid;
        DROP TABLE keyed;
        ${docIndexes}`)
    },
  }
}
