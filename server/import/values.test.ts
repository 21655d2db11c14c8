import { expect, test } from 'vitest'
import { readImportFile } from '#tests/import-file.ts'
import type { DateOrder } from '#shared/import.ts'

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** Reads one row of a table, with the keys of its warnings. */
async function readRow(cells: Record<string, string>, order?: DateOrder) {
  const all = { Title: 'Alpha', Author: 'Ann Author', Status: 'read', ...cells }
  const lines = [Object.keys(all), Object.values(all).map(quoted)].map((row) => row.join(','))
  const { rows, ambiguous, unused } = await readImportFile(lines.join('\n'), order)
  const { book, warnings = [] } = rows[0]!
  return { book: book!, warnings: warnings.map(({ key }) => key), ambiguous, unused }
}

test.each([
  ['2021-03-04', '2021-03-04'],
  ['2021/3/4', '2021-03-04'],
  ['2021.03.04', '2021-03-04'],
  ['20210304', '2021-03-04'],
  ['2021-03-04T23:10:00+02:00', '2021-03-04'],
  ['2021/25/12', '2021-12-25'],
  ['2021-03', '2021-03'],
  ['2021', '2021'],
  ['03/2021', '2021-03'],
  ['2021, March 4', '2021-03-04'],
  ['2021-03-04 (Thursday)', '2021-03-04'],
  ['0000-00-00', ''],
  ['25/12/2021', '2021-12-25'],
  ['12-25-21', '2021-12-25'],
  ['25. 12. 2021', '2021-12-25'],
  ['25.12.98', '1998-12-25'],
  ['98/12/25', '1998-12-25'],
  ['4 March 2021', '2021-03-04'],
  ['March 4th, 2021', '2021-03-04'],
  ['04-Mar-21', '2021-03-04'],
  ['Thu, 04 Mar 2021 10:00:00 GMT', '2021-03-04'],
  ['Sept 2020', '2020-09'],
  ['November 28, 2022 13:52', '2022-11-28'],
  ['4. März 2021', '2021-03-04'],
  ['4 févr. 2021', '2021-02-04'],
  ['4 de marzo de 2021', '2021-03-04'],
  ['4 de março de 2021', '2021-03-04'],
  ['2021年3月4日', '2021-03-04'],
  ['2021年3月', '2021-03'],
  ['٤ مارس ٢٠٢١', '2021-03-04'],
  ['४ March २०२१', '2021-03-04'],
])('the date “%s” is %s', async (text, date) => {
  const { book, warnings, ambiguous } = await readRow({ Finished: text })
  expect([book.readings[0]?.finished ?? '', warnings, ambiguous]).toEqual([date, [], []])
})

test.each([
  ['44259', '2021-03-04', 'dateSerial'],
  ['44259.5', '2021-03-04', 'dateSerial'],
  ['2021-02-30', '2021-02', 'dateShortened'],
  ['13/14/2021', '2021', 'dateShortened'],
  ['####', '', 'dateReplaced'],
  ['last summer', '', 'dateUnread'],
  ['Spring 2009', '2009', 'dateYearOnly'],
  ['2019, 2021-05-01', '', 'dateUnread'],
  ['2020-05-01 - 2020-06-01', '', 'dateUnread'],
  ['25/12/2021 & 26/12/2022', '', 'dateUnread'],
  ['Jan 5, 2022 – Feb 3, 2022', '', 'dateUnread'],
  ['May 2019, June 2020', '', 'dateUnread'],
  ['2999-01-01', '', 'dateFuture'],
  ['12345', '', 'dateUnread'],
])('the date “%s” is read as “%s” and counted as %s', async (text, date, key) => {
  const { book, warnings } = await readRow({ Finished: text })
  expect([book.readings[0]?.finished ?? '', warnings]).toEqual([date, [key]])
})

test('a start after the end is left out and counted', async () => {
  const { book, warnings } = await readRow({ Started: '2021-01-02', Finished: '2020-05-04' })
  expect(book.readings).toEqual([{ started: '', finished: '2020-05-04', outcome: 'finished' }])
  expect(warnings).toEqual(['startTooLate'])
})

test('a date with two digits for the year is asked about like any other', async () => {
  expect(await readRow({ Finished: '3/4/21' })).toMatchObject({
    ambiguous: ['3/4/21'],
    warnings: [],
    book: { readings: [] },
  })
  const { book } = await readRow({ Finished: '3/4/21' }, 'dmy')
  expect(book.readings).toMatchObject([{ finished: '2021-04-03' }])
})

test.each([
  ['516', 516, []],
  ['516.0', 516, []],
  ['1,216', 1216, []],
  ['1.024', 1024, []],
  ['1 024', 1024, []],
  ['٣٢٠', 320, []],
  ['３２０', 320, []],
  ['', 0, []],
  ['n/a', 0, []],
  ['XXII, 516', 516, ['pagesFromText']],
  ['xii, 350 p. ; 24 cm', 350, ['pagesFromText']],
  ['2 v. (900 p.)', 900, ['pagesFromText']],
  ['350 pages', 350, ['pagesFromText']],
  ['350 S.', 350, ['pagesFromText']],
  ['2 v.', 0, ['pagesUnread']],
  ['many', 0, ['pagesUnread']],
  ['-5', 0, ['pagesUnread']],
])('the page count “%s” is %i, with %j', async (text, pages, keys) => {
  const { book, warnings } = await readRow({ Pages: text })
  expect([book.pages, warnings]).toEqual([pages, keys])
})

test.each([
  ['4', 8, []],
  ['3½', 7, []],
  ['4/5', 8, []],
  ['7 / 10', 7, []],
  ['٧/١٠', 7, []],
  ['90%', 9, []],
  ['4 out of 5', 8, []],
  ['4 von 5', 8, []],
  ['4 stars', 8, []],
  ['４．５', 9, []],
  ['٤٫٥', 9, []],
  ['９／１０', 9, []],
  ['٩٠٪', 9, []],
  ['★★★★☆', 8, []],
  ['⭐⭐⭐', 6, []],
  ['-', 0, []],
  ['++', 0, ['ratingUnread']],
  ['A-', 0, ['ratingUnread']],
  ['9/5', 0, ['ratingUnread']],
  ['-3', 0, ['ratingUnread']],
])('the rating “%s” is %f, with %j', async (text, rating, keys) => {
  const { book, warnings } = await readRow({ Rating: text })
  expect([book.rating, warnings]).toEqual([rating, keys])
})

test.each([
  ['Not started', 'planning', []],
  ['Wishlist', 'planning', []],
  ['Backlog', 'planning', []],
  ['Gelesen', 'completed', []],
  ['Leído', 'completed', []],
  ['Finished reading', 'completed', []],
  ['En cours de lecture', 'reading', []],
  ['Quero ler', 'planning', []],
  ['読書中', 'reading', []],
  ['أريد قراءته', 'planning', []],
  ['Abgebrochen', 'dropped', []],
  ['On Hold', 'paused', []],
  ['', 'planning', ['statusMissing']],
  ['Ignored', 'planning', ['statusUnknown']],
])('the status “%s” is %s, with %j', async (text, status, keys) => {
  const { book, warnings } = await readRow({ Status: text })
  expect([book.status, warnings]).toEqual([status, keys])
})

test.each([
  ['English', 'eng', []],
  ['Französisch', 'fre', []],
  ['日本語', 'jpn', []],
  ['pt-BR', 'por', []],
  ['Klingonese', '', ['languageUnknown']],
])('the language “%s” is “%s”', async (text, language, keys) => {
  const { book, warnings } = await readRow({ Language: text })
  expect([book.facts?.language, warnings]).toEqual([language, keys])
})

test('ratings out of twenty are read as such, and counted', async () => {
  const table = ['Title,Author,Rating', 'A,X Y,18', 'B,X Y,7', 'C,X Y,4/5', 'D,X Y,0'].join('\n')
  const { rows } = await readImportFile(table)
  expect(rows.map(({ book }) => book?.rating)).toEqual([9, 3.5, 8, 0])
  const counted = rows.map(({ warnings }) => warnings!.some(({ key }) => key === 'ratingScale'))
  expect(counted).toEqual([true, true, false, false])
})

test('a French “Note” is the rating, and an English one a note', async () => {
  const rated = (await readRow({ Note: '16/20' })).book
  expect([rated.rating, rated.notes]).toEqual([8, ''])
  const noted = (await readRow({ Note: 'Lent to Bob' })).book
  expect([noted.rating, noted.notes]).toEqual([0, 'Lent to Bob'])
  const both = (await readRow({ Notes: 'Lent to Bob', 'Private notes': 'A gift' })).book
  expect(both.notes).toBe('Lent to Bob\n\nA gift')
})

test.each([
  ['Hörbuch', 'audio', []],
  ['Livre numérique', 'ebook', []],
  ['電子書籍', 'ebook', []],
  ['Tapa blanda', 'print', []],
  ['كتاب ورقي', 'print', []],
  ['Stone tablet', '', ['formatUnknown']],
])('the format “%s” is “%s”', async (text, format, keys) => {
  const { book, warnings } = await readRow({ Format: text })
  expect([book.format, warnings]).toEqual([format, keys])
})

test('an ISBN that isn’t one is counted, and an id that never is one isn’t', async () => {
  expect((await readRow({ ISBN: '9780141439588' })).warnings).toEqual(['isbnUnread'])
  expect((await readRow({ ISBN: '9.78014E+12' })).warnings).toEqual(['isbnRounded'])
  expect((await readRow({ ISBN: '=""' })).warnings).toEqual([])
})

test.each([
  ['King, Stephen', ['Stephen King']],
  ['Le Guin, Ursula K.', ['Ursula K. Le Guin']],
  ['King, Stephen; Straub, Peter', ['Stephen King', 'Peter Straub']],
  ['Stephen King, Peter Straub', ['Stephen King', 'Peter Straub']],
  ['L.E. Writer Jr.', ['L.E. Writer Jr.']],
  ['Martin Writer, Jr., Janet Brill, PhD, RD', ['Martin Writer, Jr.', 'Janet Brill, PhD, RD']],
  ['Ann Author, Nat Trans (Translator), Nat Trans', ['Ann Author', 'Nat Trans (Translator)']],
])('the authors “%s” are %j', async (text, authors) => {
  expect((await readRow({ Author: text })).book.authors).toEqual(authors)
})

test('a long review keeps its row, with its end in the note, and a 21st tag is named', async () => {
  const review = 'long '.repeat(4200).trim()
  const tags = Array.from({ length: 25 }, (_, n) => `shelf-${n + 1}`).join(', ')
  const { book, warnings } = await readRow({ Review: review, Notes: 'Mine', Tags: tags })
  expect([...book.review].length).toBeLessThanOrEqual(20_000)
  expect(book.notes.startsWith('Mine\n\nlong')).toBe(true)
  expect(`${book.review} ${book.notes.slice('Mine\n\n'.length)}`).toBe(review)
  expect(warnings).toEqual(['reviewLong', 'tagsTooMany'])
})

test('Goodreads’ spoilers are marked', async () => {
  const { book } = await readRow({
    Review: 'He knows. <spoiler>She did it.</spoiler> <spoiler>And',
  })
  expect(book.review).toBe('He knows. ||She did it.|| ||And||')
})

test('Hardcover keeps what is private, the medium and the length', async () => {
  const { rows } = await readImportFile(
    `Title,Author,Status,Privacy,Hardcover Book ID,Media,Binding,Duration in Seconds,Lists
Alder Almanac,"Ann Author, Nat Trans (Translator)",Read,Private,1,Audio,,25686,My Ranking (#19)
`,
  )
  expect(rows[0]!.book).toMatchObject({
    authors: ['Ann Author', 'Nat Trans (Translator)'],
    isPrivate: true,
    format: 'audio',
    duration: 428,
    tags: ['My Ranking'],
  })
})

test('StoryGraph is recognised by eight columns', async () => {
  const { format, rows, unused } = await readImportFile(
    `Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read
Alder Almanac,Ann Author,Nat Trans (Translator),9.78053E+12,paperback,read,10/12/2022,10/13/2022
Birch Ballads,Ann Author,,B0851JCZYV,digital,to-read,3/25/2022,
`,
  )
  expect([format, unused]).toEqual(['storygraph', ['Contributors']])
  expect(rows).toMatchObject([
    {
      book: { status: 'completed', added: '2022-10-12', readings: [{ finished: '2022-10-13' }] },
      warnings: [{ key: 'isbnRounded', params: { column: 'ISBN/UID', value: '9.78053E+12' } }],
    },
    { book: { status: 'planning', added: '2022-03-25', source_id: 'B0851JCZYV' }, warnings: [] },
  ])
})

test('a column named date is not guessed, and columns that aren’t read are named', async () => {
  const { rows, unused } = await readImportFile(
    'date,author,title,flags\n2025-05-26,Ann Author,Alder Almanac,a\n,Bob Boo,Birch Ballads,\n',
  )
  expect(unused).toEqual(['flags'])
  expect(rows[0]).toMatchObject({
    book: { status: 'planning', readings: [], added: '' },
    warnings: [
      { key: 'dateUnnamed', params: { column: 'date', value: '2025-05-26' } },
      { key: 'statusMissing' },
    ],
  })
  expect(rows[1]!.warnings).toEqual([{ key: 'statusMissing' }])
})
