import { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { deferMerges } from './fts-segments.ts'
import { preparedRows, preparedWrite } from './rows.ts'
import { datedSchema, placeRange } from './schema.ts'

/**
 * The full text once more, its row ids the places of the works in the order of their dates: what is
 * asked for newest first is read as far as it is shown, like what is asked for in order of popularity.
 */
const insertInto = 'INSERT INTO dated (rowid, title, alt, author, subject, publisher)'

/** The full-text table of a complete index in the order of dates. */
export interface DateIndex {
  /** @returns the work's place, behind others of its date */
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
 * Numbers the works of an index that is made, one after the other.
 *
 * @returns for a date the place behind all that were of it before
 */
export function nextPlace(): (publishedDate: string) => number {
  const places = new Map<string, number>()
  return (publishedDate) => {
    const place = (places.get(publishedDate) ?? placeRange(publishedDate)[0]) + 1
    places.set(publishedDate, place)
    return place
  }
}

/** Megabytes that are sorted in memory. */
const held = 32

/**
 * Writes the full text by dates of an index that is made. FTS5 takes rows quickly only in the order
 * of their row ids, so the texts are sorted, on disk, once all are there; and that takes so long
 * that it is done in a file of its own, beside the rest.
 *
 * @param index whose works have their places; others may write to it meanwhile
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
 * Takes the full text by dates from the file it was written to. It is copied as FTS5 keeps it, which
 * is a tenth of the work of writing it again; the check of the whole index looks into it.
 *
 * @param db an index that is made, open for writing, in no transaction and not defensive
 */
export function copyDateIndex(db: DatabaseSync, file: string): void {
  db.prepare('ATTACH ? AS timeline').run(file)
  db.exec(`BEGIN; ${datedSchema}`)
  for (const part of ['data', 'idx', 'docsize', 'config'])
    db.exec(`DELETE FROM main.dated_${part};
      INSERT INTO main.dated_${part} SELECT * FROM timeline.dated_${part}`)
  db.exec('COMMIT; DETACH timeline')
}
