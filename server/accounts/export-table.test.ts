import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { readImportFile } from '#tests/import-file.ts'
import { foldText } from '#shared/text.ts'
import { statuses } from '#shared/user-book.ts'
import { exportTable } from './export-table.ts'

/** Words that a spreadsheet, a separator or a quotation mark could spoil. */
const words = fc.constantFrom(
  'Ilse',
  'Brëhmer',
  '=1+1',
  "'=x",
  '＝１＋１',
  "''@sum",
  'sep=;',
  "'",
  '=""',
  '="123"',
  '\u200E=x',
  '00123',
  '"quoted"',
  'semi;colon',
  'tab',
  '-5',
  '琅俨',
  'O’Neil',
)
const name = fc.array(words, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '))
const day = fc
  .record({ y: fc.integer({ min: 1990, max: 2020 }), m: fc.integer({ min: 1, max: 12 }) })
  .map(({ y, m }) => `${y}-${String(m).padStart(2, '0')}-15`)
/** In the past of one another, as readings of one book are. */
const days = fc.uniqueArray(day, { maxLength: 4 }).map((all) => all.toSorted())

const library = fc.array(
  fc.record({
    title: name,
    // Two spellings of a name are one author.
    authors: fc.uniqueArray(name, {
      minLength: 1,
      maxLength: 2,
      selector: (one) => foldText(one) || one,
    }),
    rating: fc.integer({ min: 0, max: 10 }),
    status: fc.constantFrom(...statuses.filter((one) => one !== 'paused')),
    review: fc.constantFrom<string>(
      '',
      'Good.',
      'Two\nlines, "both" fine',
      '-not for me',
      "'=x",
      'a <b> & 5 < 6 &amp; "so"',
      '<spoiler>x</spoiler>',
    ),
    notes: fc.constantFrom('', 'mine, alone'),
    tags: fc.constantFrom<string[]>([], ['quiet', "'=x"], ['quiet', 'sea stories', 'owned']),
    format: fc.constantFrom('', 'print', 'ebook', 'audio'),
    page_count: fc.integer({ min: 0, max: 900 }),
    days,
  }),
  { maxLength: 6 },
)
type Book = typeof library extends fc.Arbitrary<(infer T)[]> ? T : never

function recordsOf(books: readonly Book[]): Pick<LibraryRecords, 'recordsOf'> {
  const rows: Record<string, object[]> = {
    bookshelves: [{ id: 'shelf', name: 'Winter' }],
    user_books: books.map((book, n) => ({
      ...book,
      id: `b${n}`,
      title: `${book.title} ${n}`,
      shelf: 'shelf',
      isbn: '',
      review_spoilers: false,
      book_key: `k${n}`,
      created: '2021-02-03 10:00:00.000Z',
      updated: '2021-02-03 10:00:00.000Z',
    })),
    readings: books.flatMap((book, n) =>
      book.days.map((finished) => ({
        started: `${finished.slice(0, 8)}01`,
        finished,
        outcome: book.status === 'dropped' ? 'dropped' : 'finished',
        book_key: `k${n}`,
      })),
    ),
  }
  async function* recordsOf(collection: string) {
    yield rows[collection] ?? []
  }
  return { recordsOf } as unknown as Pick<LibraryRecords, 'recordsOf'>
}

type Shape = Parameters<typeof exportTable>[2]
async function readBack(books: readonly Book[], shape: Shape) {
  const pieces = await Array.fromAsync(exportTable(recordsOf(books), 'reader', shape))
  const text = pieces.join('')
  const { format, rows } = await readImportFile(text)
  expect(format).toBe(shape)
  expect(rows.filter(({ reason }) => reason)).toEqual([])
  // Further lines of a book are the same book.
  const seen = new Map(rows.toReversed().map(({ book }) => [book!.title, book!]))
  return books.map(({ title }, n) => seen.get(`${title} ${n}`)!)
}

/** What each shape has room for. */
const kept: Record<Shape, (book: Book) => object> = {
  goodreads: ({ rating, review, notes, page_count, days }) => ({
    rating: rating ? Math.max(1, Math.round(rating / 2)) * 2 : 0,
    review,
    notes,
    pages: page_count,
    readings: days.slice(-1).map((finished) => ({ finished })),
  }),
  storygraph: ({ rating, review, days }) => ({ rating, review, readings: wholeReadings(days) }),
  openreads: ({ rating, review, notes, page_count, days }) => ({
    rating,
    review,
    notes,
    pages: page_count,
    readings: wholeReadings(days),
  }),
  bookwyrm: ({ rating, review, days }) => ({ rating, review, readings: wholeReadings(days) }),
}
const wholeReadings = (days: readonly string[]) =>
  days.map((finished) => ({ started: `${finished.slice(0, 8)}01`, finished }))

test.each(Object.keys(kept) as Shape[])(
  'a table in the shape of %s reads back with what it has room for',
  async (shape) => {
    await fc.assert(
      fc.asyncProperty(library, async (books) => {
        fc.pre(books.length > 0)
        const found = await readBack(books, shape)
        for (const [n, book] of books.entries()) {
          const { status, format, tags } = book
          // Of a book that was dropped, Goodreads doesn't know when.
          const expected = kept[shape](book)
          const readings =
            shape === 'goodreads' && status === 'dropped' ? { readings: [] } : undefined
          expect(found[n]).toMatchObject({
            title: `${book.title} ${n}`,
            authors: book.authors,
            status,
            added: '2021-02-03',
            ...expected,
            ...readings,
          })
          if (shape === 'bookwyrm') continue
          expect(found[n]).toMatchObject({ format })
          const { owned, tags: names } = found[n]!
          expect([...names, ...(owned ? ['owned'] : [])].toSorted()).toEqual(
            ['Winter', ...tags].toSorted(),
          )
        }
      }),
      { numRuns: 40 },
    )
  },
)

/** A book that every shape has room for. */
const plain: Book = {
  title: 'Plain',
  authors: ['Anna Writer'],
  rating: 0,
  status: 'completed',
  review: '',
  notes: '',
  tags: [],
  format: '',
  page_count: 0,
  days: [],
}

test.each(Object.keys(kept) as Shape[])('%s keeps names with commas whole', async (shape) => {
  const authors = ['Anna Writer', 'Le Guin, Ursula K.', 'Martin King, Jr.', 'A. Nurse, PhD']
  const [book] = await readBack([{ ...plain, authors }], shape)
  expect(book!.authors).toEqual(authors.with(1, 'Le Guin Ursula K.'))
})

test.each(Object.keys(kept) as Shape[])('%s keeps the lines of a form’s text', async (shape) => {
  const [book] = await readBack([{ ...plain, review: 'one\r\ntwo\r\n\r\nthree' }], shape)
  expect(book!.review).toBe('one\ntwo\n\nthree')
})
