import type { DatabaseSync } from 'node:sqlite'
import { foldWords } from './fold.ts'
import type { Cell } from './rows.ts'
import { linesOf, preparedRows, preparedWrite } from './rows.ts'
import { stem } from './stem.ts'
import { isStopWord } from './words.ts'

/** As many of the most popular works can be found by what they are about. */
export const maxSubjects = 100_000
/** Characters of a description that are read; what a book is about stands at its beginning. */
const maxTextLength = 2000

/** What a work says of itself, as printed. */
export interface WorkText {
  docid: number
  title: string
  genres: string[]
  details: string[]
  description: string
  /** More of what happens, by source. */
  about: string
}

/** @returns the words that tell something, by what they mean however they are used */
export function contentStems(text: string): string[] {
  return foldWords(text)
    .filter((word) => !isStopWord(word))
    .map(stem)
}

/**
 * Those of some stems that a text holds: what it takes to know of long texts, of which most words
 * begin otherwise.
 */
export function stemMatcher(wanted: ReadonlySet<string>): (text: string) => Set<string> {
  const starts = new Set([...wanted].map(startOf))
  return (text) => {
    const found = new Set<string>()
    for (const word of foldWords(text)) {
      if (!starts.has(startOf(word)) || isStopWord(word)) continue
      const root = stem(word)
      if (wanted.has(root)) found.add(root)
    }
    return found
  }
}

/** The first two letters of a word, as one number; no stem loses them. */
const startOf = (word: string) => (word.charCodeAt(0) << 16) | (word.charCodeAt(1) || 0)

/** @param row docid, title, genres, details, description and about, as they stand in the file */
function workTextOf([docid, title, genres, details, description, about]: Cell[]): WorkText {
  return {
    docid: Number(docid),
    title: String(title),
    genres: linesOf(genres),
    details: linesOf(details),
    description: String(description).slice(0, maxTextLength),
    about: String(about).slice(0, maxTextLength),
  }
}

/** What a work is about: its place in the order of popularity, and stems with spaces between. */
export type SubjectRow = [docid: number, text: string]

const columns = `SELECT d.docid, w.title, w.genres, w.details, w.description, w.about
  FROM doc d JOIN work w ON w.id = d.work_id`

/**
 * @param row docid, title, genres, details, description and about, as they stand in the file
 * @returns null when nothing is known of the work but its title
 */
export function subjectRow(row: Cell[]): SubjectRow | null {
  const { docid, title, genres, details, description, about } = workTextOf(row)
  const texts = [...genres, ...details, description, about].filter(Boolean)
  if (texts.length === 0) return null
  const stems = new Set([title, ...texts].flatMap(contentStems))
  return [docid, [...stems].join(' ')]
}

/** Reads what works say of themselves. */
export function workTextReader(db: DatabaseSync): (docids: number[]) => WorkText[] {
  const rows = preparedRows(
    db,
    `${columns} WHERE d.docid IN (SELECT value FROM json_each(?)) ORDER BY d.docid`,
  )
  return (docids) => rows(JSON.stringify(docids)).map(workTextOf)
}

/** Keeps what works are about in the index by which they are found in plain language. */
export function subjectWriter(db: DatabaseSync) {
  const read = preparedRows(db, `${columns} WHERE d.docid = ?`)
  const add = preparedWrite(db, 'INSERT INTO told (rowid, text) VALUES (?, ?)')
  const remove = preparedWrite(db, 'DELETE FROM told WHERE rowid = ?')
  const write = (row: SubjectRow | null) => {
    if (row !== null) add.run(...row)
  }
  return {
    /** A work that has its place in the order of popularity. */
    add: (docid: number) => read(docid).map(subjectRow).forEach(write),
    write,
    remove: (docid: number) => void remove.run(docid),
  }
}
