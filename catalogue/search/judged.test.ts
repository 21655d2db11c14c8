/**
 * Questions that nobody has tuned the search to, each with the books that answer it. Takes some
 * seconds, as every question is asked.
 */
import { expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { openStarter } from '#tests/open-starter.ts'
import { placeAmong, questionsOf, shareBelow, type Question } from './described.fixture.ts'

const { catalogue } = await openStarter()

async function placeOf(one: Question): Promise<number> {
  const { books } = await catalogue.search(searchForm.parse({ q: one.q }))
  const titles = books.map(({ title }) => title)
  return placeAmong(titles, one)
}

const reported = questionsOf('described-reported')

test('descriptions find their book among ten for 95 of 100, first for 75', async () => {
  const places: number[] = []
  for (const one of reported) places.push(await placeOf(one))
  expect(shareBelow(places, 10)).toBeGreaterThanOrEqual(0.95)
  expect(shareBelow(places, 1)).toBeGreaterThanOrEqual(0.75)
})

test('a true detail more loses no book', async () => {
  const lost: string[] = []
  for (const [i, one] of reported.entries()) {
    const { details = [] } = one
    // One of each, not always the first.
    const q = `${one.q}, ${details[i % Math.max(1, details.length)] ?? ''}`
    const isTooLong = q.length >= 255
    if (details.length && !isTooLong && (await placeOf({ ...one, q })) === Infinity)
      if ((await placeOf(one)) < Infinity) lost.push(q)
  }
  expect(lost).toEqual([])
})

test('titles and names in other languages find their book first for 95 of 100', async () => {
  const places: number[] = []
  for (const one of questionsOf('foreign-titles')) places.push(await placeOf(one))
  expect(shareBelow(places, 1)).toBeGreaterThanOrEqual(0.95)
})
