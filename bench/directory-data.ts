import { rows, type FilledTables } from '#tests/fill.ts'
import { isShort } from './measure.ts'
import { readerId } from './taste-data.ts'

export const readers = isShort ? 2500 : 50_000
export const books = 10 * readers
const activitiesEach = 10

/** Different books on all shelves; a few are everybody's, most are somebody's. */
const titles = 0.8 * readers

/** Readers of a circle have books in common. */
const circles = Math.round(readers / 131.5)

/** The first reader has very many books and has done very much; of so many others it is as usual. */
export const largestReader = { books: 2000, activities: 5000 }

export const username = (n: number) => `${firstWords[n % firstWords.length]}-${n}`
const firstWords = ['autumn', 'brook', 'cedar', 'dune', 'ember', 'fern', 'grove', 'harbour']

/** Every tenth profile is private, and every fifth shelf. */
const isPrivate = (n: number) => n % 10 === 3

/** Readers with two shelves and ten books each, and what they did, made by counting. */
export function directoryTables(): FilledTables {
  return {
    users: rows(readers, (n) => {
      const id = readerId(n)
      const said = { email: `${id}@example.org`, tokenKey: id, name: `Reader ${n}` }
      return { id, username: username(n), ...said, created: time(n) }
    }),
    settings: rows(readers, (n) => ({
      id: readerId(n),
      user: readerId(n),
      isPrivate: Number(isPrivate(n)),
    })),
    bookshelves: rows(readers * 2, (n) => ({
      id: shelf(n),
      user: readerId(n >> 1),
      name: `Shelf ${n}`,
      visibility: n % 5 === 4 ? 'private' : 'public',
      covers: '[]',
      latest: '[]',
      created: time(n),
    })),
    user_books: rows(books, book),
    activities: rows(readers * activitiesEach, (n) => {
      const owner = n < largestReader.activities ? 0 : Math.floor(n / activitiesEach)
      return {
        id: `a${String(n).padStart(14, '0')}`,
        event_type: 'progress_updated',
        user: readerId(owner),
        book: `b${String(n).padStart(14, '0')}`,
        shelf: shelf(owner * 2 + ((n >> 1) % 2)),
        isPrivate: Number(n % 7 === 0),
        data: JSON.stringify({
          progress: n % 300,
          title: title(n % titles),
          shelf: `Shelf ${owner * 2}`,
          isbn: '',
          slug: '',
          cover: '',
          authors: ['An Author'],
        }),
        created: time(n),
      }
    }),
  }
}

function book(n: number) {
  const owner = n < largestReader.books ? 0 : Math.floor(n / (books / readers))
  // The reader with very many has each once.
  const which = n < largestReader.books ? n * 5 : work(n, owner)
  return {
    id: `b${String(n).padStart(14, '0')}`,
    user: readerId(owner),
    shelf: shelf(owner * 2 + ((n >> 1) % 2)),
    title: title(which),
    authors: `["Author ${which % 997}"]`,
    genres: '["fiction"]',
    page_count: 300,
    isbn: '',
    images: '[]',
    progress: n % 300,
    progress_average: (n % 300) / 3,
    rating: random(n * 3 + 1) < 0.3 ? 0 : 4 + Math.floor(random(n * 5 + 2) * 13) / 2,
    status: ['completed', 'reading', 'planning'][n % 3] ?? '',
    book_key: `work ${which}`,
    created: time(n),
  }
}

const shelf = (n: number) => `s${String(n).padStart(14, '0')}`
const title = (work: number) => `The Volume of ${work}`

/** Every other book is one of those that a reader's circle has. */
function work(n: number, owner: number): number {
  const chosen = random(n)
  return n % 2
    ? Math.floor(titles * chosen ** 4)
    : (owner % circles) * 100 + Math.floor(20 * chosen)
}

/** A second for each, and the same at every run. */
const time = (n: number) =>
  new Date(Date.UTC(2025, 0, 1) + n * 1000).toISOString().replace('T', ' ')

/** From 0 to 1; looks random and is the same at every run. */
function random(n: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1)
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return ((x ^ (x >>> 16)) >>> 0) / 4_294_967_296
}
