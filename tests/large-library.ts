import { fillDerived } from '#records/schema/auto-fields.ts'
import { encode, type StoredRecord } from '#records/schema/values.ts'
import { schema } from '#server/collections/schema.ts'
import { bookKey } from '#shared/user-book.ts'
import { rows, type FilledRow, type FilledTables } from './fill.ts'

/** How many of each a large library has. Each book has a tag of its own and shares the others. */
export const large = {
  books: 20_000,
  readings: 60_000,
  shelves: 2000,
  tagsEach: 20,
  sharedTags: 100,
}

const id = (kind: string) => (n: number) => kind + String(n).padStart(15 - kind.length, '0')
const shelfId = id('ls')
/** Shelves with most books, with a quarter of them, and with only the first; others are empty. */
export const [largeShelf, quarterShelf, smallShelf] = [shelfId(0), shelfId(1), shelfId(2)]
export const bookId = id('lb')
export const readingId = id('lr')
export const titleOf = (n: number) => `Volume ${n}`

/** A reader's public books, with readings, quotes, progress and timeline. */
export function largeLibrary(user: string): FilledTables {
  const { books, readings, shelves } = large
  const of = (collection: string, count: number, make: (n: number) => StoredRecord) =>
    rows(count, (n) => toRow(collection, { ...make(n), user }))
  return {
    bookshelves: of('bookshelves', shelves, (n) => ({
      id: shelfId(n),
      name: `Shelf ${n}`,
      visibility: 'public',
      covers: [],
      latest: [],
      book_count: [(books * 3) / 4 - 1, books / 4, 1][n] ?? 0,
      ...dates(n),
    })),
    user_books: of('user_books', books, (n) => ({
      id: bookId(n),
      shelf: shelfOf(n),
      title: titleOf(n),
      authors: ['Ann Author'],
      genres: ['Fiction'],
      images: [],
      tags: tagsOf(n),
      book_key: keyOf(n),
      status: n % 2 ? 'reading' : 'completed',
      rating: n % 11,
      page_count: 300,
      progress: 100,
      notes: 'A note of some words',
      review: 'A review of some words',
      ...dates(n),
    })),
    readings: of('readings', readings, (n) => ({
      id: readingId(n),
      book_key: keyOf(n % 4 === 1 ? journalBook : n % books),
      started: '',
      finished: day(n),
      outcome: 'finished',
      source: 'app',
      visible: true,
      title: titleOf(n % books),
      authors: ['Ann Author', `Author ${n % 5000}`],
      genres: ['Fiction', `Genre ${n % 50}`],
      pages: 300,
      rating: n % 11,
      ...dates(n),
    })),
    quotes: of('quotes', books, (n) => ({
      id: id('lq')(n),
      book_key: keyOf(n % 4 === 1 ? journalBook : n),
      text: 'Some words of the book',
      visible: true,
      ...dates(n),
    })),
    goals: of('goals', 6, (n) => ({
      id: id('lg')(n),
      year: 2012,
      from: '2012-01-01',
      to: '2012-12-31',
      kind: n % 2 ? 'pages' : 'books',
      target: 50,
      filter: n % 3 ? '' : 'genres:folded ~ "Fiction"',
      ...dates(n),
    })),
    progress_log: of('progress_log', readings, (n) => ({
      id: id('lp')(n),
      book_key: keyOf(n % books),
      day: day(n),
      at: time(n),
      unit: 'pages',
      to: 100,
    })),
    activities: of('activities', readings, (n) => ({
      id: id('la')(n),
      event_type: 'completed',
      book: bookId(n % books),
      shelf: shelfOf(n % books),
      data: { title: titleOf(n % books), authors: [], cover: '', shelf: 'Shelf' },
      created: time(n),
    })),
  }
}

const shelfOf = (book: number) => (book === 0 ? smallShelf : book % 4 ? largeShelf : quarterShelf)

/** The book that a quarter of the readings and quotes are of. */
export const journalBook = 7

const keyOf = (n: number) => bookKey({ title: titleOf(n), authors: ['Ann Author'], isbn: '' })

const tagsOf = (n: number) => [
  `tag ${n}`,
  ...Array.from({ length: large.tagsEach - 1 }, (_, i) => `shared ${(n + i) % large.sharedTags}`),
]

/** A day of this century's first 25 years. */
const day = (n: number) => new Date(Date.UTC(2000, 0, 1 + (n % 9000))).toISOString().slice(0, 10)
const time = (n: number) => `${day(n)} 12:00:00.000Z`
const dates = (n: number) => ({ created: time(n), updated: time(n) })

/** @returns the columns of a record's given and derived fields */
function toRow(collection: string, record: StoredRecord): FilledRow {
  const { fields } = schema.get(collection)
  fillDerived(schema.get(collection), record)
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.name in record ? [[field.name, encode(field, record[field.name])]] : [],
    ),
  )
}
