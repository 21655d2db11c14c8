import type { DatabaseSync } from 'node:sqlite'
import { foldTitle, indexText, separator } from '../text/fold.ts'
import { initialsOf } from '../text/initials.ts'
import { linesOf, preparedRows, preparedWrite } from './rows.ts'
import { bucketOfDocid } from './schema.ts'
import { hash, titleKeys } from '../text/words.ts'

/** A work's columns; lists have one entry per line. */
export interface WorkRow {
  id: number
  title: string
  subtitle: string
  otherTitles: string
  authors: string
  authorNames: string
  genres: string
  readers: number
}

export interface EditionRow {
  id: number
  title: string
  isbn13: number | null
  publisher: string
  publishedDate: string
  language: string
  pageCount: number
  imageLinks: string
}

/** A folded work, for the search tables. */
export interface FoldedWork {
  docid: number
  workId: number
  editionId: number
  title: string
  alt: string
  author: string
  subject: string
  publisher: string
  publishedDate: string
  languages: string
  readers: number
  /** Hashes of its whole titles. */
  keys: number[]
}

/** Another title of a work, printed and folded. */
interface OtherTitle {
  title: string
  folded: string
}

/** The most other titles of a work; more would only grow the index. */
const maxOtherTitles = 40
const maxPublishers = 16
/**
 * The class of popularity, about 4,000 readers, from which works are also found by their initials.
 */
const abbreviatedBucket = 36
/** The size of a cache, as many works share subjects and publishers. */
const maxFolded = 100_000
const folded = new Map<string, string>()

function foldedOnce(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  if (folded.size === maxFolded) folded.clear()
  const made = indexText(text)
  folded.set(text, made)
  return made
}

/**
 * @param docid the work's rank by popularity
 * @param editions of the work, at least one, in a stable order
 */
export function docOf(docid: number, work: WorkRow, editions: EditionRow[]): FoldedWork {
  const shown = shownEdition(work, editions)
  const own = foldTitle(work.title)
  const alternatives = otherTitles(work, own, editions)
  if (bucketOfDocid(docid) >= abbreviatedBucket)
    for (const initials of initialsOf(foldTitle(shortTitle(work))))
      alternatives.push({ title: initials, folded: initials })
  const keys = [own, ...alternatives.map(({ folded }) => folded)].flatMap(titleKeys).map(hash)
  return {
    docid,
    workId: work.id,
    editionId: shown.id,
    title: indexText(work.title, own),
    alt: joined(alternatives.map(({ title, folded }) => indexText(title, folded))),
    author: joined(linesOf(`${work.authors}\n${work.authorNames}`).map((name) => indexText(name))),
    subject: joined(linesOf(work.genres).map(foldedOnce)),
    publisher: joined(publishersOf(editions).map(foldedOnce)),
    publishedDate: shown.publishedDate,
    languages: distinct(editions.map((e) => e.language))
      .filter(Boolean)
      .join(' '),
    readers: work.readers,
    keys: distinct(keys),
  }
}

/** The edition with most data, preferably with the work's own title; the first of equals. */
function shownEdition(work: WorkRow, editions: EditionRow[]): EditionRow {
  const [only] = editions
  if (only && editions.length === 1) return only
  const worth = (e: EditionRow) =>
    (e.title === '' || e.title === work.title ? 4 : 0) +
    (e.isbn13 === null ? 0 : 3) +
    (e.language === 'eng' ? 2 : 0) +
    (e.imageLinks === '' ? 0 : 2) +
    (e.pageCount === 0 ? 0 : 1)
  const best = editions.reduce<EditionRow | undefined>(
    (best, next) => (best && worth(best) >= worth(next) ? best : next),
    undefined,
  )
  if (!best) throw new Error(`The work ${work.id} has no edition.`)
  return best
}

function shortTitle({ title }: WorkRow): string {
  return title.split(/[:(]/)[0]?.trim() ?? ''
}

/**
 * All other titles of the work by folded form: short, subtitle, original, and those of editions.
 */
function otherTitles(work: WorkRow, own: string, editions: EditionRow[]): OtherTitle[] {
  const { title, subtitle } = work
  const all = [
    shortTitle(work),
    ...(subtitle ? [subtitle, `${title}: ${subtitle}`] : []),
    ...linesOf(work.otherTitles),
    ...editions.map((edition) => edition.title),
  ]
  const found: OtherTitle[] = []
  for (const other of all) {
    if (other === '' || other === title) continue
    const folded = foldTitle(other)
    if (folded === '' || folded === own || found.some((known) => known.folded === folded)) continue
    found.push({ title: other, folded })
    if (found.length === maxOtherTitles) break
  }
  return found
}

function publishersOf(editions: EditionRow[]): string[] {
  return distinct(editions.map((e) => e.publisher))
    .filter(Boolean)
    .slice(0, maxPublishers)
}

function joined(texts: string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : distinct(texts).join(` ${separator} `)
}

/** Up to this length comparing is faster than hashing; nearly all lists are short. */
const maxCompared = 16

function distinct<Entry extends string | number>(list: Entry[]): Entry[] {
  if (list.length < 2) return list
  if (list.length > maxCompared) return [...new Set(list)]
  return list.filter((entry, i) => list.indexOf(entry) === i)
}

interface DocWriter {
  /** @param place the work's rank by date */
  write(doc: FoldedWork, place: number): void
  /**
   * Removes the work from the search tables.
   *
   * @returns its rank by date
   */
  remove(docid: number): number
}

/** Writes single works to the search tables. */
export function docWriter(db: DatabaseSync): DocWriter {
  const addDoc = preparedWrite(db, 'INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const addFts = preparedWrite(
    db,
    'INSERT INTO fts (rowid, title, alt, author, subject, publisher) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const placeOf = preparedRows(db, 'SELECT place FROM doc WHERE docid = ?')
  const removeDoc = preparedWrite(db, 'DELETE FROM doc WHERE docid = ?')
  const removeFts = preparedWrite(db, 'DELETE FROM fts WHERE rowid = ?')
  return {
    write(doc, place) {
      const { docid, workId, editionId, title, alt, author, subject, publisher, languages } = doc
      const texts = [title, alt, author, subject, publisher]
      addDoc.run(docid, place, workId, editionId, ...texts, languages)
      addFts.run(docid, ...texts)
    },
    remove(docid) {
      const place = Number(placeOf(docid)[0]?.[0])
      removeDoc.run(docid)
      removeFts.run(docid)
      return place
    },
  }
}
