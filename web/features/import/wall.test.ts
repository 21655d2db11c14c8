import { expect, test } from 'vitest'
import type { ImportedSpine } from '#web/api/imports.ts'
import { buildWall, fewShapes, fitsOneShelf, wallShapes } from './wall.ts'

const library = (count: number): ImportedSpine[] =>
  Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    title: `Book ${at}`,
    authors: ['Ann Author'],
    colour: `#00000${at % 10}`,
    pages: (at * 37) % 900,
    status: 'completed',
    year: at % 7 ? String(2011 + (at % 15)) : '',
  }))

/** The rectangles of a wall: where they begin and end, and on which height they stand. */
const spinesOf = (wall: ReturnType<typeof buildWall>) =>
  wall.spines.flatMap(({ path }) =>
    Array.from(
      path.matchAll(/M([\d.]+) (\d+)v-([\d.]+)h([\d.]+)/g),
      ([, x, foot, tall, width]) => ({
        x: Number(x),
        end: Number(x) + Number(width),
        foot: Number(foot),
        tall: Number(tall),
      }),
    ),
  )

test.each([
  [10, 1, 1],
  [300, 2, 7],
  [1446, 9, 16],
  [5000, 9, 16],
])('%i books fill %i shelves, and %i on a phone', (count, wide, narrow) => {
  for (const [shape, shelves] of [
    [wallShapes.wide, wide],
    [wallShapes.narrow, narrow],
  ] as const) {
    const wall = buildWall(library(count), shape)
    expect(wall.height).toBe(shelves * shape.pitch)
    const spines = spinesOf(wall)
    expect(spines).toHaveLength(count)
    const feet = Map.groupBy(spines, ({ foot }) => foot)
    expect(feet.size).toBe(shelves)
    const ends = [...feet]
      .toSorted(([a], [b]) => a - b)
      .map(([, all]) => Math.max(...all.map(({ end }) => end)))
    for (const end of ends.slice(0, -1)) expect(end).toBeGreaterThan(99)
    for (const { end, tall } of spines) {
      expect(end).toBeLessThanOrEqual(100)
      expect(tall).toBeGreaterThan(shape.height / 2)
    }
  }
})

test('books that are still to come have their shelves', () => {
  const boards = (count: number, whole: number) =>
    buildWall(library(count), wallShapes.wide, whole).boards.match(/M0 \d+h100v4/g)?.length
  expect([boards(0, 1446), boards(700, 1446)]).toEqual([9, 9])
  expect(buildWall(library(700), wallShapes.wide).height).toBe(4 * wallShapes.wide.pitch)
})

test.each([
  [10, true, true],
  [40, true, false],
  [300, false, false],
])('%i books are few: %s, and on a phone: %s', (count, wide, narrow) => {
  for (const [shape, isFew] of [
    [fewShapes.wide, wide],
    [fewShapes.narrow, narrow],
  ] as const) {
    expect(fitsOneShelf(count, shape)).toBe(isFew)
    if (!isFew) continue
    const spines = spinesOf(buildWall(library(count), shape))
    expect(spines).toHaveLength(count)
    for (const { end, foot } of spines) expect([end <= 100, foot]).toEqual([true, shape.height])
  }
})

test('each year is named once, where its books begin, unless the last name is too near', () => {
  const { years } = buildWall(library(1446), wallShapes.wide)
  expect(years.map(({ year }) => year)).toEqual(
    Array.from({ length: 15 }, (_, at) => String(2011 + at)),
  )
  const dense = buildWall(library(30), wallShapes.wide).years
  const gaps = dense.slice(1).map(({ x }, at) => x - dense[at]!.x)
  expect(Math.min(...gaps)).toBeGreaterThan(5)
})

test('no books are no shelves', () => {
  expect(buildWall([], wallShapes.wide)).toMatchObject({ spines: [], boards: '', years: [] })
})
