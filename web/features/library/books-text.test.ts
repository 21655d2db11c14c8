import { expect, it } from 'vitest'
import { booksText } from './books-text.ts'

it.each([
  [0, '0 books'],
  [1, '1 book'],
  [12, '12 books'],
  [2000, '2,000 books'],
])('says of %i that it is %s', (count, text) => {
  expect(booksText(count)).toBe(text)
})
