import { expect, test } from 'vitest'
import { readImportFile } from '#tests/import-file.ts'
import type { ImportedBook } from '#shared/import.ts'
import { anyTable } from './any-table.ts'
import { booklogr } from './booklogr.ts'
import { goodreads } from './goodreads.ts'
import { mergeBooks } from './merge.ts'
import {
  bookwyrm,
  calibre,
  hardcover,
  jelu,
  librarything,
  openlibrary,
  openreads,
} from './other-formats.ts'
import { RowReader } from './row-reader.ts'
import { emptyBook, type Cells, type Format } from './row.ts'
import { storygraph } from './storygraph.ts'

const names = ['Title', 'Author', 'ISBN', 'Status', 'Rating', 'Review', 'Notes', 'Tags', 'Started']
const table = anyTable([...names, 'Finished', 'Added', 'Pages', 'Format', 'Owned', 'Id'], [])!
const formats = [
  [goodreads, storygraph, librarything, bookwyrm, openreads, jelu, hardcover, calibre],
  [openlibrary, booklogr, table],
].flat()

/** Characters of a cell. A step that takes quadratic time needs many seconds for so many. */
const length = 100_000

/** Beginnings of what a pattern could look for, again and again. */
const pieces = [
  [' ', '\t \n', '[', ']', '(', ' (', '"', '=', '<', '<br', '<a ', '</', '&', '&#', '&amp'],
  ['-', '/', '0', '1-', '2020-01-01,', '2020/01/01-', ',', ', ', ';', '|', '|||||', ':', ': '],
  ['#', '★', 'é', '\u0301', 'e+', 'isbn:', '{"a":[', '\\', "'", 'A, B', 'https://a/'],
].flat()
const cells = pieces.flatMap((piece) => {
  const many = piece.repeat(length / piece.length)
  return [`x${many}y`, `9780141439587${many}`]
})

/** @returns the columns that a format reads */
function columnsOf(format: Format): string[] {
  const read = new Set<string>(format.has)
  const recording = new Proxy<Cells>({}, { get: (_, name) => void read.add(String(name)) })
  format.read(new RowReader(recording))
  return [...read]
}

/** @returns the milliseconds of processor time that the work takes */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

// A row takes some 20 ms; the quadratic pattern of before took 5 s.
test.each(formats)('R56: no cell takes $format long to read', (format) => {
  const columns = columnsOf(format)
  for (const cell of cells) {
    const all = Object.fromEntries(columns.map((name) => [name, cell]))
    expect([
      cell.slice(0, 20),
      timeOf(() => format.read(new RowReader(all, { order: 'dmy', outOf: 5 }))) > 1000,
    ]).toEqual([cell.slice(0, 20), false])
  }
})

test('R56: a row with a cell of 950,000 spaces is read', async () => {
  const { rows } = await readImportFile(`ISBN,Title\nA,"x${' '.repeat(950_000)}"\n`)
  expect(rows).toMatchObject([{ book: { title: 'x', isbn: '' } }])
})

test('R56: a book with very many readings is merged with others like it', () => {
  const readings = Array.from({ length: 1000 }, (_, n) => ({
    started: `${1000 + n}`,
    finished: `${2000 + n}`,
    outcome: 'finished' as const,
  }))
  const book = { ...emptyBook, title: 'Emma', readings }
  const other = { ...book, readings: readings.map((one) => ({ ...one, started: '' })) }
  const merge = () => {
    let merged: ImportedBook = book
    for (let n = 0; n < 100; n++) merged = mergeBooks(merged, other)
    expect(merged.readings).toHaveLength(1000)
  }
  expect(timeOf(merge)).toBeLessThan(1000)
})

test('R56: column names that take more than the rows are refused', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => `${n}${'x'.repeat(180)}`)
  await expect(readImportFile(`Title,${many.join(',')}\n${'a,'.repeat(600)}\n`)).rejects.toThrow(
    'This file has more than 1,000 columns.',
  )
  const { rows } = await readImportFile(`Title,Author\nEmma${',a'.repeat(2000)}\nPersuasion,x\n`)
  expect(rows).toMatchObject([
    { book: null, reason: { key: 'rowTooManyCells', params: { count: 1000 } } },
    { book: { title: 'Persuasion' }, source: { Title: 'Persuasion', Author: 'x' } },
  ])
})

test('lists of a book end at what a library can hold', async () => {
  const authors = Array.from({ length: 120_000 }, (_, n) => `A${n}`).join(',')
  const { rows } = await readImportFile(`Title;Author\nEmma;"${authors}"\n`)
  expect(rows[0]!.book!.authors).toHaveLength(100)
})
