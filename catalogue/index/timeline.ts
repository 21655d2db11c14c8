import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from './docs.ts'
import { preparedRows, preparedWrite } from './rows.ts'
import { placesOf } from './schema.ts'

/**
 * The full text once more, its row ids the places of the works in the order of their dates: what is
 * asked for newest first is read as far as it is shown, like what is asked for in order of popularity.
 */
const insertInto = 'INSERT INTO dated (rowid, title, alt, author, subject, publisher)'

/** Keeps a complete index in the order of dates. */
export interface Timeline {
  /** @returns the work's place, behind others of its date */
  add(work: FoldedWork): number
  remove(place: number): void
}

/** @param db a complete index, open for writing */
export function timelineOf(db: DatabaseSync): Timeline {
  const last = preparedRows(db, 'SELECT max(place) FROM doc WHERE place BETWEEN ? AND ?')
  const add = preparedWrite(db, `${insertInto} VALUES (?, ?, ?, ?, ?, ?)`)
  const remove = preparedWrite(db, 'DELETE FROM dated WHERE rowid = ?')
  return {
    add({ publishedDate, title, alt, author, subject, publisher }) {
      const [before, behind] = placesOf(publishedDate)
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
 * The same for an index that is made: FTS5 takes rows quickly only in the order of their row ids, so
 * the texts are sorted, on disk, once all are there.
 */
export function timelineDraft(db: DatabaseSync) {
  db.exec('CREATE TEMP TABLE published (docid INTEGER PRIMARY KEY, publisher TEXT NOT NULL)')
  const publish = db.prepare('INSERT INTO published VALUES (?, ?)')
  const places = new Map<string, number>()
  return {
    /** @returns the work's place, behind all of its date that were added before */
    add({ docid, publishedDate, publisher }: FoldedWork): number {
      if (publisher !== '') publish.run(docid, publisher)
      const place = (places.get(publishedDate) ?? placesOf(publishedDate)[0]) + 1
      places.set(publishedDate, place)
      return place
    },
    finish(): void {
      preparedWrite(
        db,
        `${insertInto} SELECT d.place, d.title, d.alt, d.author, d.subject, coalesce(p.publisher, '')
         FROM doc d LEFT JOIN published p ON p.docid = d.docid ORDER BY d.place`,
      ).run()
      db.exec('DROP TABLE published')
    },
  }
}
