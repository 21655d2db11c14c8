import type { DatabaseSync } from 'node:sqlite'
import { foldWords } from './fold.ts'
import type { Cell } from './rows.ts'
import { eachRow, linesOf, preparedRows, preparedWrite } from './rows.ts'
import { stem } from './stem.ts'
import { isStopWord } from './words.ts'

/** As many of the most popular works can be found by what they are about. */
const mostTold = 100_000
/** Characters of a description that are read; what a book is about stands at its beginning. */
const mostRead = 2000

/** What a work says of itself, as printed. */
export interface Told {
  docid: number
  title: string
  genres: string[]
  description: string
}

/** @returns the words that tell something, by what they mean however they are used */
export function tellingStems(text: string): string[] {
  return foldWords(text)
    .filter((word) => !isStopWord(word))
    .map(stem)
}

/** @param row docid, title, genres and description, as they stand in the file */
export function toldOf([docid, title, genres, description]: Cell[]): Told {
  return {
    docid: Number(docid),
    title: String(title),
    genres: linesOf(genres),
    description: String(description).slice(0, mostRead),
  }
}

const columns = `SELECT d.docid, w.title, w.genres, w.description
  FROM doc d JOIN work w ON w.id = d.work_id`

/** Reads what works say of themselves. */
export function toldReader(db: DatabaseSync): (docids: number[]) => Told[] {
  const rows = preparedRows(
    db,
    `${columns} WHERE d.docid IN (SELECT value FROM json_each(?)) ORDER BY d.docid`,
  )
  return (docids) => rows(JSON.stringify(docids)).map(toldOf)
}

/** Keeps what works are about in the index by which they are found in plain language. */
export function toldWriter(db: DatabaseSync) {
  const read = preparedRows(db, `${columns} WHERE d.docid = ?`)
  const add = preparedWrite(db, 'INSERT INTO told (rowid, text) VALUES (?, ?)')
  const remove = preparedWrite(db, 'DELETE FROM told WHERE rowid = ?')
  const write = (row: Cell[]) => {
    const { docid, title, genres, description } = toldOf(row)
    if (genres.length === 0 && description === '') return
    const stems = new Set([title, ...genres, description].flatMap(tellingStems))
    add.run(docid, [...stems].join(' '))
  }
  return {
    /** A work that has its place in the order of popularity. */
    add: (docid: number) => read(docid).forEach(write),
    remove: (docid: number) => void remove.run(docid),
    /** All works of an index that is made anew, the most popular first. */
    addAll() {
      for (const row of eachRow(db, `${columns} ORDER BY d.docid LIMIT ?`, mostTold)) write(row)
    },
  }
}
