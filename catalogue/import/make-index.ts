import { DatabaseSync } from 'node:sqlite'
import type { Starter } from '#catalogue/index/build.ts'
import { addStarter } from '#catalogue/index/build.ts'
import { replaceIndex } from '#catalogue/index/draft.ts'
import type { Learnt } from '#catalogue/index/learnt.ts'
import type { FoldedBatch } from '#catalogue/index/ranked.ts'
import { rankWorks } from '#catalogue/index/ranked.ts'
import { batches } from './batches.ts'

/** Batches that the folding thread may be ahead. */
const ahead = 24
const foldWorker = new URL('./fold-worker.ts', import.meta.url)

/** What the index is made of. */
export interface Ingredients {
  /** The file in which an import put what it took of the dumps. */
  staged: string
  leastEditions: number
  starter: Starter
  learnt: Learnt
}

/**
 * Makes an index of what was taken of the dumps, of the starter works and of what was learnt, and
 * puts it in the place of the old one. One thread folds while the other writes. Killed at any
 * point, the old index is still there and the next run begins this step anew.
 *
 * @param onProgress told how many works are written, of how many
 */
export async function makeIndex(
  file: string,
  { staged, leastEditions, starter, learnt }: Ingredients,
  onProgress: (works: number, total: number) => void,
): Promise<{ works: number }> {
  const works = rankStaged(staged, leastEditions)
  onProgress(0, works)
  await replaceIndex(
    file,
    async (draft) => {
      const { db } = draft
      const folded = batches<FoldedBatch>(foldWorker, staged, ahead)
      db.exec(`
        INSERT INTO work SELECT * FROM staged.work WHERE id IN (SELECT work_id FROM staged.ranked);
        INSERT INTO edition SELECT * FROM staged.edition
          WHERE work_id IN (SELECT work_id FROM staged.ranked);
        INSERT INTO isbn SELECT * FROM staged.isbn
          WHERE edition_id IN (SELECT id FROM main.edition)`)
      let written = 0
      for await (const batch of folded) {
        draft.add(batch)
        if (!('works' in batch)) continue
        written += batch.works.length
        onProgress(written, works)
      }
      draft.complete({ imported: 'Open Library' })
      addStarter(db, starter)
      learnt.teach(db)
    },
    staged,
  )
  return { works }
}

function rankStaged(staged: string, leastEditions: number): number {
  const db = new DatabaseSync(staged)
  try {
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -49152; PRAGMA temp_store = FILE')
    return rankWorks(db, leastEditions)
  } finally {
    db.close()
  }
}
