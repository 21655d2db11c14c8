import { expect, test } from 'vitest'
import { readSearch, writeSearch } from './search-address.ts'
import { requestOf } from './search-rules.ts'

const read = (query: string) => readSearch(new URLSearchParams(query))
const asked = (query: string) => requestOf(read(query))

test('an address without a question shows the curated sections', () => {
  expect(asked('')).toEqual({ state: 'nothing' })
  expect(asked('q=+&order=newest&page=2')).toEqual({ state: 'nothing' })
})

test('an address says all of a search and nothing that goes without saying', () => {
  const full =
    'q=sense&title=emma&author=austen&publisher=penguin&genre=Romance&isbn=9780141439518&advancedOnly=true&by=2&order=newest&page=3'
  expect(writeSearch(read(full))).toBe(full)
  expect(writeSearch(read('q=sense&by=1&order=relevance&page=1&author='))).toBe('q=sense')
})

test('text is another name of q, which goes first', () => {
  expect(asked('text=emma')).toMatchObject({ state: 'search', form: { q: 'emma' } })
  expect(writeSearch(read('text=emma'))).toBe('q=emma')
  expect(read('q=dune&text=emma').q).toBe('dune')
})

test('text and filters are asked together, filters alone where the reader wants only them', () => {
  expect(asked('q=emma&author=austen')).toMatchObject({
    state: 'search',
    form: { q: 'emma', author: 'austen' },
  })
  expect(asked('q=emma&author=austen&advancedOnly=true')).toMatchObject({
    state: 'search',
    form: { q: '', author: 'austen' },
  })
  // Without a filter there is nothing to use only.
  expect(asked('q=emma&advancedOnly=true')).toMatchObject({ form: { q: 'emma' } })
})

test('what is wrong with an address is said in the sentences of the form', () => {
  expect(asked('q=ab')).toEqual({
    state: 'wrong',
    messages: { q: 'Search text must be at least 3 characters long.' },
  })
  expect(asked('author=x&isbn=123')).toEqual({
    state: 'wrong',
    messages: {
      author: 'Author must be at least 2 characters long.',
      isbn: 'ISBN must be a valid 10 or 13-digit number.',
    },
  })
})

test('an order, a mode or a page that does not exist counts as the first', () => {
  expect(read('q=emma&by=7&order=oldest&page=-1')).toMatchObject({
    by: '1',
    order: 'relevance',
    page: 1,
  })
  expect(read('q=emma&page=500').page).toBe(10)
})
