import { expect, test } from 'vitest'
import type { Book } from '#shared/book.ts'
import { choose } from './landing-books.ts'

const book = (title: string, author: string): Book => ({
  id: title,
  ids: {},
  title,
  authors: [author],
  genres: [],
  image_links: [],
  page_count: 200,
  isbns: {},
  description: '',
  published_date: '',
  publisher: '',
  language: 'eng',
  slug: title,
})
const series = Array.from({ length: 20 }, (_, volume) => book(`Saga ${volume + 1}`, 'One'))
const single = ['Two', 'Three', 'Four'].map((author) => book(`By ${author}`, author))

test('a long series does not fill the wall', () => {
  const titles = choose([...series, ...single], 4).map(({ title }) => title)
  expect(titles).toHaveLength(4)
  expect(titles).toEqual(expect.arrayContaining(single.map(({ title }) => title)))
})

test('with few authors the wall is full all the same, and no book stands there twice', () => {
  const titles = choose([...series, ...single], 15).map(({ title }) => title)
  expect(new Set(titles).size).toBe(15)
})

test('an empty catalogue gives an empty wall', () => {
  expect(choose([], 15)).toEqual([])
})
