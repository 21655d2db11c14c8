import { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from '../index/docs.ts'
import { docWriter } from '../index/docs.ts'
import { keepFormerIds } from './former-ids.ts'
import { deferMerges, mergeSegments } from './fts-segments.ts'
import type { FoldedBatch } from './ranked.ts'
import { numberRows, preparedRows } from '../index/rows.ts'
import {
  docIndexes,
  editionIndexes,
  formatVersion,
  searchSchema,
  worksSchema,
} from '../index/schema.ts'
import { suggestionWriter } from '../reading/suggestions.ts'
import { vocabularyWriter } from './terms.ts'
import { nextPlace, copyDateIndex, writeDateIndex } from './date-index.ts'
import { subjectWriter } from '../index/subject-index.ts'

/** Megabytes to sort in memory for each full-text table. */
const held = { fts: 32, suggest: 8, suggest_other: 8, told: 8 }

/** A new index before it is in use. */
export interface IndexDraft {
  db: DatabaseSync
  /** Call after all works and editions are inserted. */
  indexEditions(): void
  /** Adds a batch to the search tables, in order. */
  add(batch: FoldedBatch): void
  /** Call after all batches; single works can be added after that. */
  complete(meta: Readonly<Record<string, string>>): Promise<void>
  /**
   * Call at the end.
   *
   * @param replaced the index that this one replaces, if there is one
   * @throws if the file fails SQLite's integrity check
   */
  seal(replaced: string): Promise<void>
}

/** A part of building an index that can run in parallel in an idle thread. */
export type DraftJob =
  | { does: 'write the timeline'; index: string; file: string }
  | { does: 'check the full texts'; index: string }

/** @throws if the file can't be read or is damaged, or the disk is full */
export function runDraftJob(job: DraftJob): void {
  if (job.does === 'write the timeline') {
    writeDateIndex(job.index, job.file)
    return
  }
  using db = new DatabaseSync(job.index, { readOnly: true })
  check(db, 'virtual')
}

/**
 * @param kind of the tables to check
 * @throws if one of them is damaged
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
 * @param runJob runs a job in parallel
 * @param staged a file to attach under that name
 */
export function openDraft(
  path: string,
  runJob: (job: DraftJob) => Promise<void>,
  staged?: string,
): IndexDraft {
  // Not defensive, as the table by date is copied into FTS5's shadow tables.
  const db = new DatabaseSync(path, { defensive: false })
  // No journal: an unfinished draft is discarded.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
  db.exec('PRAGMA temp_store = FILE')
  if (staged !== undefined) db.prepare('ATTACH ? AS staged').run(staged)
  db.exec(`BEGIN; ${worksSchema} ${searchSchema}`)
  for (const [fullText, megabytes] of Object.entries(held)) deferMerges(db, fullText, megabytes)
  db.exec('CREATE TEMP TABLE keyed (h INTEGER, docid INTEGER)')
  const meanwhile = (job: DraftJob) => {
    const done = runJob(job)
    // The error is thrown where the promise is awaited, unless something else fails first.
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
      // Write-ahead logging, so that readers of the works neither see nor block these writes.
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
    async seal(replaced) {
      for (const fullText of [...Object.keys(held), 'dated']) mergeSegments(db, fullText)
      db.exec('COMMIT')
      keepFormerIds(db, replaced)
      db.exec('PRAGMA analysis_limit = 400; ANALYZE main')
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
    /** Call after all works. */
    finish() {
      keys.finish()
      db.exec(`INSERT INTO title_key SELECT h, docid FROM keyed ORDER BY h, docid;
        DROP TABLE keyed;
        ${docIndexes}`)
    },
  }
}
