import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { Starter } from '#catalogue/starter/build-index.ts'
import { addStarter } from '#catalogue/starter/build-index.ts'
import type { DraftJob } from '#catalogue/building/draft.ts'
import type { LearntStore } from '#catalogue/learning/learnt.ts'
import { eachRow, linesOf, preparedRows } from '#catalogue/index/rows.ts'
import { statedSeries } from '#catalogue/building/stated-series.ts'
import type { FoldedBatch } from '#catalogue/building/ranked.ts'
import { rankWorks } from '#catalogue/building/ranked.ts'
import { replaceIndex } from '#catalogue/building/replace-index.ts'
import { upgradeStaging } from './staging.ts'
import { startThread } from '#threads/start-thread.ts'
import { openBatches, workerLimits } from './batches.ts'
import type { FoldJob } from './fold-worker.ts'

/** Folding the works takes about twice as long as writing them. */
const foldingThreads = 2
/** The most batches that each thread may be ahead. */
const ahead = 12
const foldWorker = new URL('./fold-worker.ts', import.meta.url)
const draftWorker = new URL('./draft-worker.ts', import.meta.url)

/** The input of an index. */
interface IndexInput {
  /** The staging file of an import. */
  staged: string
  leastEditions: number
  starter: Starter
  learnt: LearntStore
}

/**
 * Builds an index from staged records, starter works and learnt works, and replaces the old one.
 * Two threads fold while another writes. If it is killed, the old index is still there and the next
 * run starts this step again.
 *
 * @param onProgress called with the works written so far, and their total
 */
export async function makeIndex(
  file: string,
  { staged, leastEditions, starter, learnt }: IndexInput,
  onProgress: (works: number, total: number) => void,
): Promise<{ works: number }> {
  const works = rankStaged(staged, leastEditions)
  onProgress(0, works)
  await replaceIndex(
    file,
    async (draft) => {
      const { db } = draft
      const partitions = Array.from({ length: foldingThreads }, (_, number): FoldJob => {
        return { file: staged, partition: { of: foldingThreads, number } }
      })
      await using folded = openBatches<FoldedBatch>(foldWorker, partitions, ahead)
      db.exec(`
        INSERT INTO work SELECT id, title, subtitle, other_titles, authors, author_names, genres,
          details, description, about, r.readers, shelved FROM staged.ranked r CROSS JOIN staged.work w ON w.id = r.work_id;
        INSERT INTO edition SELECT * FROM staged.edition
          WHERE work_id IN (SELECT work_id FROM staged.ranked);
        INSERT INTO isbn SELECT * FROM staged.isbn
          WHERE edition_id IN (SELECT id FROM main.edition)`)
      draft.indexEditions()
      let written = 0
      for await (const batch of folded) {
        draft.add(batch)
        written += batch.works.length
        onProgress(written, works)
      }
      await draft.complete({ imported: 'Open Library' })
      addStarter(db, starter)
      addSeries(db)
      learnt.teach(db)
    },
    { staged, runJob: runInThread },
  )
  return { works }
}

/** Adds the series of the dumps: those that Open Library lists, then those that editions state. */
function addSeries(db: DatabaseSync): void {
  const series = statedSeries(db)
  const listed = preparedRows(
    db,
    `SELECT s.key, s.name, p.work_id, p.position, w.authors FROM staged.series s
     JOIN staged.work_series p ON p.key = s.key JOIN main.work w ON w.id = p.work_id
     JOIN main.doc d ON d.work_id = w.id ORDER BY s.key, d.docid`,
  )
  for (const rows of Map.groupBy(listed(), ([key]) => key).values()) {
    const [[, name] = []] = rows
    const works = rows.map(([, , id, position]) => ({
      id: Number(id),
      position: String(position),
    }))
    const firsts = rows.flatMap(([, , , , authors]) => linesOf(authors)[0] ?? [])
    series.place({ name: String(name), by: mostFrequent(firsts), works })
  }
  const stated = `SELECT s.work_id, s.name, s.position FROM staged.series_statement s
    JOIN main.doc d ON d.work_id = s.work_id`
  for (const [workId, name, position] of eachRow(db, stated))
    series.state(Number(workId), [{ name: String(name), position: String(position) }])
  series.placeAll()
}

/** The most frequent of some names, the first of equals; '' if there are none. */
function mostFrequent(names: string[]): string {
  const counts = [...Map.groupBy(names, (name) => name)].map(
    ([name, { length }]) => [name, length] as const,
  )
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

/** Runs a job in its own thread. */
async function runInThread(job: DraftJob): Promise<void> {
  await once(startThread(draftWorker, job, workerLimits), 'exit')
}

/** Readers from the dumps, plus those that an older version's import stored in the work. */
const readersOfStaged = `w.readers +
  coalesce((SELECT readers FROM readers WHERE readers.work_id = w.id), 0)`

function rankStaged(staged: string, leastEditions: number): number {
  using db = new DatabaseSync(staged)
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -49152; PRAGMA temp_store = FILE')
  upgradeStaging(db)
  return rankWorks(db, { leastEditions, readers: readersOfStaged })
}
