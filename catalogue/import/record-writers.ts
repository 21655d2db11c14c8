import type { DatabaseSync } from 'node:sqlite'
import { lines, linesOf, numberRows, preparedRows } from '#catalogue/index/rows.ts'
import { ownIds } from '#catalogue/index/schema.ts'
import type { Dump } from './options.ts'
import { readersSchema } from './staging.ts'
import type { ReaderCount, DumpRecords } from './read-dump.ts'
import type { EditionRecord, WorkRecord } from './records.ts'

/** Writes the records of a dump to the staging file. */
export interface RecordWriter<Record> {
  add(record: Record): void
  /**
   * Must be called before each commit.
   *
   * @returns the number of records since the last call whose work was not imported
   */
  finish(): number
}

const each = <Record>(add: (record: Record) => void): RecordWriter<Record> => ({
  add,
  finish: () => 0,
})

export function recordWriters(db: DatabaseSync): {
  [Name in Dump]: () => RecordWriter<DumpRecords[Name]>
} {
  const readers = () => readersWriter(db)
  return {
    authors: () => {
      const put = db.prepare(
        'INSERT OR REPLACE INTO author (id, name, other_names) VALUES (?, ?, ?)',
      )
      return each(({ id, name, otherNames }) => put.run(id, name, lines(otherNames)))
    },
    works: () => worksWriter(db),
    editions: () => editionsWriter(db),
    series: () => {
      const put = db.prepare('INSERT OR REPLACE INTO series VALUES (?, ?)')
      return each(({ key, name }) => put.run(key, name))
    },
    popularity: readers,
    ratings: readers,
    'reading-log': readers,
  }
}

type Names = [names: string, others: string]

function namesOf(db: DatabaseSync): (authorIds: number[]) => Names {
  const find = preparedRows(db, 'SELECT name, other_names FROM author WHERE id = ?')
  return (authorIds) => {
    const found = authorIds.flatMap((id) => find(id))
    const others = found.map(([, each]) => String(each)).filter(Boolean)
    return [lines(found.map(([name]) => String(name))), others.join('\n')]
  }
}

function workWriter(
  db: DatabaseSync,
): (work: Omit<WorkRecord, 'authorIds' | 'series'>, names: Names) => void {
  const put = db.prepare(
    `INSERT OR REPLACE INTO work (id, title, subtitle, other_titles, authors, author_names, genres,
       details, description, about, readers) VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, 0)`,
  )
  return ({ id, title, subtitle, genres, details, description, about }, names) => {
    put.run(id, title, subtitle, ...names, lines(genres), lines(details), description, about)
  }
}

function worksWriter(db: DatabaseSync): RecordWriter<WorkRecord> {
  const names = namesOf(db)
  const write = workWriter(db)
  const putSeries = db.prepare('INSERT OR REPLACE INTO work_series VALUES (?, ?, ?)')
  return each((work) => {
    write(work, names(work.authorIds))
    for (const { key, position } of work.series) putSeries.run(key, work.id, position)
  })
}

function editionsWriter(db: DatabaseSync): RecordWriter<EditionRecord> {
  const names = namesOf(db)
  const writeWork = workWriter(db)
  const find = preparedRows(db, 'SELECT title, authors, other_titles FROM work WHERE id = ?')
  const put = db.prepare(
    `INSERT OR REPLACE INTO edition (id, work_id, key, ids, title, isbn13, publisher,
       published_date, language, page_count, image_links)
     VALUES (?, ?, NULL, NULL, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const putSeries = db.prepare('INSERT OR IGNORE INTO series_statement VALUES (?, ?, ?)')
  const putIsbn = db.prepare('INSERT OR IGNORE INTO isbn (isbn13, edition_id) VALUES (?, ?)')
  const setAuthors = db.prepare('UPDATE work SET authors = ?, author_names = ? WHERE id = ?')
  const setTitles = db.prepare('UPDATE work SET other_titles = ? WHERE id = ?')
  /** @returns the title of the edition's work, which is created from the edition if missing */
  const workTitle = (edition: EditionRecord, workId: number): string => {
    const [row] = find(workId)
    const { title, subtitle, authorIds, otherTitles } = edition
    if (!row) writeWork({ id: workId, title, subtitle, ...noTexts }, names(authorIds))
    else if (row[1] === '' && authorIds.length > 0) setAuthors.run(...names(authorIds), workId)
    if (otherTitles.length > 0) {
      const known = linesOf(row?.[2])
      const all = [...new Set([...known, ...linesOf(lines(otherTitles))])].slice(0, maxOtherTitles)
      if (all.length > known.length) setTitles.run(lines(all), workId)
    }
    return row ? String(row[0]) : title
  }
  return each((edition) => {
    const { id, title, isbns } = edition
    const workId = edition.workId ?? ownIds + id
    put.run(
      id,
      workId,
      title === workTitle(edition, workId) ? '' : title,
      isbns[0] === undefined ? null : Number(isbns[0]),
      edition.publisher,
      edition.publishedDate,
      edition.language,
      edition.pageCount,
      edition.covers.join('\n'),
    )
    for (const isbn of isbns.slice(1)) putIsbn.run(Number(isbn), id)
    for (const { name, position } of edition.series) putSeries.run(workId, name, position)
  })
}

const maxOtherTitles = 12
/** Fields of a work that an edition doesn't have. */
const noTexts = { genres: [], details: [], description: '', about: '' }

function readersWriter(db: DatabaseSync): RecordWriter<ReaderCount> {
  db.exec(readersSchema)
  const rows = numberRows(
    db,
    'INSERT INTO readers',
    2,
    (rows) => `SELECT * FROM (${rows}) WHERE column1 IN (SELECT id FROM work)
      ON CONFLICT DO UPDATE SET readers = readers + excluded.readers`,
  )
  let added = 0
  return {
    add({ id, readers }) {
      rows.add(id, readers)
      added += 1
    },
    finish() {
      const unknown = added - rows.finish()
      added = 0
      return unknown
    },
  }
}
