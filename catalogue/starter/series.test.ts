import { expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { isVolume, nextOf, type SeriesBooks } from '#shared/series.ts'
import { openStarter } from '#tests/open-starter.ts'
import { foldTitle } from '../text/fold.ts'
import { mostReadBooks } from './most-read/books.ts'
import byHand from './series-by-hand.json' with { type: 'json' }

const { catalogue } = await openStarter()

async function seriesNamed(name: string): Promise<SeriesBooks> {
  const { series = [] } = await catalogue.search(searchForm.parse({ q: name }))
  const found = series[0] && (await catalogue.series(series[0].id))
  if (!found) throw new Error(`There is no series ${name}.`)
  return found
}

/** A title as the list has it, with a subtitle or not. */
const isCalled = (title: string, wanted: string) =>
  foldTitle(title) === foldTitle(wanted) || foldTitle(title).startsWith(`${foldTitle(wanted)} `)

/**
 * The titles that don't follow the one before them in the list. One that the catalogue has and the
 * series hasn't is wrong, too.
 */
async function misplaced(name: string, titles: readonly string[]) {
  const { entries, series } = await seriesNamed(name)
  let last = -1
  let count = 0
  const wrong: string[] = []
  for (const title of titles) {
    const place = entries.findIndex(({ book }) => foldTitle(book.title) === foldTitle(title))
    const near = place < 0 ? entries.findIndex(({ book }) => isCalled(book.title, title)) : place
    const [found] = await catalogue.named([{ isbn: '', titles: [title], authors: series.authors }])
    if (near < 0 && !found?.byName.length) continue
    count += 1
    if (near <= last) wrong.push(title)
    last = Math.max(last, near)
  }
  return { name, count, wrong }
}

/** The share of titles in their right place, and those that aren't. */
async function judged(lists: Readonly<Record<string, readonly string[]>>) {
  const all = []
  for (const [name, titles] of Object.entries(lists)) all.push(await misplaced(name, titles))
  const sum = all.reduce((total, { count }) => total + count, 0)
  const wrong = all.flatMap(({ name, wrong }) => wrong.map((title) => `${name}: ${title}`))
  return { share: 1 - wrong.length / sum, wrong }
}

test('forty well-known series are in order', async () => {
  expect(Object.keys({ ...byHand.developed, ...byHand.reported })).toHaveLength(40)
  expect((await judged(byHand.developed)).wrong).toEqual([])
  expect((await judged(byHand.reported)).share).toBeGreaterThanOrEqual(0.97)
})

test('none of them is a publisher’s collection, which has many authors', async () => {
  for (const name of Object.keys({ ...byHand.developed, ...byHand.reported }))
    expect((await seriesNamed(name)).series.authors, name).not.toEqual([])
})

test.each([
  ['the-walking-dead', 14],
  ['scott-pilgrim', 6],
  ['preacher', 9],
])('volumes that only their titles number are the series %s', async (id, length) => {
  const { entries = [] } = (await catalogue.series(id)) ?? {}
  const numbers = Array.from({ length }, (_, n) => String(n + 1))
  const volumes = entries.map(({ position }) => position).filter(isVolume)
  expect(volumes).toEqual(numbers)
})

test('a series is one, with its article or without', async () => {
  const { entries = [] } = (await catalogue.series('the-malazan-book-of-the-fallen')) ?? {}
  expect(entries.map(({ position }) => position)).toEqual('1 2 3 4 5 6 7 8 9 10'.split(' '))
  expect(await catalogue.series('malazan-book-of-the-fallen')).toBeNull()
})

test('two books never have one place of a series', () => {
  const places = mostReadBooks().flatMap(({ series }) => series)
  const numbered = places.filter(({ position }) => position !== '')
  const written = numbered.map(({ name, position, by }) => [name, position, by].join('#'))
  expect(written.filter((place, n) => written.indexOf(place) < n)).toEqual([])
})

test('a boxed set is never next', async () => {
  const found = await seriesNamed('Harry Potter')
  const volumes = found.entries.slice(0, 8).map(({ book }) => book.id)
  for (let read = 0; read <= volumes.length; read++) {
    const next = nextOf(found, ({ id }) => volumes.slice(0, read).includes(id))
    expect(next?.position).toBe(read < volumes.length ? String(read + 1) : undefined)
  }
})
