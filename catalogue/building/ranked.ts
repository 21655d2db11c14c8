import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork, EditionRow } from '../index/docs.ts'
import { docOf } from '../index/docs.ts'
import type { Cell } from '../index/rows.ts'
import { eachRow } from '../index/rows.ts'
import { docidOf, topBucket } from '../index/schema.ts'
import type { CountedWord } from './terms.ts'
import { wordCounter } from './terms.ts'
import type { SubjectRow } from '../index/subject-index.ts'
import { maxSubjects, subjectRow } from '../index/subject-index.ts'

/**
 * Ranks the works with an edition by popularity: more readers first, then more editions, then, for
 * works with readers, by title, volume 2 before volume 10. Writes the table `ranked`.
 *
 * @param db a file with works and editions, open for writing
 * @param leastEditions works with fewer are skipped
 * @param readers the SQL for the readers of a work `w`
 * @returns the number of ranked works
 */
export function rankWorks(
  db: DatabaseSync,
  { leastEditions = 1, readers = 'w.readers' }: { leastEditions?: number; readers?: string } = {},
): number {
  db.function('natural', { deterministic: true }, (title) =>
    String(title)
      .toLowerCase()
      .replaceAll(/\d+/g, (digits) => digits.padStart(9, '0')),
  )
  db.exec(`
    DROP TABLE IF EXISTS ranked;
    CREATE TABLE ranked (work_id INTEGER PRIMARY KEY, docid INTEGER NOT NULL,
      place INTEGER NOT NULL, readers INTEGER NOT NULL) STRICT;
    DROP TABLE IF EXISTS ranking;
    CREATE TEMP TABLE ranking AS
      SELECT work_id, count(*) AS editions FROM edition GROUP BY work_id`)
  db.function('docid', nextDocid())
  let place = 0
  db.function('place', () => place++)
  db.prepare(
    `INSERT INTO ranked SELECT work_id, docid, place, readers FROM (
       SELECT work_id, docid(bucket) AS docid, place() AS place, readers FROM (
         SELECT work_id, ${bucket} AS bucket, readers FROM (
           SELECT w.id AS work_id, w.title, w.shelved, c.editions, ${readers} AS readers
           FROM ranking c CROSS JOIN work w ON w.id = c.work_id WHERE c.editions >= ?)
         ORDER BY bucket DESC, readers DESC, editions DESC,
           iif(readers > 0, natural(title), ''), work_id
         LIMIT -1 OFFSET 0)) ORDER BY work_id`,
  ).run(leastEditions)
  db.exec('DROP TABLE ranking')
  return place
}

/** The same as `bucketOf`. */
const bucket = `min(${topBucket},
  CAST(round(3 * log2(1 + readers + shelved + 0.5 * (editions - 1))) AS INTEGER))`

function nextDocid(): (bucket: Cell | bigint | Uint8Array) => number {
  const positions = new Map<number, number>()
  return (value) => {
    const bucket = Number(value)
    const position = (positions.get(bucket) ?? 0) + 1
    positions.set(bucket, position)
    return docidOf(bucket, position)
  }
}

/** Works per batch. */
const batchSize = 400

/** The works that one of several threads folds: every n-th batch. */
export interface Partition {
  of: number
  number: number
}

/** Works and editions are read in parallel, each sorted once; SQLite sorts on disk. */
const mine = `(r.place / ${batchSize}) % ? = ?`
const works = `SELECT r.docid, w.id, w.title, w.subtitle, w.other_titles, w.authors, w.author_names,
    w.genres, r.readers + w.shelved, iif(r.place < ${maxSubjects}, w.details, NULL),
    iif(r.place < ${maxSubjects}, w.description, NULL),
    iif(r.place < ${maxSubjects}, w.about, NULL)
  FROM ranked r CROSS JOIN work w ON w.id = r.work_id WHERE ${mine} ORDER BY r.docid`
const editions = `SELECT r.docid, e.id, e.title, e.isbn13, e.publisher, e.published_date, e.language,
    e.page_count, e.image_links
  FROM edition e CROSS JOIN ranked r ON r.work_id = e.work_id WHERE ${mine} ORDER BY r.docid, e.id`

/**
 * A batch for the index: works, most popular first, the subjects of the best known ones, and now
 * and then the word counts.
 */
export interface FoldedBatch {
  works: FoldedWork[]
  subjects: SubjectRow[]
  words: CountedWord[]
  isLast: boolean
}

/**
 * @param db a file that `rankWorks` has ranked
 * @param partition of the works, for one of several threads; all by default
 * @returns everything the search needs
 */
export function* foldedBatches(
  db: DatabaseSync,
  partition: Partition = { of: 1, number: 0 },
): Generator<FoldedBatch, undefined> {
  const counter = wordCounter()
  const isLast = false
  let works: FoldedWork[] = []
  let subjects: SubjectRow[] = []
  for (const folded of foldedWorks(db, partition)) {
    counter.count(folded.work)
    works.push(folded.work)
    if (folded.subjects !== null) subjects.push(folded.subjects)
    if (works.length < batchSize) continue
    yield { works, subjects, words: counter.flush(false), isLast }
    works = []
    subjects = []
  }
  if (works.length > 0) yield { works, subjects, words: [], isLast }
  yield { works: [], subjects: [], words: counter.flush(true), isLast: true }
}

function* foldedWorks(
  db: DatabaseSync,
  { of, number }: Partition,
): Generator<{ work: FoldedWork; subjects: SubjectRow | null }> {
  const following = eachRow(db, editions, of, number)
  let next = following.next()
  for (const row of eachRow(db, works, of, number)) {
    const [docid, id, title, subtitle, otherTitles, authors, authorNames, ...rest] = row
    const [genres, readers, ...texts] = rest
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
      authorNames: String(authorNames),
      genres: String(genres),
      readers: Number(readers),
    }
    yield {
      work: docOf(Number(docid), work, own),
      subjects:
        typeof texts[0] === 'string'
          ? subjectRow([Number(docid), work.title, work.genres, ...texts])
          : null,
    }
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
