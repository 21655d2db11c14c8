import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import type { Catalogue, CatalogueWork } from '../index.ts'
import { catalogueFiles } from '../files.ts'
import { openCatalogue } from '../index.ts'
import { openLearnt, updateIndex } from './learnt.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-learnt-'))
let catalogue: Catalogue

beforeAll(async () => {
  await copyStarterIndex(folder)
  catalogue = await openCatalogue({ folder, workers: 2 })
})
afterAll(async () => {
  await catalogue.close()
  rmSync(folder, { recursive: true })
})

const find = async (q: string) => (await catalogue.search(searchForm.parse({ q }))).books
const titles = async (q: string) => (await find(q)).map((book) => book.title)

function work(id: string, title: string, rest: Partial<CatalogueWork> = {}): CatalogueWork {
  const edition = {
    id,
    ids: { google: id },
    image_links: [],
    page_count: 0,
    published_date: '',
    publisher: '',
    language: 'eng',
  }
  return {
    title,
    other_titles: [],
    authors: ['Ottilie Quantrell'],
    genres: ['Foghorns'],
    description: '',
    readers: 3,
    editions: [edition],
    ...rest,
  }
}

describe('what an outside source said', () => {
  test('is found by the next search, typos, genres and typing included', async () => {
    expect(await titles('the keeper of brandsund')).not.toContain('The Keeper of Brandsund')
    await catalogue.learn('google', [work('gb1', 'The Keeper of Brandsund')])
    for (const q of ['the keeper of brandsund', 'keper of brandsund', 'quantrell', 'foghorns'])
      expect((await titles(q))[0]).toBe('The Keeper of Brandsund')
    expect((await catalogue.suggest('the keeper of bra')).books[0]?.id).toBe('gb1')
    expect((await catalogue.byId('gb1'))?.authors).toEqual(['Ottilie Quantrell'])
  })

  test('completes a work the catalogue has, by its ISBN, and overwrites nothing', async () => {
    const [known] = await find('frankenstein')
    const isbn13 = known?.isbns.ISBN_13 ?? ''
    const { editions } = work('OL77M', '')
    await catalogue.learn('openlibrary', [
      work('OL77M', 'Frankenstein; or, The Modern Prometheus', {
        authors: ['Mary Wollstonecraft Shelley'],
        description: 'Another description.',
        editions: [{ ...editions[0], ids: { openlibrary: 'OL77M' }, isbn13, image_links: ['7'] }],
      }),
    ])
    const found = await find('modern prometheus')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      id: known?.id,
      title: 'Frankenstein',
      description: known?.description,
      ids: { openlibrary: 'OL77M' },
      image_links: ['https://covers.openlibrary.org/b/id/7-L.jpg'],
    })
    expect((await catalogue.byId('OL77M'))?.id).toBe(known?.id)
  })

  test('adds an edition to the work of that title and author', async () => {
    const [known] = await find('middlemarch')
    const edition = {
      ...work('OL78M', '').editions[0],
      language: 'fre',
      title: 'Middlemarch, roman',
    }
    await catalogue.learn('openlibrary', [
      work('OL78M', 'Middlemarch', { authors: ['George Eliot'], editions: [edition] }),
    ])
    expect((await find('middlemarch')).map((book) => book.id)).toEqual([known?.id])
    const editions = await catalogue.editions(known?.id ?? '')
    expect(editions.map((book) => book.id)).toEqual(expect.arrayContaining([known?.id, 'OL78M']))
    expect((await catalogue.editions('OL78M')).map((book) => book.id)[0]).toBe('OL78M')
    expect(await catalogue.editions('nowhere')).toEqual([])
  })

  test('moves a work among the newest when it says when that was published', async () => {
    const newest = searchForm.parse({ author: 'Ismene Vantongeren', order: 'newest' })
    const shown = async () => (await catalogue.search(newest)).books.map((book) => book.id)
    const published = (id: string, date: string): CatalogueWork => {
      const made = work(id, `Volume ${id}`, { authors: ['Ismene Vantongeren'] })
      return { ...made, editions: [{ ...made.editions[0], published_date: date }] }
    }
    await catalogue.learn('google', [published('gbv1', ''), published('gbv2', '1988-04')])
    expect(await shown()).toEqual(['gbv2', 'gbv1'])
    await catalogue.learn('google', [published('gbv1', '1988-05-01'), published('gbv3', '1988')])
    expect(await shown()).toEqual(['gbv1', 'gbv2', 'gbv3'])
  })

  test('in the language of the reader is shown first', async () => {
    const form = searchForm.parse({ q: 'middlemarch' })
    expect((await catalogue.search(form, 'fre')).books[0]?.id).toBe('OL78M')
    expect((await catalogue.search(form, 'ger')).books[0]?.id).not.toBe('OL78M')
  })

  test('told again changes nothing', async () => {
    await catalogue.learn('google', [work('gb1', 'The Keeper of Brandsund')])
    await catalogue.learn('google', [work('gb2', 'The Keeper of Brandsund')])
    expect(await titles('brandsund')).toEqual(['The Keeper of Brandsund'])
  })

  test('stays when the index is rebuilt', async () => {
    rmSync(catalogueFiles(folder).file)
    const again = await openCatalogue({ folder, workers: 1 })
    const { books } = await again.search(searchForm.parse({ q: 'brandsund' }))
    expect(books.map((book) => book.title)).toEqual(['The Keeper of Brandsund'])
    await again.close()
    // Who was searching the file that is gone reads the new one.
    expect(await titles('brandsund')).toEqual(['The Keeper of Brandsund'])
  })

  test('is all kept after parallel writes', async () => {
    const many = Array.from({ length: 12 }, (_, i) => work(`many${i}`, `Brandsund Ferry No. ${i}`))
    await Promise.all(many.map((each) => catalogue.learn('google', [each])))
    expect(await titles('brandsund ferry')).toHaveLength(12)
  })
})

describe('what readers have on public shelves', () => {
  test('ranks higher, until they take it off', async () => {
    const isbns = ['9780306406157', '9783161484100']
    const [first, second] = isbns.map((isbn13, i) => {
      const [edition] = work(`rank${i}`, '').editions
      return work(`rank${i}`, `Skerry Notebook ${['East', 'West'][i]}`, {
        editions: [{ ...edition, isbn13 }],
      })
    })
    await catalogue.learn(
      'google',
      [first, second].filter((each) => each !== undefined),
    )
    expect(await titles('skerry notebook')).toEqual([
      'Skerry Notebook East',
      'Skerry Notebook West',
    ])
    const shelved = (isbn = '') => ({
      isbns: Float64Array.of(Number(isbn)),
      readers: Uint32Array.of(40),
    })
    await catalogue.setShelved(shelved(isbns[1]))
    expect(await titles('skerry notebook')).toEqual([
      'Skerry Notebook West',
      'Skerry Notebook East',
    ])
    await catalogue.setShelved(shelved(isbns[0]))
    expect(await titles('skerry notebook')).toEqual([
      'Skerry Notebook East',
      'Skerry Notebook West',
    ])
  })
})

describe('readers that a book has before it is learnt', () => {
  const isbn13 = '9781861972712'
  const [edition] = work('late', '').editions
  const late = work('late', 'Halyard Almanac West', { editions: [{ ...edition, isbn13 }] })
  const shelved = (...isbns: string[]) => ({
    isbns: Float64Array.from(isbns, Number),
    readers: Uint32Array.from(isbns, () => 40),
  })

  test('count once it is, and until they take it off', async () => {
    await catalogue.setShelved(shelved(isbn13))
    await catalogue.learn('google', [work('early', 'Halyard Almanac East')])
    await catalogue.learn('google', [late])
    const found = ['Halyard Almanac West', 'Halyard Almanac East']
    expect(await titles('halyard almanac')).toEqual(found)
    // Said again it has no more of them: one reader is fewer than forty.
    await catalogue.learn('google', [{ ...late, description: 'Tides and lights.' }])
    await catalogue.setShelved({ ...shelved(isbn13), readers: Uint32Array.of(1) })
    await catalogue.setShelved(shelved())
    expect((await titles('halyard almanac')).toSorted()).toEqual(found.toSorted())
    expect(shelvedOf(isbn13)).toBe(0)
  })

  test('are the same in a rebuilt index', async () => {
    await catalogue.setShelved(shelved(isbn13))
    expect(shelvedOf(isbn13)).toBe(40)
    rmSync(catalogueFiles(folder).file)
    const again = await openCatalogue({ folder, workers: 1 })
    await again.close()
    expect(shelvedOf(isbn13)).toBe(40)
  })

  /** What the index has of it; no answer tells. */
  function shelvedOf(isbn: string): unknown {
    const db = new DatabaseSync(catalogueFiles(folder).file, { readOnly: true })
    try {
      return db
        .prepare(
          'SELECT shelved FROM work WHERE id = (SELECT work_id FROM edition WHERE isbn13 = ?)',
        )
        .get(Number(isbn))?.['shelved']
    } finally {
      db.close()
    }
  }
})

test('what no source has said for the longest time goes when there is too much', () => {
  using store = openLearnt(join(folder, 'small.db'), 2)
  const learn = (day: number, ...ids: string[]) =>
    store.add({
      source: 'google',
      learntAt: `2026-01-0${day}T00:00:00Z`,
      works: ids.map((id) => work(id, `The ${id}`)),
    })
  learn(1, 'first', 'second')
  // Said again, so it was of use.
  learn(2, 'first')
  learn(3, 'third')
  expect(store.count()).toBe(2)
  const db = new DatabaseSync(join(folder, 'small.db'), { readOnly: true })
  const ids = db.prepare('SELECT id FROM learnt ORDER BY id').all()
  db.close()
  expect(ids.map((row) => row['id'])).toEqual(['first', 'third'])
})

test('creates no index just to learn', () => {
  using learnt = openLearnt(join(folder, 'elsewhere.db'))
  const file = join(folder, 'no-index.db')
  updateIndex(file, learnt)
  expect(existsSync(file)).toBe(false)
})
