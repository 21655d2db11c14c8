import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { author, authorRole, edition, line, work, writeDumps } from '#tests/dumps.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { starterBooks } from '#catalogue/starter/starter.ts'
import type { Catalogue } from '../index.ts'
import { openCatalogue } from '../index.ts'
import { catalogueFiles } from '../files.ts'
import { runCatalogueCommand } from './command.ts'
import { lockFolder } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
afterAll(() => rmSync(folder, { recursive: true }))

const frankenstein = starterBooks().find((book) => book.title === 'Frankenstein')?.isbn13 ?? ''

/** Small dumps with one of everything that real ones hold. */
const dumps = {
  authors: [
    author(1, 'Ottilie Quantrell', { alternate_names: ['Оттилия Квантрелл'] }),
    author(2, 'Mary Shelley'),
    author(3, ''),
  ],
  works: [
    work(10, 'The Keeper of Brandsund', {
      ...authorRole(1),
      subjects: ['Lighthouses', 'In library', 'nyt:list=2026'],
      subject_people: ['Halvard Rook'],
      subject_places: ['Skerry of Brandsund'],
      first_sentence: { type: '/type/text', value: 'The barometer fell for nine days.' },
      description: { type: '/type/text', value: 'A lamp.\r\n----------\r\nAlso contained in' },
    }),
    work(11, 'Frankenstein', authorRole(2)),
    work(12, 'No Edition', authorRole(1)),
    line('redirect', '/works/OL13W', { location: '/works/OL10W' }),
    line('delete', '/works/OL14W', {}),
    line('work', '/works/OL15W', { title: '' }),
    '/type/work\t/works/OL16W\t1\t2026\t{"title": broken',
    'nothing',
    work(17, 'Written by No One'),
    work(18, 'Notebook of a Ferryman &amp; Son', authorRole(1)),
  ],
  editions: [
    edition(100, 10, 'The Keeper of Brandsund', {
      isbn_10: ['978-0-306-40615-7', '0306406152'],
      publish_date: 'March 3, 1998',
      publishers: ['Tide Press'],
      number_of_pages: 210,
      covers: [-1, 55],
    }),
    edition(101, 10, 'Le Gardien de Brandsund', {
      languages: [{ key: '/languages/fre' }],
      isbn_13: ['9783161484100', '9781861972712'],
      series: ['Skerries, 1'],
    }),
    edition(102, 11, 'Frankenstein', { isbn_13: [frankenstein] }),
    edition(103, null, 'An Orphan Pamphlet', { authors: [{ key: '/authors/OL1A' }] }),
    edition(104, 17, 'Written by No One', { authors: [{ key: '/authors/OL1A' }] }),
    edition(105, 18, 'Notebook of a Ferryman & Son', { isbn_10: ['0306406153'] }),
    edition(106, 999, 'Of a Work that is Missing'),
  ],
  popularity: ['/works/OL10W\t500', '/works/OL999999W\t7', '/works/OL11W\tmany'],
  ratings: ['/works/OL18W\t/books/OL105M\t5\t2026-01-01', '/works/OL18W\t\t3\t2026-01-01'],
  'reading-log': ['/works/OL18W\t/books/OL105M\tWant to Read\t2026-01-01'],
}

const silent = { start: () => {}, update: () => {}, stop: () => {} }

async function run(data: string, ...args: string[]): Promise<{ code: number; said: string }> {
  mkdirSync(data, { recursive: true })
  const said: string[] = []
  const code = await runCatalogueCommand(args, data, (each) => said.push(each), silent)
  return { code, said: said.join('\n') }
}

let importing: Promise<{ code: number }> | undefined

/** @returns a new data folder into which the dumps have been imported */
async function imported(name: string): Promise<string> {
  const once = join(folder, 'imported')
  importing ??= run(once, 'import', ...writeDumps(join(folder, 'dumps'), dumps))
  expect((await importing).code).toBe(0)
  const data = join(folder, name)
  cpSync(once, data, { recursive: true })
  return data
}

describe('an import', () => {
  const data = join(folder, 'data')
  let catalogue: Catalogue
  let said: string

  beforeAll(async () => {
    mkdirSync(data)
    await copyStarterIndex(data)
    // Opened before: what it searches is replaced under it.
    catalogue = await openCatalogue({ folder: data, workers: 1 })
    await catalogue.learn('google', [
      {
        title: 'The Keeper of Brandsund',
        other_titles: [],
        authors: ['Ottilie Quantrell'],
        genres: [],
        description: 'Learnt before.',
        readers: 0,
        editions: [
          {
            id: 'gb1',
            ids: { google: 'gb1' },
            isbn13: '9780306406157',
            image_links: [],
            page_count: 0,
            published_date: '',
            publisher: '',
            language: 'eng',
          },
        ],
      },
    ])
    const report = await run(data, 'import', ...writeDumps(join(folder, 'dumps'), dumps))
    said = `${report.said}\nends with ${report.code}`
  })
  afterAll(() => catalogue.close())

  const find = async (q: string) => (await catalogue.search(searchForm.parse({ q }))).books

  test('keeps names of authors in other scripts, people, places and first sentences', async () => {
    const first = async (q: string) => (await find(q))[0]?.id
    expect(await first('Оттилия Квантрелл Brandsund')).toBe('OL100M')
    const form = { mode: 'describe' }
    for (const q of ['halvard rook', 'skerry of brandsund', 'the barometer fell for nine days'])
      expect((await catalogue.search(searchForm.parse({ q, ...form }))).books[0]?.id).toBe('OL100M')
  })

  test('is searched by the server that is running', async () => {
    const [book] = await find('keeper of brandsund')
    expect(book).toMatchObject({
      id: 'OL100M',
      ids: { openlibrary: 'OL100M', google: 'gb1' },
      title: 'The Keeper of Brandsund',
      authors: ['Ottilie Quantrell'],
      genres: ['Lighthouses'],
      description: 'A lamp.',
      image_links: ['https://covers.openlibrary.org/b/id/55-L.jpg'],
      page_count: 210,
      isbns: { ISBN_13: '9780306406157' },
      published_date: '1998-03-03',
      publisher: 'Tide Press',
      language: 'eng',
    })
  })

  test.each([
    ['the title of a translation', 'le gardien de brandsund', 'OL100M'],
    ['a series and its number', 'skerries 1', 'OL100M'],
    ['the second ISBN of an edition', '9781861972712', 'OL101M'],
    ['an edition without a work', 'an orphan pamphlet', 'OL103M'],
    ['an edition of a work that is missing', 'of a work that is missing', 'OL106M'],
    ['a work whose author only its edition names', 'written by no one quantrell', 'OL104M'],
    ['a title with an entity of HTML', 'ferryman and son', 'OL105M'],
  ])('is found by %s', async (_, q, id) => {
    expect((await find(q))[0]?.id).toBe(id)
  })

  test('keeps the works that ship with Octavo, merged with those of the dumps', async () => {
    const found = await find('frankenstein mary shelley')
    expect(found.map((book) => book.id)).toEqual(['OL102M'])
    expect(found[0]?.description).toMatch(/\w/)
    expect((await catalogue.byId(`st${frankenstein}`))?.id).toBe('OL102M')
    expect((await find('pride and prejudice'))[0]?.title).toBe('Pride and Prejudice')
    const { classics, manga } = await catalogue.curated()
    expect([classics.length, manga.length]).toEqual([60, 60])
  })

  test('keeps learned books, under their own ids too', async () => {
    expect((await catalogue.byId('gb1'))?.id).toBe('OL100M')
  })

  test('reports what it left out, and why', () => {
    for (const reason of [
      'ends with 0',
      'works: 5 of 10 lines taken in',
      '1 skipped: redirected to another record',
      '1 skipped: deleted',
      '1 skipped: no title',
      '1 skipped: unreadable JSON',
      '1 skipped: a line of another form',
      '1 skipped: no name',
      '1 skipped: edition of a work that was left out',
    ])
      expect(said).toContain(reason)
  })

  test('status reports the contents of the index', async () => {
    const { said, code } = await run(data, 'status')
    expect(code).toBe(0)
    expect(said).toMatch(/Index: [\d,]+ works, [\d,]+ editions, \d+ MB, from Open Library/)
    expect(said).toContain('Learned from outside sources: 1 works')
    expect(said).toContain('editions: 7 lines')
  })

  test('is rebuilt at a start after the format of the index has changed', async () => {
    const changed = await imported('changed')
    const db = new DatabaseSync(catalogueFiles(changed).file)
    db.exec(`UPDATE meta SET value = 'of another form' WHERE key = 'format'`)
    db.close()
    const again = await openCatalogue({ folder: changed, workers: 1 })
    // There is always something to search.
    const { books } = await again.search(searchForm.parse({ q: 'middlemarch' }))
    expect(books).toHaveLength(1)
    await expect
      .poll(async () => (await again.byId('OL100M'))?.title, { timeout: 150_000 })
      .toBe('The Keeper of Brandsund')
    await again.close()
    // It gives way to everything else on the machine.
  }, 180_000)

  test('survives a start, and can be rebuilt until its sources are removed', async () => {
    const again = await openCatalogue({ folder: data, workers: 1 })
    expect((await again.byId('OL100M'))?.title).toBe('The Keeper of Brandsund')
    await again.close()
    const [abandoned, written] = [
      join(data, 'catalogue.db.old.new'),
      join(data, 'catalogue.db.x.new'),
    ]
    for (const draft of [abandoned, written]) writeFileSync(draft, '')
    utimesSync(abandoned, 0, 0)
    expect((await run(data, 'rebuild')).code).toBe(0)
    expect([abandoned, written].map((draft) => existsSync(draft))).toEqual([false, true])
    expect((await find('keeper of brandsund'))[0]?.id).toBe('OL100M')
    expect((await run(data, 'forget')).code).toBe(0)
    expect(await run(data, 'rebuild')).toMatchObject({ code: 1 })
    expect((await find('keeper of brandsund'))[0]?.id).toBe('OL100M')
  })
})

test('two commands that make the index do not meet', async () => {
  const data = await imported('held')
  const whole = writeDumps(join(folder, 'dumps'), dumps)
  const index = readFileSync(catalogueFiles(data).file)
  const refused = {
    code: 1,
    said: expect.stringMatching(/^Another command.* is building the catalogue/) as string,
  }
  {
    using _lock = lockFolder(catalogueFiles(data).lock)
    expect(await run(data, 'import', ...whole)).toMatchObject(refused)
    expect(await run(data, 'rebuild')).toMatchObject(refused)
    expect(await run(data, 'forget')).toMatchObject(refused)
    expect((await run(data, 'status')).said).toContain('editions: 7 lines')
  }
  expect(readFileSync(catalogueFiles(data).file).equals(index)).toBe(true)
  expect((await run(data, 'forget')).code).toBe(0)
})

test('an import that was ended before it kept anything counts as none', async () => {
  const data = join(folder, 'hardly-begun')
  mkdirSync(data)
  writeFileSync(catalogueFiles(data).staged, '')
  expect(await run(data, 'status')).toMatchObject({
    code: 0,
    said: expect.stringContaining('Import: none kept.') as string,
  })
})

describe('a subset', () => {
  test.each([
    [['--language', 'fre'], ['OL101M']],
    [['--with-isbn'], ['OL100M', 'OL101M', 'OL102M']],
    [
      ['--min-editions', '2'],
      ['OL100M', 'OL101M'],
    ],
  ])('%s', async (filter, wanted) => {
    const data = join(folder, `subset${filter.join('')}`)
    await run(data, 'import', ...writeDumps(join(folder, 'dumps'), dumps), ...filter)
    const db = new DatabaseSync(catalogueFiles(data).file, { readOnly: true })
    const ids = db.prepare('SELECT id FROM edition WHERE id < 1e9 ORDER BY id').all()
    db.close()
    expect(ids.map((row) => `OL${String(row['id'])}M`)).toEqual(wanted)
  })
})

describe('a sentence explains a mistake', () => {
  test.each([
    [
      'no dumps',
      [],
      'The dumps of authors, works and editions are needed; see npm run catalogue:import -- --help',
    ],
    ['an unknown option', ['--colour', 'red'], "Unknown option '--colour'"],
    [
      'a missing file',
      ['--authors', 'no', '--works', 'no', '--editions', 'no'],
      'There is no file',
    ],
    ['a bad number', ['--min-editions', 'x'], '--min-editions must be a whole number'],
    ['a bad language', ['--language', 'English'], '--language must be a three-letter MARC code'],
  ])('%s', async (_, args, message) => {
    const given = /bad/.test(_) ? writeDumps(join(folder, 'dumps'), dumps) : []
    const { code, said } = await run(join(folder, 'mistakes'), 'import', ...given, ...args)
    expect(code).toBe(1)
    expect(said).toContain(message)
  })

  test.each([
    ['authors', dumps.works, 'is not a dump of authors: another type of record (7)'],
    ['popularity', dumps.ratings.map(() => 'x'), 'is not a dump of popularity'],
    ['works', [], 'is empty'],
  ])('a file that is no dump of %s, and the index stays', async (name, lines, message) => {
    const data = await imported(`mixed-up-${name}`)
    const whole = writeDumps(join(folder, 'dumps'), dumps)
    const index = readFileSync(catalogueFiles(data).file)
    const file = join(folder, `${name}-mixed-up.txt`)
    writeFileSync(file, lines.join('\n'))
    const { code, said } = await run(data, 'import', ...whole, `--${name}`, file)
    expect([code, said]).toEqual([1, expect.stringContaining(message)])
    expect(readFileSync(catalogueFiles(data).file).equals(index)).toBe(true)
  })

  test('a truncated dump, and resumes with the whole one', async () => {
    const data = join(folder, 'cut')
    const args = writeDumps(join(folder, 'cut-dumps'), dumps)
    const file = join(folder, 'cut-dumps', 'editions.txt.gz')
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length - 20))
    const { code, said } = await run(data, 'import', ...args)
    expect([code, said]).toEqual([1, expect.stringContaining('cannot be read to the end')])
    writeFileSync(file, whole)
    expect((await run(data, 'import', ...args)).code).toBe(0)
  })
})
