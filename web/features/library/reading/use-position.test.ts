import { expect, it } from 'vitest'
import type { UserBook } from '#shared/user-book.ts'
import { nextNumber } from './use-position.ts'

const book = (fields: Partial<UserBook>) =>
  ({ page_count: 0, progress: 0, progress_percent: 0, ...fields }) as UserBook

it.each([
  ['ten pages on', { page_count: 300, progress: 57 }, { number: 67, by: 10 }],
  ['to the last page, not beyond it', { page_count: 300, progress: 295 }, { number: 300, by: 5 }],
  ['nowhere from the last page', { page_count: 300, progress: 300 }, undefined],
  ['nowhere from beyond the last page', { page_count: 300, progress: 310 }, undefined],
  ['five percent on in a book of unknown length', {}, { number: 5, by: 5 }],
  ['to 100 percent, not beyond it', { progress_percent: 98 }, { number: 100, by: 2 }],
  ['nowhere from 100 percent', { progress_percent: 100 }, undefined],
  ['ten pages on if only the page is known', { progress: 57 }, { number: 67, by: 10 }],
])('a step leads %s', (_name, fields, expected) => {
  expect(nextNumber(book(fields))).toEqual(expected)
})
