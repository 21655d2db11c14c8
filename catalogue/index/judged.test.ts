/**
 * Questions that nobody has tuned the search to, each with the books that answer it. Takes some
 * seconds, as every question is asked.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { openStarter } from '#tests/open-starter.ts'

interface Question {
  q: string
  /** Beginnings of titles; any of them answers. */
  wanted: string[]
  /** What else is true of the book. */
  details?: string[]
}

const { catalogue } = await openStarter()

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as Question[]

/** @returns the place of the first book that answers; Infinity if none does */
async function placeOf({ q, wanted }: Question): Promise<number> {
  const { books } = await catalogue.search(searchForm.parse({ q }))
  const place = books.findIndex(({ title }) => wanted.some((start) => title.startsWith(start)))
  return place < 0 ? Infinity : place
}

const share = (places: readonly number[], below: number) =>
  places.filter((place) => place < below).length / places.length

const reported = read('described-reported')

test('descriptions find their book among ten for 95 of 100, first for 75', async () => {
  const places: number[] = []
  for (const one of reported) places.push(await placeOf(one))
  expect(share(places, 10)).toBeGreaterThanOrEqual(0.95)
  expect(share(places, 1)).toBeGreaterThanOrEqual(0.75)
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
  for (const one of read('foreign-titles')) places.push(await placeOf(one))
  expect(share(places, 1)).toBeGreaterThanOrEqual(0.95)
})
