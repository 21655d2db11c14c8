import { expect, test } from 'vitest'
import type { ImportedBook } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import { readingsOf } from './book-readings.ts'
import { emptyBook } from './row.ts'

const of = (book: Partial<ImportedBook>, status: Status) =>
  readingsOf({ ...emptyBook, ...book }, status).map(
    ({ started, finished, outcome, rating }) => `${started}..${finished} ${outcome} ${rating}`,
  )
const finished = { started: '', finished: '2020-05-04', outcome: 'finished' as const }

test('keeps dated readings, adds undated ones, and rates the last', () => {
  expect(of({ readings: [finished], read_count: 3, rating: 9 }, 'completed')).toEqual([
    '.. finished 0',
    '.. finished 0',
    '..2020-05-04 finished 9',
  ])
  expect(of({ rating: 8 }, 'completed')).toEqual(['.. finished 8'])
  expect(of({}, 'dropped')).toEqual(['.. dropped 0'])
  expect(of({}, 'planning')).toEqual([])
})

test('a book that is being reread has an open reading', () => {
  expect(of({ readings: [finished], read_count: 1 }, 'reading')).toEqual([
    '..2020-05-04 finished 0',
    '.. reading 0',
  ])
  const begun = { started: '2021-01-02', finished: '', outcome: 'finished' as const }
  expect(of({ readings: [begun] }, 'reading')).toEqual(['2021-01-02.. reading 0'])
})

test('a book that was put aside has begun, on whatever day', () => {
  expect(of({}, 'paused')).toEqual(['.. reading 0'])
})
