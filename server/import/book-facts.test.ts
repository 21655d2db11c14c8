import { expect, test } from 'vitest'
import { readImportFile } from '#tests/import-file.ts'
import { goodreads } from './goodreads.ts'
import { calibre, hardcover } from './other-formats.ts'
import { RowReader } from './row-reader.ts'

test.each([
  ['Discworld (#2.0), Rincewind (#2.0)', 'Discworld', '2'],
  ['The Expanse (#0.1)', 'The Expanse', '0.1'],
  ['Sandman (#1-3)', 'Sandman', '1-3'],
  ['Earthsea', 'Earthsea', ''],
  ['', '', ''],
])('Hardcover’s series %j is %j, %j', (series, name, position) => {
  const cells = { Title: 'A', Series: series, 'Language Code': 'en', 'Publish Date': '1986-06-02' }
  expect(hardcover.read(new RowReader(cells)).facts).toEqual({
    series: name,
    series_position: position,
    language: 'eng',
    published: '1986-06-02',
    description: '',
  })
})

test('Calibre’s catalogue says in what series a book is, and what it is about', () => {
  const cells = {
    title: 'A',
    series: 'InCryptid',
    series_index: '8.0',
    languages: 'eng, fra',
    pubdate: '2019-03-05T01:00:00+01:00',
    comments: '<div>One.<br>Two.</div>',
  }
  expect(calibre.read(new RowReader(cells)).facts).toEqual({
    series: 'InCryptid',
    series_position: '8',
    language: 'eng',
    published: '2019-03-05',
    description: 'One.\nTwo.',
  })
})

test.each([
  ['Salt and Iron (The Coast, #2)', 'The Coast', '2'],
  ['Salt and Iron (The Coast #2.5)', 'The Coast', '2.5'],
  ['Salt and Iron (The Coast, #1-3)', 'The Coast', '1-3'],
  ['Salt and Iron (The Coast, #2; Ferries, #1)', 'The Coast', '2'],
  ['Salt and Iron (Penguin Classics)', '', ''],
  ['Salt and Iron (#2)', '', ''],
  ['Salt and Iron', '', ''],
])('Goodreads names the series of “%s” behind its title', (Title, series, series_position) => {
  const { facts, title } = goodreads.read(new RowReader({ Title, 'Year Published': '1999' }))
  expect([title, facts]).toEqual([
    Title,
    { series, series_position, language: '', published: '1999', description: '' },
  ])
})

test('Openreads says when a book was published, and what it is about', async () => {
  const { rows } =
    await readImportFile(`title,subtitle,author,description,status,publication_year,isbn,book_format,readings
A,,B,"One.
Two.",finished,2023,,paperback,
`)
  expect(rows[0]?.book?.facts).toMatchObject({ published: '2023', description: 'One.\nTwo.' })
})

test('LibraryThing says when a book was published, and in which language it is', async () => {
  const entry = { books_id: '1', title: 'A', primaryauthor: 'B, C', authors: [] }
  const json = { 1: { ...entry, date: '2019', language: ['French'], language_codeA: ['fre'] } }
  const [fromJson] = (await readImportFile(JSON.stringify(json))).rows
  expect(fromJson?.book?.facts).toMatchObject({ published: '2019', language: 'fre' })
  const columns = 'Book Id\tTitle\tPrimary Author\tDate\tCollections\tLanguages\tWork id'
  const [fromTable] = (await readImportFile(`${columns}\n1\tA\tB, C\t1979\t\tFrench\t5\n`)).rows
  expect(fromTable?.book?.facts).toMatchObject({ published: '1979', language: 'fre' })
})
