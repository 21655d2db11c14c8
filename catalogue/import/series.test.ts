import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { author, authorRole, edition, line, work, writeDumps } from '#tests/dumps.ts'
import { openCatalogue, type Catalogue } from '../index.ts'
import { runCatalogueCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-import-series-'))
afterAll(() => rmSync(folder, { recursive: true }))

const listed = (key: string, position: string) => ({ series: [{ series: { key }, position }] })
const collected = [30, 31, 32, 33, 34]

const dumps = {
  authors: [
    author(1, 'Ottilie Quantrell'),
    author(2, 'Halvard Rook'),
    author(3, 'James S.A. Corey'),
    ...collected.map((n) => author(n, `Collected Author ${n}`)),
  ],
  works: [
    work(10, 'The Keeper of Brandsund', authorRole(1)),
    work(11, 'The Pilot of Brandsund', authorRole(1)),
    work(12, 'The Widow of Brandsund', authorRole(1)),
    work(13, 'Ferries at Night', { ...authorRole(2), ...listed('/series/OL1L', '1') }),
    work(14, 'Ferries by Day', { ...authorRole(2), ...listed('/series/OL1L', '2') }),
    work(15, 'Ferries', { ...authorRole(1), ...listed('/series/OL1L', '') }),
    work(16, 'Of no Series', { ...authorRole(1), ...listed('/series/OL2L', '1'), subjects: ['A'] }),
    work(17, 'The Tale of Mao Kwikowski', authorRole(3)),
    work(18, 'Leviathan Wakes', authorRole(3)),
    work(19, 'Further out', authorRole(3)),
    ...collected.flatMap((n) => [
      work(n, `Plain Tale ${n}`, authorRole(n)),
      work(n + 10, `Another Tale ${n}`, authorRole(n)),
    ]),
  ],
  editions: [
    edition(100, 10, 'The Keeper of Brandsund', { series: ['Skerries, 1'] }),
    edition(101, 11, 'The Pilot of Brandsund (Skerries, #2)', { series: ['Seafarers ; 4'] }),
    edition(102, 12, 'The Widow of Brandsund', {
      series: ['Skerries ; v. 3', 'Tide classics 3'],
      publishers: ['Tide Press'],
    }),
    edition(103, 11, 'The Pilot', { series: ['Tide classics 8'], publishers: ['Tide Press'] }),
    edition(104, 13, 'Ferries at Night'),
    edition(105, 14, 'Ferries by Day'),
    edition(106, 15, 'Ferries'),
    edition(107, 16, 'Of no Series'),
    edition(108, 17, 'The Tale of Mao Kwikowski (Expanse, #10)'),
    edition(109, 18, 'Leviathan Wakes', { series: ['Expanse #1'] }),
    edition(110, 19, 'Further out (Expanse, #1)'),
    ...collected.flatMap((n) => [
      edition(n + 100, n, `Plain Tale ${n}`, { series: [`Readers’ treasury ; ${n}`] }),
      edition(n + 110, n + 10, `Another Tale ${n}`, { series: [`Readers’ treasury ; ${n + 10}`] }),
    ]),
  ],
  series: [line('series', '/series/OL1L', { name: 'Ferrymen' }), work(90, 'Of another type')],
}

let catalogue: Catalogue
let said: string

beforeAll(async () => {
  const data = join(folder, 'data')
  mkdirSync(data)
  const silent = { start: () => {}, update: () => {}, stop: () => {} }
  const lines: string[] = []
  const args = ['import', ...writeDumps(join(folder, 'dumps'), dumps)]
  await runCatalogueCommand(args, data, (each) => lines.push(each), silent)
  said = lines.join('\n')
  catalogue = await openCatalogue({ folder: data, workers: 1 })
  return () => catalogue.close()
}, 60_000)

const placesIn = async (id: string) =>
  (await catalogue.series(id))?.entries.map(({ position, book }) => [position, book.title])

test('what editions of one author’s works state is a series', async () => {
  expect(await placesIn('skerries--ottilie-quantrell')).toEqual([
    ['1', 'The Keeper of Brandsund'],
    ['2', 'The Pilot of Brandsund (Skerries, #2)'],
    ['3', 'The Widow of Brandsund'],
  ])
  const { series = [] } = await catalogue.search(searchForm.parse({ q: 'skerries' }))
  expect(series).toEqual([{ id: 'skerries--ottilie-quantrell', name: 'Skerries' }])
})

test('what one work states alone is none', async () => {
  expect(await placesIn('seafarers--ottilie-quantrell')).toBeUndefined()
})

test('a publisher’s collection is none, by its name or by its many authors', async () => {
  expect(await placesIn('tide-classics--ottilie-quantrell')).toBeUndefined()
  for (const n of collected)
    expect(await placesIn(`readers-treasury--collected-author-${n}`)).toBeUndefined()
})

test('the series that Open Library lists are there, with works of several authors', async () => {
  expect(said).toContain('series: 1 of 2 lines taken in')
  expect(await placesIn('ferrymen--halvard-rook')).toEqual([
    ['1', 'Ferries at Night'],
    ['2', 'Ferries by Day'],
    ['', 'Ferries'],
  ])
  expect((await catalogue.byId('OL107M'))?.series).toEqual([])
})

test('works join the series that ships with Octavo, whose places stay as they are', async () => {
  const places = await placesIn('the-expanse')
  expect(places?.[0]).toEqual(['1', 'Leviathan Wakes'])
  expect(places).toContainEqual(['10', 'The Tale of Mao Kwikowski (Expanse, #10)'])
  expect(places?.flat()).not.toContain('Further out (Expanse, #1)')
  expect(await placesIn('expanse--james-s-a-corey')).toBeUndefined()
})
