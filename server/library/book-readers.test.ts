import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { countWorks } from '#server/migrations/0041-work-readers.ts'
import { setProfileHidden } from '#server/moderation/reports.ts'
import { reviewPageSize, type Review } from '#shared/book-readers.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import {
  addBook,
  addShelf,
  askAs,
  openFixture,
  path,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { plansOf } from '#tests/plans.ts'
import { readBookReaders } from './book-readers.ts'
import { workOf } from './work.ts'
import { updateWorks } from './work-readers.ts'

const author = 'Antoine de Saint-Exupéry'
/** Editions of one book: two with its title, two with another, and one without an ISBN. */
const editions = [
  { title: 'The Little Prince', isbn: '9780156012195' },
  { title: 'The Little Prince (Paperback)', isbn: '9780156528207' },
  { title: 'Le Petit Prince', isbn: '9782070612758' },
  { title: 'Le petit prince', isbn: '9780156013987' },
  { title: 'The little prince', isbn: '' },
]
const names = editions.map(({ title }) => workOf({ title, authors: [author] }))
const works = [...new Set(names)]

const who = fc.nat(3)
const which = fc.nat(11)
const deed = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('add'), who, which, value: fc.nat(4) }) },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('rate'), who, which, value: fc.nat(20) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('review'), who, which, value: fc.nat(3) }),
  },
  ...['hide', 'move', 'edition', 'remove', 'restore', 'shelf', 'profile', 'operator'].map(
    (kind) => ({
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant(kind), who, which, value: fc.nat(4) }),
    }),
  ),
)
type Deed = { kind: string; who: number; which: number; value: number }

const runs = Number(process.env['PROPERTY_RUNS'] ?? 6)

describeMigratedDatabases('the readers of a book', (open) => {
  let world: Fixture
  let database: Database
  let readers: Reader[]
  let clock = Date.now()

  beforeAll(async () => {
    database = await open()
    // Each moment is one of its own.
    world = await openFixture(database, () => new Date(clock++))
    readers = []
    for (const name of ['ann', 'bea', 'cid', 'dee']) readers.push(await world.reader(name))
    return () => world.close()
  })

  test('are what counting anew would find, for everybody', { timeout: 120_000 }, async () => {
    const deeds = fc.array(deed, { minLength: 25, maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(deeds, async (all) => {
        for (const reader of readers) await beginAnew(reader)
        for (const one of all) expect(await carryOut(one)).toBeLessThan(500)
        for (const viewer of ['', ...readers.map(({ id }) => id)])
          for (const asked of [works, works.slice(0, 1)])
            expect(await readBookReaders(database, asked, viewer, 1)).toEqual(
              await countedFor(viewer, asked),
            )
        const kept = await rows()
        await database.transaction(async (tx) => {
          for (const table of ['work_readers', 'work_totals'])
            await tx.query(`DELETE FROM ${table}`)
          for (const statement of countWorks) await tx.query(statement)
        })
        expect(await rows()).toEqual(kept)
      }),
      { numRuns: runs },
    )
  })

  test('are gone with their account', async () => {
    const leaving = await world.reader('eve')
    const shelf = await addShelf(leaving, 'Open shelf')
    const title = 'Left behind'
    await addBook(leaving, shelf.id, { title, authors: [author], rating: 8, review: 'Goodbye' })
    const asked = [workOf({ title, authors: [author] })]
    const before = await readBookReaders(database, asked, '', 1)
    expect(before).toMatchObject({ readers: 1, ratings: 1, reviews: [{ review: 'Goodbye' }] })
    await leaving.client.collection('users').delete(leaving.id)
    expect(await readBookReaders(database, asked, '', 1)).toMatchObject({
      readers: 0,
      ratings: 0,
      reviews: [],
    })
  })

  test('are read by indexes, as far as a page shows them, when there are 5,000', async () => {
    const ann = await world.reader('reads-emma')
    const shelf = await addShelf(ann, 'Shelf of Ann')
    const title = 'Emma'
    const fields = { title, authors: ['Jane Austen'], review: 'Clever.', rating: 8 }
    const { id } = await addBook(ann, shelf.id, fields)
    const name = workOf({ title, authors: fields.authors })
    const other = workOf({ title: 'Emma, annotated', authors: fields.authors })
    const rowsOf = (work: string, count: number) =>
      Array.from({ length: count }, (_, i) => {
        const day = `2026-01-01 ${String(i).padStart(6, '0')}`
        return `('${work}', 'user${i}', 7, '${day}', '${id}', '${day}')`
      })
    await database.transaction(async (tx) => {
      for (const [work, count] of [
        [name, 5000],
        [other, 50],
      ] as const) {
        await tx.query(
          `INSERT INTO work_readers (work, "user", rating, rated, book, reviewed)
           VALUES ${rowsOf(work, count).join(', ')}`,
        )
        await tx.query(`INSERT INTO work_totals VALUES ('${work}', 7, ${count}, ${7 * count})`)
      }
      if (database.dialect.name === 'postgres') await tx.query('ANALYZE work_readers')
    })
    const both = [name, other]
    const found = await readBookReaders(database, both, ann.id, 1)
    // The fifty have it under both names.
    expect(found).toMatchObject({ readers: 5001, ratings: 5001 })
    for (const works of [[name], both]) {
      const plans = await plansOf(database, (told) => readBookReaders(told, works, ann.id, 1))
      expect(plans).not.toMatch(/Seq Scan|SCAN work_readers|SCAN [so]\b/)
      expect(plans).toMatch(
        /SEARCH r USING INDEX work_readers_reviewed|Index Scan using work_readers_reviewed on work_readers r/,
      )
    }
  })

  test('have their reviews on pages, the viewer’s own on the first', async () => {
    const title = 'Much discussed'
    const asked = [workOf({ title, authors: [author] })]
    const [ann] = readers
    await beginAnew(ann!)
    const shelf = await addShelf(ann!, 'Mine')
    await addBook(ann!, shelf.id, { title, authors: [author], review: 'My own' })
    await database.transaction(async (tx) => {
      for (let n = 0; n < 25; n++) {
        const [id, reviewed] = [`many${n}`.padEnd(15, 'x'), `2026-01-${10 + n} 00:00:00.000Z`]
        for (const statement of [
          `INSERT INTO users (id, username, email, "tokenKey") VALUES ('${id}', '${id}', '${id}', '${id}')`,
          `INSERT INTO settings (id, "user", "isPrivate", "isHidden") VALUES ('${id}', '${id}', FALSE, FALSE)`,
          `INSERT INTO bookshelves (id, "user", visibility) VALUES ('${id}', '${id}', 'public')`,
          `INSERT INTO user_books (id, "user", shelf, title, authors, work, review, reviewed, rating, rated)
            VALUES ('${id}', '${id}', '${id}', '${title}', '[]', '${asked[0]!}', 'Of ${n}', '${reviewed}', 8.5, '${reviewed}')`,
        ])
          await tx.query(statement)
        await updateWorks(tx, id, new Set(asked))
      }
    })
    const pages = []
    for (const page of [1, 2, 3, 4])
      pages.push(await readBookReaders(database, asked, ann!.id, page))
    expect(pages.map(({ reviews, hasMore }) => [reviews.length, hasMore])).toEqual([
      [reviewPageSize + 1, true],
      [reviewPageSize, true],
      [5, false],
      [0, false],
    ])
    const texts = pages.flatMap(({ reviews }) => reviews.map(({ review }) => review))
    expect(texts).toEqual(['My own', ...Array.from({ length: 25 }, (_, n) => `Of ${24 - n}`)])
    expect(pages[0]).toMatchObject({ readers: 26, ratings: 25, average: 8.5 })
    expect(pages[0]!.distribution).toEqual([0, 0, 0, 0, 0, 0, 0, 25, 0, 0])
  })

  /** Leaves the reader with two public shelves and a private one, and a public profile. */
  async function beginAnew(reader: Reader): Promise<void> {
    const { id, client } = reader
    const shelves = client.collection('bookshelves')
    for (const shelf of await shelves.getFullList({ filter: `user = "${id}"` }))
      await shelves.delete(shelf.id)
    for (const visibility of ['public', 'public', 'private'])
      await shelves.create({ name: 'A shelf', visibility })
    await setPrivate(reader, false)
    await setProfileHidden(database, reader.username, false)
  }

  async function setPrivate({ id, client }: Reader, isPrivate: boolean): Promise<void> {
    const settings = await client.collection('settings').getFirstListItem(`user = "${id}"`)
    await client.collection('settings').update(settings.id, { isPrivate })
  }

  /** @returns the status, 0 if there was nothing to do it to */
  async function carryOut({ kind, who, which, value }: Deed): Promise<number> {
    const reader = readers[who]!
    const pick = async (table: string, n: number) => {
      const found = await database.query(
        `SELECT id FROM ${table} WHERE "user" = '${reader.id}' ORDER BY created, id`,
      )
      return String(found[n % found.length]?.[0] ?? '')
    }
    const [book, shelf] = [await pick('user_books', which), await pick('bookshelves', which)]
    const ask = async (method: string, address: string, body?: object) =>
      (await askAs(world, reader, method, address, body)).status
    const edit = (change: object) => ask('PATCH', path('user_books', book), change)
    switch (kind) {
      case 'add':
        return ask('POST', path('user_books'), {
          ...editions[value],
          shelf,
          authors: [author],
          status: 'completed',
        })
      case 'rate':
        return edit({ rating: value / 2 })
      case 'review':
        return edit({ review: value && `Word ${value}`, review_spoilers: value === 2 })
      case 'hide':
        return edit({ isPrivate: value % 2 > 0 })
      case 'move':
        return edit({ shelf: await pick('bookshelves', value) })
      case 'edition':
        return edit(editions[value]!)
      case 'remove':
        return ask('DELETE', path('user_books', book))
      case 'restore': {
        const [one] = await world.records.listTrash(reader.id, 1)
        const body = { collection: one?.collection, ids: [one?.record.id] }
        return one ? ask('POST', '/api/v1/library/restore', body) : 0
      }
      case 'shelf':
        return ask('PATCH', path('bookshelves', shelf), {
          visibility: value % 2 ? 'public' : 'private',
        })
      case 'profile':
        await setPrivate(reader, value === 1)
        return 0
      default:
        await setProfileHidden(database, reader.username, value === 1)
        return 0
    }
  }

  /** The same from the books themselves, with the rules of access said once more. */
  async function countedFor(viewer: string, asked: readonly string[]) {
    const all = await database.query(`SELECT b."user", u.username, u.name, u.avatar, b.id, b.title,
        b.rating, b.rated, b.review, b.review_spoilers, b.reviewed, b."isPrivate", h.visibility,
        s."isPrivate", s."isHidden",
        (SELECT MAX(g.finished) FROM readings g WHERE g."user" = b."user"
          AND g.book_key = b.book_key AND g.outcome = 'finished')
      FROM user_books b JOIN users u ON u.id = b."user" JOIN bookshelves h ON h.id = b.shelf
        JOIN settings s ON s."user" = b."user"`)
    const copies = all
      .map((row) => ({
        reader: {
          id: String(row[0]),
          username: String(row[1]),
          name: String(row[2]),
          avatar: String(row[3]),
        },
        user_book: String(row[4]),
        work: workOf({ title: String(row[5]), authors: [author] }),
        rating: Number(row[6]),
        rated: String(row[7]),
        review: String(row[8]),
        spoilers: Boolean(row[9]),
        reviewed: String(row[10]),
        isOpen: !row[11] && row[12] === 'public' && !row[13] && !row[14],
        finished: String(row[15] ?? ''),
      }))
      .filter(
        ({ work, reader, isOpen }) => asked.includes(work) && (isOpen || reader.id === viewer),
      )
    const byReader = [...Map.groupBy(copies, ({ reader }) => reader.id).values()].map((own) => {
      const last = (date: 'rated' | 'reviewed') =>
        own.toSorted((a, b) => (`${a[date]} ${a.user_book}` < `${b[date]} ${b.user_book}` ? 1 : -1))
      return { ...last('reviewed')[0]!, rating: last('rated')[0]!.rating }
    })
    const ratings = byReader.map(({ rating }) => rating).filter(Boolean)
    const average = ratings.reduce((sum, one) => sum + one, 0) / ratings.length
    return {
      average: ratings.length < 3 ? null : Math.round(average * 100) / 100,
      ratings: ratings.length,
      distribution: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
        (step) => ratings.filter((one) => Math.max(1, Math.floor(one)) === step).length,
      ),
      readers: byReader.length,
      reviews: byReader
        .filter(({ review }) => review)
        .toSorted((a, b) => (a.reviewed < b.reviewed ? 1 : -1))
        .toSorted((a, b) => Number(b.reader.id === viewer) - Number(a.reader.id === viewer))
        .map(({ reader, rating, review, spoilers, finished, user_book }): Review => ({
          reader,
          rating,
          review,
          spoilers,
          finished,
          user_book,
        })),
      page: 1,
      hasMore: false,
    }
  }

  /** What is kept, without what counts nothing. */
  async function rows() {
    const readersRows = await database.query(
      `SELECT work, "user", rating, rated, book, reviewed FROM work_readers ORDER BY work, "user"`,
    )
    const totals = await database.query(
      `SELECT work, step, readers, total FROM work_totals WHERE readers <> 0 ORDER BY work, step`,
    )
    return { readersRows, totals }
  }
})
