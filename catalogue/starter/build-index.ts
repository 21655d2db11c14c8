import type { DatabaseSync } from 'node:sqlite'
import { replaceIndex } from '../building/replace-index.ts'
import { workStore } from '../learning/work-store.ts'
import type { LearntStore } from '../learning/learnt.ts'
import { indexUpdater } from '../learning/index-updater.ts'
import { foldedBatches, rankWorks } from '../building/ranked.ts'
import { preparedWrite } from '../index/rows.ts'
import type { CatalogueWork } from '../index/work.ts'

/** Works that ship with the code. */
export interface Starter {
  works: Iterable<CatalogueWork>
  /** Their version, stored to detect when to rebuild. */
  version: string
  /** Edition ids of the curated sections, in the order they are shown. */
  curated: Readonly<Record<string, readonly string[]>>
}

/**
 * Builds the index of a catalogue without an import and replaces the old one.
 *
 * @param file of the index; its folder must exist
 * @param learnt works to include
 * @throws if the folder can't be written; the old file then stays
 */
export async function buildIndex(
  file: string,
  starter: Starter,
  learnt?: LearntStore,
): Promise<void> {
  await replaceIndex(file, async (draft) => {
    const { db } = draft
    const works = workStore(db)
    for (const work of starter.works) works.add(work)
    draft.indexEditions()
    rankWorks(db)
    for (const batch of foldedBatches(db)) draft.add(batch)
    db.exec('DROP TABLE ranked')
    await draft.complete({ starter: starter.version })
    addCurated(db, starter.curated)
    learnt?.teach(db)
  })
}

/** Adds the starter works to an index and merges those it already has. */
export function addStarter(db: DatabaseSync, { works, version, curated }: Starter): void {
  const updater = indexUpdater(db)
  for (const work of works) updater.put(work)
  updater.finish()
  addCurated(db, curated)
  preparedWrite(db, `INSERT OR REPLACE INTO meta VALUES ('starter', ?)`).run(version)
}

function addCurated(db: DatabaseSync, curated: Starter['curated']): void {
  db.exec('DELETE FROM curated')
  const add = preparedWrite(
    db,
    `INSERT INTO curated (section, position, edition_id) SELECT ?1, ?2, id FROM (
       SELECT id FROM edition WHERE key = ?3 UNION ALL SELECT edition_id FROM alias WHERE key = ?3)
     LIMIT 1`,
  )
  for (const [section, keys] of Object.entries(curated))
    for (const [position, key] of keys.entries()) add.run(section, position, key)
}
