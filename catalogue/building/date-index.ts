import { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from '../index/docs.ts'
import { deferMerges } from './fts-segments.ts'
import { preparedRows, preparedWrite } from '../index/rows.ts'
import { datedSchema, placeRange } from '../index/schema.ts'

/**
 * A second full-text table whose row ids are the works' places by date, so that a search sorted by
 * date reads only as many rows as it shows.
 */
const insertInto = 'INSERT INTO dated (rowid, title, alt, author, subject, publisher)'

/** The full-text table by date, of a complete index. */
export interface DateIndex {
  /** @returns the work's place, after others of its date */
  add(work: FoldedWork): number
  remove(place: number): void
}

/** @param db a complete index, open for writing */
export function dateIndexOf(db: DatabaseSync): DateIndex {
  const last = preparedRows(db, 'SELECT max(place) FROM doc WHERE place BETWEEN ? AND ?')
  const add = preparedWrite(db, `${insertInto} VALUES (?, ?, ?, ?, ?, ?)`)
  const remove = preparedWrite(db, 'DELETE FROM dated WHERE rowid = ?')
  return {
    add({ publishedDate, title, alt, author, subject, publisher }) {
      const [before, behind] = placeRange(publishedDate)
      const place = Number(last(before, behind)[0]?.[0] ?? before) + 1
      add.run(place, title, alt, author, subject, publisher)
      return place
    },
    remove(place) {
      remove.run(place)
    },
  }
}

/**
 * Numbers the works of a new index, one after the other.
 *
 * @returns a function that returns the next place of a date
 */
export function nextPlace(): (publishedDate: string) => number {
  const places = new Map<string, number>()
  return (publishedDate) => {
    const place = (places.get(publishedDate) ?? placeRange(publishedDate)[0]) + 1
    places.set(publishedDate, place)
    return place
  }
}

/** Megabytes to sort in memory. */
const held = 32

/**
 * Writes the full-text table by date of a new index. FTS5 is only fast for ascending row ids, so
 * the texts are sorted on disk first. As that takes long, it runs in parallel, in its own file.
 *
 * @param index with the works' places; others may write to it meanwhile
 * @param file a new one, for {@link copyDateIndex}
 */
export function writeDateIndex(index: string, file: string): void {
  using db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE')
  db.prepare('ATTACH ? AS finished').run(index)
  db.exec(`BEGIN; ${datedSchema}`)
  deferMerges(db, 'dated', held)
  preparedWrite(
    db,
    `${insertInto} SELECT place, title, alt, author, subject, publisher FROM finished.doc
     ORDER BY place`,
  ).run()
  db.exec('COMMIT')
}

/**
 * Copies the full-text table by date from its file. It copies FTS5's shadow tables, which takes a
 * tenth of the time of writing the rows again; the check of the whole index covers it.
 *
 * @param db a new index, open for writing, outside a transaction and not defensive
 */
export function copyDateIndex(db: DatabaseSync, file: string): void {
  db.prepare('ATTACH ? AS timeline').run(file)
  db.exec(`BEGIN; ${datedSchema}`)
  for (const part of ['data', 'idx', 'docsize', 'config'])
    db.exec(`DELETE FROM main.dated_${part};
      INSERT INTO main.dated_${part} SELECT * FROM timeline.dated_${part}`)
  db.exec('COMMIT; DETACH timeline')
}
