import { expect, test } from 'vitest'
import type { Book } from './book.ts'
import {
  absentVolumes,
  authorPath,
  comparePlaces,
  inRanges,
  nextOf,
  seriesPath,
  volumesOf,
} from './series.ts'

const seriesOf = (...positions: string[]) => ({
  series: { id: 's', name: 'S', authors: [] },
  entries: positions.map((position) => ({ position, book: { id: position } as Book })),
})

test('volumes come by number, then parts and collections, then what has no number', () => {
  const places = ['', '1-3', '10', '2', '1.5', '5, Part 2', '1', '5, Part 1', '1-7']
  expect(places.toSorted(comparePlaces)).toEqual([
    '1',
    '1.5',
    '2',
    '10',
    '1-3',
    '1-7',
    '5, Part 1',
    '5, Part 2',
    '',
  ])
})

test('volumes that follow each other are one range', () => {
  expect(inRanges(['1', '2', '4', '5', '6', '6.5', '10', '12', '13'])).toEqual([
    '1',
    '2',
    '4–6',
    '6.5',
    '10',
    '12',
    '13',
  ])
  expect(inRanges([])).toEqual([])
})

test('a series is as long as its last whole volume', () => {
  expect(volumesOf(seriesOf('1', '2', '2.5', '1-8', ''))).toBe(2)
  expect(volumesOf(seriesOf(''))).toBe(0)
})

test('numbers without a volume are absent', () => {
  expect(absentVolumes(seriesOf('2', '2.5', '5', '1-8', ''))).toEqual(['1', '3', '4'])
  expect(absentVolumes(seriesOf('1', '2', ''))).toEqual([])
})

test('the next book is the volume after the last one read, and never a collection', () => {
  const next = (...read: string[]) =>
    nextOf(seriesOf('1', '1.5', '2', '3', '1-3', ''), ({ id }) => read.includes(id))?.position
  expect(next()).toBe('1')
  expect(next('1')).toBe('2')
  expect(next('2')).toBe('3')
  expect(next('1.5')).toBe('1')
  expect(next('1', '2', '3')).toBeUndefined()
})

test('addresses hold what can stand in a path', () => {
  expect(seriesPath({ id: 'harry-potter', name: 'Harry Potter' })).toBe(
    '/series/harry-potter/harry-potter',
  )
  expect(authorPath({ id: '村上', name: 'A/B C' })).toBe('/author/%E6%9D%91%E4%B8%8A/a-b-c')
})
