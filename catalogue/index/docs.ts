import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { foldTitle, indexText, separator } from './fold.ts'
import type { Cell } from './rows.ts'
import { preparedRows } from './rows.ts'
import { bucketOf, docidOf, yearToken } from './schema.ts'
import type { Vocabulary } from './terms.ts'
import { countWords } from './terms.ts'
import { hash, titleKeys } from './words.ts'

const names = z.array(z.string())
const list = (json: Cell | undefined) => names.parse(JSON.parse(String(json)))

interface WorkRow {
  id: number
  title: string
  subtitle: string
  otherTitles: string[]
  authors: string[]
  genres: string[]
  readers: number
  editions: number
}

interface EditionRow {
  id: number
  title: string
  publisher: string
  publishedDate: string
  language: string
}

/**
 * Turns the works of the file into what is searched: rows in order of popularity, the full-text
 * index over them and the keys of their titles.
 *
 * @returns the words seen, with how many works hold each
 */
export function addDocs(db: DatabaseSync): Vocabulary {
  const addDoc = db.prepare('INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const addFts = db.prepare(
    'INSERT INTO fts (rowid, title, alt, author, subject, publisher, meta) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  // Shadow tables of FTS5 hold row ids above 2^53; without this the write throws after it is done.
  addFts.setReadBigInts(true)
  const addKey = db.prepare('INSERT OR IGNORE INTO title_key (h, docid) VALUES (?, ?)')
  const addYear = db.prepare('INSERT OR IGNORE INTO year (year) VALUES (?)')
  const editionsOf = editionReader(db)
  const words: Vocabulary = new Map()
  const positions = new Map<number, number>()
  for (const work of worksByPopularity(db)) {
    const editions = editionsOf(work.id)
    const shown = editions[0]
    if (!shown) continue
    const bucket = bucketOf(work.readers, work.editions)
    const position = (positions.get(bucket) ?? 0) + 1
    positions.set(bucket, position)
    const docid = docidOf(bucket, position)
    const alternatives = otherTitles(work, editions)
    const title = indexText(work.title)
    const alt = joinPieces(alternatives)
    const author = joinPieces(work.authors)
    const subject = joinPieces(work.genres)
    const publisher = joinPieces(editions.map((e) => e.publisher))
    addDoc.run(docid, work.id, shown.id, title, alt, author, subject, shown.publishedDate)
    const year = Number.parseInt(shown.publishedDate, 10) || 0
    addYear.run(year)
    const meta = `${yearToken(year)} ${separator}l${shown.language}`
    addFts.run(docid, title, alt, author, subject, publisher, meta)
    for (const form of [work.title, ...alternatives])
      for (const key of titleKeys(foldTitle(form))) addKey.run(hash(key), docid)
    countWords(words, work.readers, [title, alt, author], [subject])
  }
  return words
}

/** Every other name of the work: subtitle, title without it, original and editions' titles. */
function otherTitles(work: WorkRow, editions: EditionRow[]): string[] {
  const own = foldTitle(work.title)
  const short = work.title.split(/[:(]/)[0]?.trim() ?? ''
  const all = [
    short,
    ...(work.subtitle ? [work.subtitle, `${work.title}: ${work.subtitle}`] : []),
    ...work.otherTitles,
    ...editions.map((edition) => edition.title),
  ]
  const seen = new Map(all.map((title) => [foldTitle(title), title]))
  seen.delete('')
  seen.delete(own)
  return [...seen.values()]
}

function joinPieces(texts: string[]): string {
  return [...new Set(texts.filter(Boolean).map(indexText))].join(` ${separator} `)
}

/** Ties are broken by title, volume 2 before volume 10. */
function worksByPopularity(db: DatabaseSync): WorkRow[] {
  const rows = preparedRows(
    db,
    `SELECT w.id, w.title, w.subtitle, w.other_titles, w.authors, w.genres, w.readers,
       (SELECT count(*) FROM edition e WHERE e.work_id = w.id) FROM work w`,
  )
  const naturally = new Intl.Collator('en', { numeric: true })
  return rows()
    .map(([id, title, subtitle, others, authors, genres, readers, editions]) => ({
      id: Number(id),
      title: String(title),
      subtitle: String(subtitle),
      otherTitles: list(others),
      authors: list(authors),
      genres: list(genres),
      readers: Number(readers),
      editions: Number(editions),
    }))
    .sort((a, b) => b.readers - a.readers || naturally.compare(a.title, b.title))
}

function editionReader(db: DatabaseSync): (workId: number) => EditionRow[] {
  const rows = preparedRows(
    db,
    'SELECT id, title, publisher, published_date, language FROM edition WHERE work_id = ? ORDER BY id',
  )
  return (workId) =>
    rows(workId).map(([id, title, publisher, publishedDate, language]) => ({
      id: Number(id),
      title: String(title),
      publisher: String(publisher),
      publishedDate: String(publishedDate),
      language: String(language),
    }))
}
