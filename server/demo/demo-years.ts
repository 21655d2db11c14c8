import { sql } from 'kysely'
import type { Catalogue } from '#catalogue/index.ts'
import { formatDate } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'
import type { Book } from '#shared/book.ts'
import type { DemoRead } from './demo-reads.ts'

/** A read of a book and when, in milliseconds. */
interface DatedRead extends DemoRead {
  book: Book
  started: number
  finished: number
}

const day = 24 * 60 * 60 * 1000
/** Minutes in which a page is read aloud. */
const minutesAPage = 1.8

/** @returns the books of some reads, by ISBN */
export async function findBooks(
  catalogue: Pick<Catalogue, 'named'>,
  reads: readonly DemoRead[],
): Promise<Map<string, Book>> {
  const found = await catalogue.named(reads.map(({ isbn }) => ({ isbn, titles: [], authors: [] })))
  const books = found.flatMap(({ byIsbn }) => byIsbn ?? [])
  return new Map(books.map((book) => [isbnOf(book), book]))
}

const isbnOf = ({ isbns }: Book) => isbns.ISBN_13 ?? isbns.ISBN_10 ?? ''

/**
 * Dates a reader's reads one after another.
 *
 * @param plan.pace pages a day
 * @param plan.end the day of the last one, in milliseconds
 */
export function dateReads(
  reads: readonly DemoRead[],
  books: ReadonlyMap<string, Book>,
  { pace, end, random }: { pace: number; end: number; random: () => number },
): DatedRead[] {
  const dated: DatedRead[] = []
  let finished = end
  for (const read of reads.toReversed()) {
    const book = books.get(read.isbn)
    if (!book) continue
    const days = Math.max(1, Math.round((pagesRead(read, book) / pace) * (0.7 + random() * 0.6)))
    const started = finished - days * day
    dated.push({ ...read, book, started, finished })
    finished = started - Math.floor(random() * 8) * day
  }
  return dated.toReversed()
}

/** A dropped book is read to a third. */
function pagesRead({ isDropped }: DemoRead, { page_count }: Book): number {
  return isDropped ? Math.round(page_count / 3) : page_count
}

/** Writes a book and its reads, earliest first, as its reader would have at the time. */
export async function addReadBook(
  tx: LibraryTransaction,
  on: { user: string; shelf: string },
  reads: readonly [DatedRead, ...DatedRead[]],
): Promise<void> {
  const now = formatDate(Date.now())
  const [{ book, started }] = reads
  const last = reads.at(-1) ?? reads[0]
  const { isDropped = false, format = 'print', rating = 0, finished } = last
  const review = reads.map((read) => read.review).find(Boolean) ?? ''
  const [added, ended] = [formatDate(started), formatDate(finished)]
  const { id, book_key } = await tx.create('user_books', {
    ...on,
    ...copyOf(book),
    format,
    duration: format === 'audio' ? minutesOf(book) : 0,
    status: isDropped ? 'dropped' : 'completed',
    progress: pagesRead(last, book),
    rating,
    rated: rating ? ended : '',
    review,
    reviewed: review ? ended : '',
    tags: rating === 10 ? ['favourites'] : [],
  })
  const own = sql`"user" = ${on.user} AND book_key = ${book_key}`
  await modify(tx, 'readings', sql`DELETE FROM readings WHERE ${own}`)
  for (const read of reads) await addReading(tx, { user: on.user, book_key }, read)
  const dated = sql`SET created = ${added}, updated = ${ended}`
  await modify(tx, 'readings', sql`UPDATE readings ${dated} WHERE ${own}`)
  await modify(tx, 'user_books', sql`UPDATE user_books ${dated} WHERE id = ${id}`)
  await modify(
    tx,
    'activities',
    sql`UPDATE activities SET created = ${ended} WHERE "user" = ${on.user} AND created >= ${now}`,
  )
}

/** @returns the fields of a reader's book that are the catalogue's */
export function copyOf(book: Book) {
  return {
    title: book.title,
    authors: book.authors,
    genres: book.genres,
    images: book.image_links.slice(0, 1),
    isbn: isbnOf(book),
    page_count: book.page_count,
  }
}

const minutesOf = ({ page_count }: Book) => Math.round(page_count * minutesAPage)

async function addReading(
  tx: LibraryTransaction,
  of: { user: string; book_key: string },
  read: DatedRead,
): Promise<void> {
  const { book, dated = 'day', format = 'print', isDropped, rating = 0 } = read
  const length = { year: 4, month: 7, day: 10 }[dated]
  const [from, to] = [formatDate(read.started), formatDate(read.finished)]
  const { id } = await tx.create('readings', {
    ...of,
    started: dated === 'day' ? from.slice(0, 10) : '',
    finished: to.slice(0, length),
    outcome: isDropped ? 'dropped' : 'finished',
    format,
    pages: book.page_count,
    minutes: format === 'audio' ? minutesOf(book) : 0,
    rating,
  })
  if (dated === 'day') await addLog(tx, { ...of, reading: id }, read)
}

/** Logs about every second day of a read. */
async function addLog(
  tx: LibraryTransaction,
  of: { user: string; book_key: string; reading: string },
  read: DatedRead,
): Promise<void> {
  const { book, format, started, finished } = read
  const isHeard = format === 'audio'
  const unit = isHeard ? 'minutes' : 'pages'
  const end = isHeard ? minutesOf(book) : pagesRead(read, book)
  const sittings = Math.max(1, Math.round((finished - started) / day / 2))
  for (let sitting = 1; sitting <= sittings; sitting++) {
    const at = formatDate(started + ((finished - started) * sitting) / sittings)
    const [from, to] = [sitting - 1, sitting].map((part) => Math.round((end * part) / sittings))
    await tx.create('progress_log', { ...of, day: at.slice(0, 10), at, unit, from, to })
  }
}
