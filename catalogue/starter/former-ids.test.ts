import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBooks, type IndexedBooks } from '../reading/books.ts'
import { buildIndex } from './build-index.ts'
import type { CatalogueWork } from '../index/work.ts'

const named = (n: number, author: string, series: string): CatalogueWork => ({
  title: `The Lamp ${n}`,
  other_titles: [],
  authors: [author],
  genres: [],
  series: [{ name: series, position: String(n), by: '' }],
  description: '',
  readers: 10 - n,
  editions: [
    {
      id: `st${n}`,
      ids: {},
      image_links: [],
      page_count: 0,
      published_date: '',
      publisher: '',
      language: '',
    },
  ],
})

/** Builds an index of each list of works in turn, in the same place, and opens the last one. */
async function afterBuilding(...lists: CatalogueWork[][]): Promise<IndexedBooks> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-former-'))
  const file = join(folder, 'catalogue.db')
  for (const works of lists) await buildIndex(file, { works, version: '1', curated: {} })
  const books = openBooks(file)
  onTestFinished(() => {
    books.close()
    rmSync(folder, { recursive: true })
  })
  return books
}

const ofTwo = (author: string, series: string) => [
  named(1, author, series),
  named(2, author, series),
]

test('a renamed series and author are found by their former ids', async () => {
  const books = await afterBuilding(
    ofTwo('O. Quantrell', 'Lamps'),
    ofTwo('Ottilie Rook', 'The Lights'),
  )
  expect(books.series('lamps')?.series).toMatchObject({ id: 'the-lights', name: 'The Lights' })
  expect(books.author('o-quantrell', 1)?.author).toEqual({
    id: 'ottilie-rook',
    name: 'Ottilie Rook',
  })
  expect(books.series('lanterns')).toBeNull()
  expect(books.author('quantrell', 1)).toBeNull()
})

test('after a second change they lead to the last ids', async () => {
  const books = await afterBuilding(
    ofTwo('O. Quantrell', 'Lamps'),
    ofTwo('Ottilie Rook', 'The Lights'),
    ofTwo('O. Rook', 'Lighthouses'),
  )
  for (const id of ['lamps', 'the-lights']) expect(books.series(id)?.series.id).toBe('lighthouses')
  for (const id of ['o-quantrell', 'ottilie-rook'])
    expect(books.author(id, 1)?.author.id).toBe('o-rook')
})

test('an id that still has books, or has them again, stays theirs', async () => {
  const [first, second] = [named(1, 'Ada', 'Lamps'), named(2, 'Ada', 'Lamps')]
  const renamed = ofTwo('Ida', 'Lights')
  const books = await afterBuilding([first, second], renamed, [renamed[0]!, second])
  expect(books.series('lamps')?.entries).toHaveLength(1)
  expect(books.author('ada', 1)?.books.map(({ title }) => title)).toEqual(['The Lamp 2'])
  expect(books.author('ida', 1)?.author.id).toBe('ida')
})

test('a series that was merged leads to the one that has most of its books', async () => {
  const more = [3, 4].map((n) => named(n, 'Ada', 'Lights'))
  const books = await afterBuilding(
    [...ofTwo('Ada', 'Lamps'), ...more],
    [named(1, 'Ada', 'Lights'), named(2, 'Ada', 'Lights'), ...more],
  )
  expect(books.series('lamps')?.series.id).toBe('lights')
  expect(books.series('lights')?.entries).toHaveLength(4)
})

test('an author is found by another name that most of its works have', async () => {
  const other = { author_names: ['Аида', 'Ida B.'] }
  const both = { ...named(3, 'Ada', 'Lamps'), ...other, authors: ['Ada', 'Bert'] }
  const books = await afterBuilding([{ ...named(1, 'Ada', 'Lamps'), ...other }, both])
  expect(books.author('аида', 1)?.author.id).toBe('ada')
  expect(books.author('Ida B.', 1)?.author.id).toBe('ada')
  const unclear = await afterBuilding([both])
  expect(unclear.author('аида', 1)).toBeNull()
})
