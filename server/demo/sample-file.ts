import type { Book } from '#shared/book.ts'
import { seededRandom } from './demo.ts'
import { gothicReads } from './demo-reads.ts'
import { dateReads } from './demo-years.ts'

/** The last year of the sample file. */
export const sampleYear = '2025'

/** One row in this many has no ISBN, as in real files. */
const withoutIsbn = 8

const header =
  'Book Id,Title,Author,ISBN13,My Rating,Binding,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Read Count'

const bindings = { print: 'Paperback', ebook: 'Kindle Edition', audio: 'Audiobook' }

/** A book that no catalogue has. */
const unknown = `9001,The Lighthouse Cookbook of Aunt Ottilie,Ottilie Brandhuber,,5,Hardcover,64,${sampleYear}/07/22,${sampleYear}/07/21,,read,,1`

/** @returns what a sample reader would export from Goodreads at the end of {@link sampleYear} */
export function sampleFile(books: ReadonlyMap<string, Book>): string {
  const end = Date.parse(`${sampleYear}-12-28T12:00:00Z`)
  const reads = dateReads(gothicReads, books, { pace: 30, end, random: seededRandom(7) })
  const rows = [...Map.groupBy(reads, ({ isbn }) => isbn).values()].map((times, place) => {
    const {
      title,
      book,
      isbn,
      rating = 0,
      format = 'print',
      isDropped,
      review,
      finished,
    } = times.at(-1)!
    const shelf = isDropped ? 'did-not-finish' : 'read'
    return [
      String(place + 1),
      title,
      book.authors[0] ?? '',
      place % withoutIsbn === 0 ? '=""' : `="${isbn}"`,
      // Goodreads has no half stars.
      String(Math.floor(rating / 2)),
      bindings[format],
      String(book.page_count),
      dateOf(finished),
      dateOf(times[0]!.started),
      isDropped ? shelf : '',
      shelf,
      review ?? '',
      String(times.length),
    ]
  })
  return [header, ...rows.map((cells) => cells.map(quoted).join(',')), unknown].join('\n')
}

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '/')

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
