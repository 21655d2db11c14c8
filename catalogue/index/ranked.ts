import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork, EditionRow } from './docs.ts'
import { docOf } from './docs.ts'
import type { Cell } from './rows.ts'
import { eachRow } from './rows.ts'
import { docidOf, topBucket } from './schema.ts'
import type { Term, TermKeys } from './terms.ts'
import { vocabulary, wordCounter } from './terms.ts'
import type { ToldText } from './told.ts'
import { toldTexts } from './told.ts'

/**
 * Puts the works that have an edition into the order of popularity: more readers first, then more
 * editions, then, of what is read at all, by title, volume 2 before volume 10. Leaves the table `ranked` behind.
 *
 * @param db a file with works and editions, open for writing
 * @param leastEditions works with fewer are left out
 * @returns how many works are in the order
 */
export function rankWorks(db: DatabaseSync, leastEditions = 1): number {
  db.function('natural', { deterministic: true }, (title) =>
    String(title)
      .toLowerCase()
      .replaceAll(/\d+/g, (digits) => digits.padStart(9, '0')),
  )
  db.exec(`
    DROP TABLE IF EXISTS ranked;
    CREATE TABLE ranked (work_id INTEGER PRIMARY KEY, docid INTEGER NOT NULL) STRICT;
    DROP TABLE IF EXISTS ranking;
    CREATE TEMP TABLE ranking AS
      SELECT work_id, count(*) AS editions FROM edition GROUP BY work_id`)
  db.function('place', nextPlace())
  db.prepare(
    `INSERT INTO ranked SELECT work_id, docid FROM (
       SELECT work_id, place(bucket) AS docid FROM (
         SELECT w.id AS work_id, ${bucket} AS bucket
         FROM ranking c CROSS JOIN work w ON w.id = c.work_id WHERE c.editions >= ?
         ORDER BY bucket DESC, w.readers DESC, c.editions DESC,
           iif(w.readers > 0, natural(w.title), ''), w.id
         LIMIT -1 OFFSET 0)) ORDER BY work_id`,
  ).run(leastEditions)
  const [[works] = []] = eachRow(db, 'SELECT count(*) FROM ranked')
  db.exec('DROP TABLE ranking')
  return Number(works)
}

/** The same as `bucketOf`. */
const bucket = `min(${topBucket},
  CAST(round(3 * log2(1 + w.readers + w.shelved + 0.5 * (c.editions - 1))) AS INTEGER))`

function nextPlace(): (bucket: Cell | bigint | Uint8Array) => number {
  const positions = new Map<number, number>()
  return (value) => {
    const bucket = Number(value)
    const position = (positions.get(bucket) ?? 0) + 1
    positions.set(bucket, position)
    return docidOf(bucket, position)
  }
}

/** Works and editions are read side by side, each sorted once; SQLite sorts on disk. */
const works = `SELECT r.docid, w.id, w.title, w.subtitle, w.other_titles, w.authors, w.genres,
    w.readers + w.shelved
  FROM ranked r CROSS JOIN work w ON w.id = r.work_id ORDER BY r.docid`
const editions = `SELECT r.docid, e.id, e.title, e.isbn13, e.publisher, e.published_date, e.language,
    e.page_count, e.image_links
  FROM edition e CROSS JOIN ranked r ON r.work_id = e.work_id ORDER BY r.docid, e.id`

/** Works, or what is told of them, in one batch. */
const batchSize = 400

/**
 * A part of what an index is made of: the works, the most popular first; then every word that was
 * counted in them, in order; then the keys that find words despite a typo, in order; then what
 * works are about.
 */
export type FoldedBatch = { isLast: boolean } & (
  | { works: FoldedWork[] }
  | { terms: Term[] }
  | { termKeys: TermKeys }
  | { told: ToldText[] }
)

/**
 * @param db a file in which `rankWorks` was run
 * @returns all that the search needs of it
 */
export function* foldedBatches(db: DatabaseSync): Generator<FoldedBatch, undefined> {
  const counter = wordCounter()
  const words = vocabulary(db)
  const isLast = false
  for (const works of inBatches(foldedWorks(db))) {
    for (const work of works) counter.count(work)
    words.add(counter.take(false))
    yield { works, isLast }
  }
  words.add(counter.take(true))
  for (const terms of words.terms()) yield { terms, isLast }
  for (const termKeys of words.keys()) yield { termKeys, isLast }
  for (const told of inBatches(toldTexts(db))) yield { told, isLast }
  yield { told: [], isLast: true }
}

function* inBatches<Each>(all: Iterable<Each>): Generator<Each[]> {
  let batch: Each[] = []
  for (const each of all) {
    batch.push(each)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function* foldedWorks(db: DatabaseSync): Generator<FoldedWork> {
  const following = eachRow(db, editions)
  let next = following.next()
  for (const row of eachRow(db, works)) {
    const [docid, id, title, subtitle, otherTitles, authors, genres, readers] = row
    const own: EditionRow[] = []
    while (!next.done && next.value[0] === docid) {
      own.push(editionOf(next.value.slice(1)))
      next = following.next()
    }
    const work = {
      id: Number(id),
      title: String(title),
      subtitle: String(subtitle),
      otherTitles: String(otherTitles),
      authors: String(authors),
      genres: String(genres),
      readers: Number(readers),
    }
    yield docOf(Number(docid), work, own)
  }
}

/** @param row id, title, isbn13, publisher, published_date, language, page_count, image_links */
export function editionOf(row: Cell[]): EditionRow {
  const [id, title, isbn13, publisher, publishedDate, language, pages, images] = row
  return {
    id: Number(id),
    title: String(title),
    isbn13: isbn13 === null ? null : Number(isbn13),
    publisher: String(publisher),
    publishedDate: String(publishedDate),
    language: String(language),
    pageCount: Number(pages),
    imageLinks: String(images),
  }
}
