import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readImportFile as readFile } from '#tests/import-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string, order?: 'dmy' | 'mdy') => readFile(bytes(text), order)
const book = async (text: string) => (await read(text)).rows[0]!.book!

const header =
  'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies'
const emma =
  '7,Emma,Jane Austen,"Austen, Jane","Fiona Stafford, A. Nother","=""0141439580""","=""9780141439587""",4,4.0,Penguin,Paperback,474,2003,1815,2020/05/04,2019/12/31,"classics, read",x,read,"Fine.<br/>Truly ""fine"" &amp; long",true,Mine,2,1'

describe('Goodreads', () => {
  test('maps every column', async () => {
    expect(await book(`${header}\n${emma}\n`)).toEqual({
      title: 'Emma',
      authors: ['Jane Austen', 'Fiona Stafford', 'A. Nother'],
      isbn: '9780141439587',
      status: 'completed',
      status_name: 'read',
      tags: ['classics'],
      rating: 8,
      review: 'Fine.\nTruly "fine" & long',
      spoilers: true,
      notes: 'Mine',
      format: 'print',
      pages: 474,
      duration: 0,
      isPrivate: false,
      progress: 0,
      owned: 1,
      added: '2019-12-31',
      readings: [{ started: '', finished: '2020-05-04', outcome: 'finished' }],
      read_count: 2,
      source_id: '7',
      facts: {
        series: '',
        series_position: '',
        language: '',
        published: '2003',
        description: '',
      },
    })
  })

  test('is recognised without its header, and without the average rating of 2026', async () => {
    expect(await read(emma)).toMatchObject({
      format: 'goodreads',
      rows: [{ book: { title: 'Emma' } }],
    })
    const without = (line: string) => line.replace(',4.0,', ',').replace('Average Rating,', '')
    expect((await book(without(emma))).pages).toBe(474)
    expect((await book(`${without(header)}\n${without(emma)}`)).pages).toBe(474)
  })

  test('asks about dates that a spreadsheet has reformatted, unless the file shows their order', async () => {
    const [a, b] = ['04/05/2020', '23/05/2020'].map((date) => emma.replace('2020/05/04', date))
    const file = await read(`${header}\n${a}`)
    expect(file.ambiguous).toEqual(['04/05/2020'])
    expect(file.rows[0]!.book!.readings).toEqual([])
    const finished = (of: Awaited<ReturnType<typeof read>>) =>
      of.rows[0]!.book!.readings[0]!.finished
    expect(finished(await read(`${header}\n${a}`, 'mdy'))).toBe('2020-04-05')
    expect(finished(await read(`${header}\n${a}\n${b}`))).toBe('2020-05-04')
  })

  test('reports what a spreadsheet has damaged', async () => {
    const spoilt = emma
      .replace('"=""0141439580"""', '')
      .replace('"=""9780141439587"""', '9.78E+12')
      .replace('2019/12/31', '########')
    const [row] = (await read(`${header}\n${spoilt}`)).rows
    expect(row).toMatchObject({ book: { isbn: '', added: '' } })
    expect(row!.warnings).toEqual([
      { key: 'isbnRounded', params: { column: 'ISBN13', value: '9.78E+12' } },
      { key: 'dateReplaced', params: { column: 'Date Added', value: '########' } },
    ])
    expect(row!.source['Date Added']).toBe('########')
    // The check digit reveals a leading zero that was dropped.
    const short = emma.replace('"=""0141439580"""', '141439580').replace('"=""9780141439587"""', '')
    expect((await book(`${header}\n${short}`)).isbn).toBe('0141439580')
  })

  test('counts a binding that tells no format, but not a missing one', async () => {
    const warningsOf = async (binding: string) =>
      (await read(`${header}\n${emma.replace('Paperback', binding)}`)).rows[0]!.warnings
    expect(await warningsOf('Unknown Binding')).toEqual([
      { key: 'formatUnknown', params: { column: 'Binding', value: 'Unknown Binding' } },
    ])
    expect(await warningsOf('')).toEqual([])
  })

  test('is read with semicolons, in any encoding', async () => {
    const text = `${header}\n${emma.replace('Emma', 'Émile')}`
    const semicolons = text.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/gm, ';')
    const files = [
      bytes(`\uFEFF${text}`),
      bytes(semicolons),
      Buffer.from(text, 'latin1'),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    ]
    for (const file of files) expect((await readFile(file)).rows[0]!.book!.title).toBe('Émile')
  })

  test('loses one row, not the file, to a quotation mark that is never closed', async () => {
    const { rows } = await read(`${header}\n${emma}\n8,"Broken,A\n`)
    expect(rows.map((row) => row.book?.title)).toEqual(['Emma', undefined])
    expect(rows[1]!.reason).toMatchObject({ key: 'quoteNotClosed' })
  })
})

test('StoryGraph keeps every reading, half stars and ids that aren’t ISBNs', async () => {
  const columns =
    'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating,Review,Tags,Owned?'
  const row =
    'Emma,"Jane Austen, B. Other",,B0851JCZYV,audio,did-not-finish,2021/09/01,2022/11/28,"2022/10/29-2022/11/28, 2021/09/14",2,4.5,,"a, b",Yes'
  const file = await read(`${columns}\n${row}`)
  expect(file.format).toBe('storygraph')
  expect(file.rows[0]!.book).toMatchObject({
    authors: ['Jane Austen', 'B. Other'],
    isbn: '',
    source_id: 'B0851JCZYV',
    status: 'dropped',
    rating: 9,
    format: 'audio',
    tags: ['a', 'b'],
    owned: 1,
    readings: [
      { started: '', finished: '2021-09-14', outcome: 'dropped' },
      { started: '2022-10-29', finished: '2022-11-28', outcome: 'dropped' },
    ],
  })
})

test.each([
  ['storygraph', 'Title,Authors,ISBN/UID,Read Status,Format', 'Emma,Jane Austen,,read,stone'],
  [
    'librarything',
    'Title,Primary Author,Collections,Work id,Media',
    'Emma,"Austen, Jane",Read,1,Stone',
  ],
  ['openreads', 'title,author,status,book_format,readings', 'Emma,Jane Austen,read,stone,'],
  [
    'hardcover',
    'Title,Author,Status,Hardcover Book ID,Media,Binding',
    'Emma,Jane Austen,Read,1,,Stone',
  ],
])('a format that %s has and we don’t know is counted', async (format, columns, row) => {
  const file = await read(`${columns}\n${row}`)
  expect(file.format).toBe(format)
  expect(file.rows[0]!.warnings!.map(({ key }) => key)).toContain('formatUnknown')
})

test('BookLogr is read with its unquoted cells, and as JSON', async () => {
  const columns = 'title,isbn,description,reading_status,current_page,total_pages,author,rating'
  const file = await read(
    `${columns}
Emma,9780141439587,A comedy, of manners,Currently reading,38,474,Jane Austen,None
Good Omens, Nice and Accurate,0060853980,None,Read,400,400,Terry Pratchett, Neil Gaiman,4.5
Sanditon,None,None,To be read,0,0,Jane Austen,None
`,
  )
  expect(file.format).toBe('booklogr')
  const wanted = [
    { title: 'Emma', isbn: '9780141439587', status: 'reading', progress: 38, pages: 474 },
    {
      title: 'Good Omens, Nice and Accurate',
      authors: ['Terry Pratchett', 'Neil Gaiman'],
      status: 'completed',
      rating: 9,
      read_count: 1,
    },
    { title: 'Sanditon', isbn: '', status: 'planning', rating: 0 },
  ]
  expect(file.rows.map(({ book: one }) => one)).toMatchObject(wanted)
  const json = JSON.stringify([
    {
      title: 'Emma',
      isbn: '9780141439587',
      description: null,
      reading_status: 'Currently reading',
      current_page: 38,
      total_pages: 474,
      author: 'Jane Austen',
      rating: null,
    },
  ])
  expect(await read(json)).toMatchObject({ format: 'booklogr', rows: [{ book: wanted[0] }] })
})

test.each([
  ['five stars', ['4', '3.5', ''], [8, 7, 0]],
  ['ten', ['4', '9', '7,5'], [4, 9, 7.5]],
  ['a hundred', ['85', '40'], [8.5, 4]],
  ['what each says', ['★★★★½', '7/10', '4 / 5', '4'], [9, 7, 8, 8]],
])('ratings of a table are out of %s', async (_, ratings, expected) => {
  const lines = ratings.map((rating, n) => `Book ${n};Author ${n};${rating}`)
  const { rows } = await read(['Title;Author;Rating', ...lines].join('\n'))
  expect(rows.map(({ book }) => book!.rating)).toEqual(expected)
})

test('a list of ISBNs counts its bad lines', async () => {
  const { format, rows } = await read('978-0-14-143958-7\n0141439580\nhello\n')
  expect(format).toBe('isbns')
  expect(rows.map(({ book: one }) => one?.isbn)).toEqual(['9780141439587', '0141439580', undefined])
})

test.each([
  ['', 'This file is empty.'],
  ['PK\u0003\u0004stuff', 'This ZIP file is damaged'],
  ['SQLite format 3\0\0', 'This database isn’t from Calibre or a Kobo'],
  ['<!DOCTYPE html><title>Sign in</title>', 'a web page'],
  ['a,b\u0000\u0001c', 'isn’t text'],
  ['one,two\n1,2', 'don’t see a list of books'],
  ['{"a":1}', 'don’t recognise'],
])('refuses %#', async (text, sentence) => {
  await expect(read(text)).rejects.toThrow(sentence)
})

const folder = fileURLToPath(new URL('../../../shared/data/imports/', import.meta.url))

/** File, format, number of rows, and number of rows without a book. */
const real: [string, string, number, number][] = [
  ['goodreads/goodreads-24-columns.csv', 'goodreads', 10, 0],
  ['goodreads/goodreads-31-columns.csv', 'goodreads', 3, 0],
  ['goodreads/goodreads-duplicate-events.csv', 'goodreads', 6, 0],
  ['goodreads/goodreads1.csv', 'goodreads', 10, 0],
  ['goodreads/goodreads_library_export-2022.csv', 'goodreads', 10, 0],
  ['goodreads/goodreads_library_export_one_line.csv', 'goodreads', 1, 0],
  ['goodreads/goodreads_library_export_one_line_modified_review.csv', 'goodreads', 5, 0],
  ['storygraph/storygraph-a.csv', 'storygraph', 2, 0],
  ['storygraph/storygraph-b.csv', 'storygraph', 9, 0],
  ['storygraph/storygraph-c.csv', 'storygraph', 10, 0],
  ['librarything/librarything-latin1.tsv', 'librarything', 3, 0],
  ['librarything/librarything.json', 'librarything', 3, 0],
  ['bookwyrm/bookwyrm.csv', 'bookwyrm', 3, 0],
  ['openreads/openreads.csv', 'openreads', 4, 0],
  ['openlibrary/openlibrary.csv', 'openlibrary', 4, 0],
  ['calibre/calibre.csv', 'calibre', 1, 0],
  ['calibre/metadata.db', 'calibre', 3, 0],
  ['jelu/jelu-export.csv', 'jelu', 2, 0],
  ['isbns/isbns.txt', 'isbns', 3, 1],
  ['isbns/generic.csv', 'table', 4, 0],
]

// The files are other people's data and not part of the project.
describe.skipIf(!existsSync(folder))('exports of other trackers', () => {
  test.each(real)('%s', async (name, format, rows, invalid) => {
    const file = await readFile(readFileSync(`${folder}${name}`))
    expect([file.format, file.rows.length]).toEqual([format, rows])
    expect(file.rows.filter((row) => !row.book)).toHaveLength(invalid)
    expect(JSON.stringify(file.rows)).not.toMatch(/\uFFFD|Ã©|undefined/)
  })
})
