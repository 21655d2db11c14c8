import type { DatabaseSync } from 'node:sqlite'
import { foldWords } from '../text/fold.ts'
import type { Cell } from './rows.ts'
import { linesOf, preparedRows, preparedWrite } from './rows.ts'
import { stem } from '../text/stem.ts'
import { isStopWord } from '../text/words.ts'

/** The number of most popular works that can be found by description. */
export const maxSubjects = 100_000
/** The characters of a description that are indexed; the beginning tells what a book is about. */
const maxTextLength = 2000

/** A work's descriptive texts, as printed. */
export interface WorkText {
  docid: number
  title: string
  genres: string[]
  details: string[]
  description: string
  /** Further descriptions, by source. */
  about: string
}

/** @returns the stems of the meaningful words */
export function contentStems(text: string): string[] {
  return foldWords(text)
    .filter((word) => !isStopWord(word))
    .map(stem)
}

/**
 * Finds which of some stems occur in a text; fast for long texts, as most words differ in their
 * first letters.
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

/** The first two letters of a word as a number; stemming never changes them. */
const startOf = (word: string) => (word.charCodeAt(0) << 16) | (word.charCodeAt(1) || 0)

/** @param row docid, title, genres, details, description and about, as stored */
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

/** A row of the subject index: the docid, and stems separated by spaces. */
export type SubjectRow = [docid: number, text: string]

const columns = `SELECT d.docid, w.title, w.genres, w.details, w.description, w.about
  FROM doc d JOIN work w ON w.id = d.work_id`

/**
 * @param row docid, title, genres, details, description and about, as stored
 * @returns null if only the work's title is known
 */
export function subjectRow(row: Cell[]): SubjectRow | null {
  const { docid, title, genres, details, description, about } = workTextOf(row)
  const texts = [...genres, ...details, description, about].filter(Boolean)
  if (texts.length === 0) return null
  const stems = new Set([title, ...texts].flatMap(contentStems))
  return [docid, [...stems].join(' ')]
}

/** Reads works' descriptive texts. */
export function workTextReader(db: DatabaseSync): (docids: number[]) => WorkText[] {
  const rows = preparedRows(
    db,
    `${columns} WHERE d.docid IN (SELECT value FROM json_each(?)) ORDER BY d.docid`,
  )
  return (docids) => rows(JSON.stringify(docids)).map(workTextOf)
}

/** Writes the index for searching by description. */
export function subjectWriter(db: DatabaseSync) {
  const read = preparedRows(db, `${columns} WHERE d.docid = ?`)
  const add = preparedWrite(db, 'INSERT INTO told (rowid, text) VALUES (?, ?)')
  const remove = preparedWrite(db, 'DELETE FROM told WHERE rowid = ?')
  const write = (row: SubjectRow | null) => {
    if (row !== null) add.run(...row)
  }
  return {
    /** Adds a work that already has its docid. */
    add: (docid: number) => read(docid).map(subjectRow).forEach(write),
    write,
    remove: (docid: number) => void remove.run(docid),
  }
}
