import type { DatabaseSync } from 'node:sqlite'
import { metaOf } from '../index/meta.ts'
import { authorId } from '../index/names.ts'
import { eachRow, linesOf, preparedRows, preparedWrite } from '../index/rows.ts'
import { ownIds } from '../index/schema.ts'

/** The first format that has the tables read here. */
const oldestFormat = 14

/**
 * Works of the old index that have another id in the new one, or that were merged into another,
 * found by the ids of their editions.
 */
const movedWorks = `CREATE TEMP TABLE moved AS
  SELECT e.work_id AS old_id, f.work_id AS new_id FROM old.edition e
    JOIN main.edition f ON f.id = coalesce((SELECT id FROM main.edition WHERE key = e.key),
      (SELECT edition_id FROM main.alias WHERE key = e.key))
    WHERE e.key IS NOT NULL
  UNION
  SELECT e.work_id, f.work_id FROM old.edition e JOIN main.edition f ON f.id = e.id
    WHERE e.key IS NULL AND f.work_id <> e.work_id`

const changedAuthors = `
  SELECT o.authors, n.authors FROM old.work o JOIN main.work n ON n.id = o.id
    WHERE o.id < ${ownIds} AND n.authors <> o.authors
  UNION ALL
  SELECT o.authors, n.authors FROM temp.moved m JOIN old.work o ON o.id = m.old_id
    JOIN main.work n ON n.id = m.new_id WHERE n.authors <> o.authors`

/** For each lost series, the series that have its works: most works first, then most same places. */
const successors = `
  SELECT o.series, n.series FROM old.series_place o LEFT JOIN temp.moved m ON m.old_id = o.work_id
    JOIN main.series_place n
      ON n.work_id = coalesce(m.new_id, iif(o.work_id < ${ownIds}, o.work_id, NULL))
    WHERE NOT EXISTS (SELECT 1 FROM main.series_place s WHERE s.series = o.series)
    GROUP BY o.series, n.series
    ORDER BY o.series, count(DISTINCT n.work_id) DESC, sum(n.position = o.position) DESC, n.series`

/**
 * Stores where the series and authors of an index that is being replaced lead in the new one, so
 * that their old addresses still work after they were renamed or merged.
 *
 * @param db the new index, outside a transaction
 * @param file the old index, if there is one
 */
export function keepFormerIds(db: DatabaseSync, file: string): void {
  if (!(Number(metaOf(file)['format']) >= oldestFormat)) return
  db.prepare('ATTACH ? AS old').run(file)
  db.exec(`BEGIN; ${movedWorks}; INSERT INTO former_id SELECT * FROM old.former_id`)
  const add = preparedWrite(db, 'INSERT OR REPLACE INTO former_id VALUES (?, ?, ?)')
  for (const [id, now] of renamedAuthors(db)) add.run('author', id, now)
  let last = ''
  for (const [id, now] of preparedRows(db, successors)()) {
    if (id !== last) add.run('series', String(id), String(now))
    last = String(id)
  }
  db.exec(`
    UPDATE former_id AS f SET now = n.now FROM former_id n WHERE n.kind = f.kind AND n.id = f.now;
    DROP TABLE temp.moved; COMMIT; DETACH old`)
}

/** The authors whose works now have another one in their place, by the most works. */
function renamedAuthors(db: DatabaseSync): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const [before, after] of eachRow(db, changedAuthors)) {
    const [old, now] = [linesOf(before).map(authorId), linesOf(after).map(authorId)]
    for (const [place, id] of old.entries()) {
      const heir = now.length === old.length ? now[place] : now.length === 1 ? now[0] : undefined
      if (heir === undefined || now.includes(id)) continue
      const heirs = counts.getOrInsertComputed(id, () => new Map<string, number>())
      heirs.set(heir, (heirs.get(heir) ?? 0) + 1)
    }
  }
  const mostFirst = (heirs: Map<string, number>) => [...heirs].toSorted(([, a], [, b]) => b - a)
  return new Map([...counts].map(([id, heirs]) => [id, mostFirst(heirs)[0]?.[0] ?? id]))
}
