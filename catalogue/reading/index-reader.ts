import { DatabaseSync } from 'node:sqlite'
import type { NamedPage } from '#shared/series.ts'
import type { Cell } from '../index/rows.ts'
import { linesOf, preparedRows, preparedUpTo } from '../index/rows.ts'
import { lockTimeout, openLibraryNumber } from '../index/schema.ts'
import { workTextReader, type WorkText } from '../index/subject-index.ts'

/** A work for scoring: folded texts, each with a space at both ends. */
export interface Doc {
  docid: number
  editionId: number
  title: string
  alt: string
  author: string
  subject: string
  /** The language codes of its editions, with a space at both ends. */
  languages: string
}

export interface Term {
  term: string
  works: number
  weight: number
}

/** The queries of an index file. Every one has a limit. */
export interface IndexReader {
  /** The number of works. */
  size: number
  /** A number that changes whenever the file is written. */
  version(): number
  /** Matching docids, most popular first. */
  match(expression: string, limit: number): number[]
  /** The same after a docid, with an offset. */
  matchFrom(
    expression: string,
    options: { limit: number; after?: number; offset: number },
  ): number[]
  /** The same by date, latest first: after a place, with an offset. */
  newest(expression: string, options: { limit: number; after?: number; offset: number }): number[]
  /** A work's place in the order of dates; null if it doesn't match. */
  placeAmong(expression: string, docid: number): number | null
  /** The given docids that match. */
  matchAmong(expression: string, docids: number[]): number[]
  /** The works of some docids, in the same order. */
  docs(docids: number[]): Doc[]
  titled(keys: number[]): number[]
  /** The work of an edition or of an Open Library id. */
  docidOf(id: string): number | null
  worksWith(word: string): number
  /** How widely read the works are whose title or author contains the word. */
  weightOf(word: string): number
  /** The same for the first few words with a prefix; null if there are none. */
  weightOfStart(start: string): number | null
  /** The most frequent words with a prefix, and the number of works of all of them. */
  begunBy(start: string): { words: string[]; works: number }
  termsByDeletion(keys: number[]): Term[]
  /** Words with a prefix and from `min` to `max` letters, in alphabetical order. */
  termsBegunBy(start: string, min: number, max: number): Term[]
  /** Words of publishers' names with a prefix, with their numbers of works. */
  publisherWords(start: string): { word: string; works: number }[]
  /** Matching docids of the suggestion index, most popular first. */
  suggest(expression: string, limit: number): number[]
  /** The same including other titles. */
  suggestOther(expression: string, limit: number): number[]
  /**
   * Series by the beginnings of their ids, best known first.
   *
   * @param options.isOpen whether an id may continue in the middle of a word
   * @param options.upTo a docid: series of which every work is less known are left out
   */
  seriesBegunBy(
    starts: string[],
    options: { isOpen: boolean; limit: number; upTo?: number | undefined },
  ): NamedPage[]
  /** The authors of works, as printed, in the order of the works. */
  authorsOf(docids: number[]): string[]
  /** Docids that match in the subject index, most popular first. */
  matchSubjects(expression: string, limit: number): number[]
  /** The number of matches in the subject index, up to a limit. */
  countSubjects(expression: string, limit: number): number
  /** Works' descriptive texts, as printed. */
  workTexts(docids: number[]): WorkText[]
  /** The first edition of a work in a language; null if there is none. */
  editionIn(docid: number, language: string): number | null
  editionsByIsbn(isbn13: string): { docid: number; editionId: number }[]
  /** The first edition of each work with an ISBN-13 in a range, best known first. */
  editionsByIsbns(from: number, to: number): number[]
  close(): void
}

type FullText = 'fts' | 'told' | 'suggest' | 'suggest_other'

const maxTerms = 4000
const maxTermsOfStart = 500
const maxStarts = 48
/** Places of series that are compared. */
const maxPlaces = 1000

/**
 * @param file an index that `buildIndex` wrote
 * @returns its queries, on their own read-only connection
 * @throws if the file is missing or not a database
 */
export function openIndexReader(file: string): IndexReader {
  const db = new DatabaseSync(file, { readOnly: true, timeout: lockTimeout })
  // More isn't faster, as the system caches the rest, and all of it would count as this process's
  // memory.
  db.exec('PRAGMA mmap_size = 67108864')
  const rows = (sql: string) => preparedRows(db, sql)
  const version = rows('PRAGMA data_version')
  const matching = (table: FullText) =>
    preparedUpTo(
      db,
      (limit) => `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid LIMIT ${limit}`,
    )
  const [match, matchSubjects] = [matching('fts'), matching('told')]
  const [suggest, suggestOther] = [matching('suggest'), matching('suggest_other')]
  const seriesBegunBy = preparedUpTo(
    db,
    (limit) =>
      `SELECT p.series, p.name FROM (
         SELECT series, name, work_id FROM json_each(?1) start JOIN series_place
         ON series >= start.value AND series < start.value || ?2 LIMIT ${maxPlaces}) p
       JOIN doc d ON d.work_id = p.work_id GROUP BY p.series
       HAVING min(d.docid) <= ?3 ORDER BY min(d.docid) LIMIT ${limit}`,
  )
  const authors = rows(
    `SELECT w.authors FROM doc d JOIN work w ON w.id = d.work_id
     WHERE d.docid IN (SELECT value FROM json_each(?)) ORDER BY d.docid`,
  )
  const countSubjects = preparedUpTo(
    db,
    (limit) => `SELECT count(*) FROM (SELECT 1 FROM told WHERE told MATCH ? LIMIT ${limit})`,
  )
  const editionIn = rows(
    `SELECT e.id FROM doc d JOIN edition e ON e.work_id = d.work_id
     WHERE d.docid = ? AND e.language = ? ORDER BY e.title <> '', e.isbn13 IS NULL, e.id LIMIT 1`,
  )
  const matchFrom = preparedUpTo(
    db,
    (limit) =>
      `SELECT rowid FROM fts WHERE fts MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${limit} OFFSET ?`,
  )
  const matchAmong = rows(
    `SELECT rowid FROM fts WHERE fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))
     ORDER BY rowid`,
  )
  const doc = rows(
    `SELECT docid, edition_id, title, alt, author, subject, languages
     FROM doc WHERE docid IN (SELECT value FROM json_each(?))`,
  )
  const newest = preparedUpTo(
    db,
    (limit) =>
      `SELECT docid FROM doc WHERE place IN (
         SELECT rowid FROM dated WHERE dated MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${limit} OFFSET ?)
       ORDER BY place`,
  )
  const placeAmong = rows(
    `SELECT rowid FROM dated WHERE dated MATCH ? AND rowid = (SELECT place FROM doc WHERE docid = ?)`,
  )
  const titled = rows(
    `SELECT DISTINCT docid FROM title_key WHERE h IN (SELECT value FROM json_each(?))
     ORDER BY docid LIMIT 50`,
  )
  const term = rows('SELECT df, weight FROM term WHERE term = ?')
  const starting = rows(
    `SELECT max(weight) FROM (SELECT weight FROM term WHERE term >= ? AND term < ?
     ORDER BY term LIMIT ${maxTermsOfStart})`,
  )
  const begunBy = rows(
    `SELECT term, sum(df) OVER () FROM term WHERE term >= ? AND term < ?
     ORDER BY df DESC, id LIMIT ${maxStarts}`,
  )
  const deletions = rows(
    `SELECT DISTINCT t.term, t.df, t.weight FROM del d JOIN term t ON t.id = d.id
     WHERE d.h IN (SELECT value FROM json_each(?)) LIMIT ${maxTerms}`,
  )
  const termsBegun = rows(
    `SELECT term, df, weight FROM term WHERE term >= ? AND term < ?
     AND length(term) BETWEEN ? AND ? ORDER BY term LIMIT ${maxTerms}`,
  )
  db.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'fts', 'col')`)
  const publisherWords = rows(
    `SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? AND col = 'publisher'
     LIMIT ${maxTerms}`,
  )
  const byIsbn = rows(
    `SELECT d.docid, e.id FROM edition e JOIN doc d ON d.work_id = e.work_id WHERE e.id IN (
       SELECT id FROM edition WHERE isbn13 = ?1
       UNION ALL SELECT edition_id FROM isbn WHERE isbn13 = ?1)
     ORDER BY d.docid, e.id LIMIT 50`,
  )
  const byIsbns = rows(
    `SELECT min(id) FROM (SELECT d.docid AS docid, e.id AS id FROM edition e
       JOIN doc d ON d.work_id = e.work_id WHERE e.isbn13 BETWEEN ? AND ? LIMIT 100)
     GROUP BY docid ORDER BY docid`,
  )
  const byId = rows(
    `SELECT d.docid FROM edition e JOIN doc d ON d.work_id = e.work_id WHERE e.id IN (
       SELECT ?2
       UNION ALL SELECT id FROM edition WHERE key = ?1
       UNION ALL SELECT edition_id FROM alias WHERE key = ?1
       UNION ALL SELECT id FROM edition WHERE ids ->> 'openlibrary' = ?1 AND ids IS NOT NULL)
     UNION ALL SELECT docid FROM doc WHERE work_id = ?3 LIMIT 1`,
  )
  const ids = (found: Cell[][]) => found.map((row) => Number(row[0]))
  const termOf = ([term, df, weight]: Cell[]): Term => ({
    term: String(term),
    works: Number(df),
    weight: Number(weight),
  })
  return {
    size: Number(rows(`SELECT value FROM meta WHERE key = 'works'`)()[0]?.[0] ?? 0),
    version: () => Number(version()[0]?.[0]),
    match: (expression, limit) => ids(match(limit, expression)),
    matchFrom: (expression, { limit, after = 0, offset }) =>
      ids(matchFrom(limit, expression, after, offset)),
    matchAmong: (expression, docids) => ids(matchAmong(expression, JSON.stringify(docids))),
    docs(docids) {
      const found = new Map(doc(JSON.stringify(docids)).map((row) => [Number(row[0]), docOf(row)]))
      return docids.flatMap((docid) => found.get(docid) ?? [])
    },
    newest: (expression, { limit, after = 0, offset }) =>
      ids(newest(limit, expression, after, offset)),
    placeAmong: (expression, docid) => ids(placeAmong(expression, docid))[0] ?? null,
    titled: (keys) => ids(titled(JSON.stringify(keys))),
    docidOf: (id) =>
      ids(byId(id, openLibraryNumber(id, 'M'), openLibraryNumber(id, 'W')))[0] ?? null,
    worksWith: (word) => Number(term(word)[0]?.[0] ?? 0),
    weightOf: (word) => Number(term(word)[0]?.[1] ?? 0),
    weightOfStart: (start) => {
      const max = starting(start, `${start}\u{10FFFF}`)[0]?.[0] ?? null
      return max === null ? null : Number(max)
    },
    begunBy: (start) => {
      const found = begunBy(start, `${start}\u{10FFFF}`)
      return { words: found.map(([term]) => String(term)), works: Number(found[0]?.[1] ?? 0) }
    },
    termsByDeletion: (keys) => deletions(JSON.stringify(keys)).map(termOf),
    termsBegunBy: (start, min, max) =>
      termsBegun(start, `${start}\u{10FFFF}`, min, max).map(termOf),
    publisherWords: (start) =>
      publisherWords(start, `${start}\u{10FFFF}`).map(([word, works]) => ({
        word: String(word),
        works: Number(works),
      })),
    suggest: (expression, limit) => ids(suggest(limit, expression)),
    suggestOther: (expression, limit) => ids(suggestOther(limit, expression)),
    seriesBegunBy(starts, { isOpen, limit, upTo = Number.MAX_SAFE_INTEGER }) {
      // The words of an id are joined by "-", which "." follows.
      const end = isOpen ? '\u{10FFFF}' : '.'
      return seriesBegunBy(limit, JSON.stringify(starts), end, upTo).map(([id, name]) => ({
        id: String(id),
        name: String(name),
      }))
    },
    authorsOf: (docids) => authors(JSON.stringify(docids)).flatMap(([names]) => linesOf(names)),
    matchSubjects: (expression, limit) => ids(matchSubjects(limit, expression)),
    countSubjects: (expression, limit) => Number(countSubjects(limit, expression)[0]?.[0]),
    workTexts: workTextReader(db),
    editionIn: (docid, language) =>
      language === '' ? null : (ids(editionIn(docid, language))[0] ?? null),
    editionsByIsbn: (isbn13) =>
      byIsbn(Number(isbn13)).map(([docid, id]) => ({
        docid: Number(docid),
        editionId: Number(id),
      })),
    editionsByIsbns: (from, to) => ids(byIsbns(from, to)),
    close: () => db.close(),
  }
}

function docOf(row: Cell[]): Doc {
  const [docid, editionId, title, alt, author, subject, languages] = row
  return {
    docid: Number(docid),
    editionId: Number(editionId),
    title: ` ${String(title)} `,
    alt: ` ${String(alt)} `,
    author: ` ${String(author)} `,
    subject: ` ${String(subject)} `,
    languages: ` ${String(languages)} `,
  }
}
