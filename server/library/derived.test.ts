import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { tagKey } from '#shared/tags.ts'
import { coverOf } from './cover.ts'
import {
  addBook,
  addShelf,
  askAs,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

/** Which of those there are; taken around. */
const which = fc.nat(11)

/** Anything that adds, moves, hides or removes; what is refused changes nothing. */
const deed = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fill'), which, many: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move'), which, to: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retitle'), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read'), which }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('restate'), which, many: fc.nat(9), ms: fc.nat(1) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('tell'), which, many: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy'), which, to: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('turn'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mixed'), which, to: which }) },
)
type Deed = { kind: string; which: number; to?: number; many?: number; ms?: number }

/** Readers; each does some twenty things, two at a time. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 8)

describeMigratedDatabases('what is kept beside the books', (open) => {
  let world: Fixture
  let database: Database
  let clock = Date.now()
  let readers = 0

  beforeAll(async () => {
    database = await open()
    world = await openFixture(database, () => new Date(clock))
    return () => world.close()
  })

  test('is what counting anew would find, whatever was done', { timeout: 120_000 }, async () => {
    const deeds = fc.array(fc.tuple(deed, deed), { minLength: 8, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(deeds, async (all) => {
        const reader = await world.reader(`reader${readers++}`)
        const { id: shelf } = await addShelf(reader, 'Open shelf')
        await addShelf(reader, 'Open, too')
        await addShelf(reader, 'Closed', 'private')
        const { id: book } = await addBook(reader, shelf, { title: 'Often picked up' })
        await restate(book, 95, 1)
        const [[key] = []] = await rows(`SELECT book_key FROM user_books WHERE id = '${book}'`)
        await reader.client.collection('quotes').create({ book_key: key, text: 'Beware' })
        for (const together of all) {
          clock += 60_000
          const statuses = await Promise.all(together.map((one) => carryOut(reader, one)))
          expect(statuses.filter((status) => status >= 500)).toEqual([])
          expect(await shelvesKept(reader)).toEqual(await shelvesCounted(reader))
          expect(await windowsKept(reader)).toEqual(await windowsCounted(reader))
          expect(await totalsKept(reader)).toEqual(await totalsCounted(reader))
          expect(await wronglyShown(reader)).toEqual([])
        }
      }),
      { numRuns: runs },
    )
  })

  test('is right when two transactions add copies of a book at once', async () => {
    const reader = await world.reader(`reader${readers++}`)
    const shelves = [await addShelf(reader, 'One shelf'), await addShelf(reader, 'Another')]
    const book = {
      user: reader.id,
      authors: [],
      genres: [],
      images: [],
      page_count: 90,
      progress: 90,
      rating: 8,
      status: 'completed' as const,
      tags: ['Sea'],
    }
    for (let n = 0; n < 5; n++) {
      const title = `Title ${n}`
      const add = (shelf: string) => (tx: LibraryTransaction) =>
        tx.create('user_books', { ...book, title, shelf })
      await Promise.all(shelves.map(({ id }) => world.records.write(add(id))))
    }
    const counted = { numbers: [5, 5, 5, 40, 450], tags: [['Sea', 5]], tagKeys: [['sea', 5]] }
    expect(await totalsKept(reader)).toEqual([counted, counted])
  })

  /** @returns the status, 0 if there was nothing to do it to */
  async function carryOut(reader: Reader, one: Deed): Promise<number> {
    const { kind, to = 0, many = 0, ms = 0 } = one
    const pick = async (table: string, n: number) => {
      const order = table === 'user_books' ? 'id' : 'created, id'
      const ids = await database.query(
        `SELECT id FROM ${table} WHERE "user" = '${reader.id}' ORDER BY ${order}`,
      )
      return String(ids[n % ids.length]?.[0] ?? '')
    }
    const [book, shelf, entry, target] = await Promise.all([
      pick('user_books', one.which),
      pick('bookshelves', one.which),
      pick('activities', one.which),
      pick('bookshelves', to),
    ])
    const ask = async (method: string, address: string, body?: object) =>
      (await askAs(world, reader, method, address, body)).status
    const title = `Title ${one.which}, ${many}`
    const made = { shelf, title, status: 'planning', page_count: 900 }
    const write = (method: string, collection: string, id?: string, body?: object) => ({
      method,
      url: path(collection, id),
      ...(body && { body }),
    })
    switch (kind) {
      case 'add':
        return ask('POST', path('user_books'), { ...made, authors: ['Somebody'] })
      case 'fill':
        return ask('POST', '/api/batch', {
          requests: Array.from({ length: many }, () =>
            write('POST', 'user_books', undefined, made),
          ),
        })
      case 'mixed':
        return ask('POST', '/api/batch', {
          requests: [
            write('POST', 'user_books', undefined, made),
            write('PATCH', 'user_books', book, { shelf: target, status: 'paused' }),
            write('PATCH', 'bookshelves', shelf, { name: `Named ${title}` }),
            write('POST', 'user_books', undefined, { ...made, shelf: target }),
            write('DELETE', 'user_books', book),
          ],
        })
      case 'move':
        return ask('PATCH', path('user_books', book), { shelf: target })
      case 'retitle':
        return ask('PATCH', path('user_books', book), { title: `${title} anew` })
      case 'read':
        clock += 1000
        return ask('PATCH', path('user_books', book), { progress: 1 + (clock % 899) })
      case 'tell':
        return ask('PATCH', path('user_books', book), {
          rating: many / 2,
          tags: ['Sea', 'Ports', 'sea'].slice(many % 4),
          isPrivate: many === 9,
          status: ['completed', 'planning', 'paused'][many % 3],
        })
      case 'copy': {
        const [row] = await rows(`SELECT title, authors FROM user_books WHERE id = '${book}'`)
        const authors = JSON.parse(String(row?.[1] ?? '[]')) as string[]
        const copy = { shelf: target, title: row?.[0], authors, status: 'completed' }
        return ask('POST', path('user_books'), { ...copy, page_count: 80 + many })
      }
      case 'restate':
        return book ? restate(book, many, ms) : 0
      case 'remove':
        return ask('DELETE', path('user_books', book))
      case 'clear':
        return ask('DELETE', path('bookshelves', shelf))
      case 'restore':
        return restore(reader, one.which)
      case 'turn':
        return ask('PATCH', path('bookshelves', shelf), {
          visibility: one.which % 2 ? 'public' : 'private',
        })
      case 'hide':
        return ask('PATCH', path('activities', entry), { isPrivate: one.which % 3 > 0 })
      default:
        return ask('DELETE', path('activities', entry))
    }
  }

  /** Many entries, of one moment or of several, each in a transaction of its own or all in one. */
  async function restate(book: string, many: number, ms: number): Promise<number> {
    try {
      await world.records.write(async (tx) => {
        for (let n = 0; n < many; n++) {
          clock += ms
          await tx.update('user_books', book, { status: n % 2 ? 'reading' : 'paused' })
        }
      })
      return 200
    } catch {
      return 400
    }
  }

  async function restore(reader: Reader, n: number): Promise<number> {
    const removed = await world.records.listTrash(reader.id, 100)
    const one = removed[n % removed.length]
    if (!one) return 0
    const body = { collection: one.collection, ids: [one.record.id] }
    return (await askAs(world, reader, 'POST', '/api/v1/library/restore', body)).status
  }

  const rows = (text: string) => database.query(text)

  function shelvesKept({ id }: Reader) {
    return rows(`SELECT id, book_count, latest FROM bookshelves WHERE "user" = '${id}' ORDER BY id`)
  }

  async function shelvesCounted({ id }: Reader) {
    const shelves = await rows(`SELECT id FROM bookshelves WHERE "user" = '${id}' ORDER BY id`)
    return Promise.all(
      shelves.map(async ([shelf]) => {
        const books = await rows(
          `SELECT id, title, authors, image, images FROM user_books
            WHERE shelf = '${String(shelf)}' AND "isPrivate" = FALSE ORDER BY created DESC, id`,
        )
        const latest = books.slice(0, 4).map(([book, title, authors, image, images]) => ({
          title,
          author: (JSON.parse(String(authors)) as string[])[0] ?? '',
          cover: coverOf({
            id: String(book),
            image: String(image),
            images: JSON.parse(String(images)) as string[],
          }),
        }))
        return [shelf, books.length, JSON.stringify(latest)]
      }),
    )
  }

  function windowsKept({ id }: Reader) {
    return rows(
      `SELECT activities_since, activities_newer, activities_public_since, activities_public_newer
        FROM settings WHERE "user" = '${id}'`,
    )
  }

  async function windowsCounted({ id }: Reader) {
    const entries = (condition: string) =>
      rows(`SELECT a.created FROM activities a LEFT JOIN bookshelves s ON s.id = a.shelf
        LEFT JOIN user_books b ON b.id = a.book LEFT JOIN bookshelves h ON h.id = b.shelf
        WHERE a."user" = '${id}' AND ${condition} ORDER BY a.created DESC`)
    const shown = `a."isPrivate" = FALSE AND b."isPrivate" = FALSE AND s.visibility = 'public' AND h.visibility = 'public'`
    const window = (found: Awaited<ReturnType<typeof rows>>) => {
      const since = String(found[99]?.[0] ?? '')
      return [since, found.filter(([created]) => String(created) > since).length]
    }
    return [[...window(await entries('TRUE')), ...window(await entries(shown))]]
  }

  /** Readings and quotes that others see without their book, or don't see with it. */
  async function wronglyShown({ id }: Reader) {
    const ofTables = ['readings', 'quotes'].map((table) =>
      rows(`SELECT e.book_key, e.visible FROM ${table} e WHERE e."user" = '${id}'
        AND e.visible <> EXISTS (SELECT 1 FROM user_books b JOIN bookshelves h ON h.id = b.shelf
          WHERE b."user" = e."user" AND b.book_key = e.book_key AND b."isPrivate" = FALSE
            AND h.visibility = 'public')`),
    )
    return (await Promise.all(ofTables)).flat()
  }

  /** Numbers and tags by audience. */
  async function totalsKept({ id }: Reader) {
    const numbers = new Map(
      (
        await rows(`SELECT audience, books, books_read, rated, rating_total, pages_read
          FROM book_totals WHERE "user" = '${id}'`)
      ).map(([audience, ...totals]) => [audience, totals]),
    )
    const tags = await rows(`SELECT audience, tag, books FROM tag_totals WHERE "user" = '${id}'
      ORDER BY audience, tag`)
    const keys = await rows(`SELECT audience, key, books FROM tag_key_totals
      WHERE "user" = '${id}' ORDER BY audience, key`)
    return ['others', 'owner'].map((audience) => ({
      numbers: numbers.get(audience) ?? [0, 0, 0, 0, 0],
      tags: tags.filter(([of]) => of === audience).map(([, ...tag]) => tag),
      tagKeys: keys.filter(([of]) => of === audience).map(([, ...key]) => key),
    }))
  }

  async function totalsCounted({ id }: Reader) {
    const all =
      await rows(`SELECT b.book_key, b.status, b.rating, b.progress, b.tags, b."isPrivate",
        h.visibility FROM user_books b JOIN bookshelves h ON h.id = b.shelf WHERE b."user" = '${id}'`)
    const open = all.filter(
      ([, , , , , isPrivate, visibility]) => !isPrivate && visibility === 'public',
    )
    return [open, all].map((copies) => {
      const books = [...Map.groupBy(copies, ([key]) => key).values()]
      const most = (column: number) =>
        books.map((book) => Math.max(...book.map((copy) => Number(copy[column]))))
      const sum = (all: number[]) => all.reduce((total, one) => total + one, 0)
      const tags = new Map<string, number>()
      const tagKeys = new Map<string, number>()
      for (const book of books) {
        const ofBook = book.flatMap((copy) => JSON.parse(String(copy[4])) as string[])
        for (const tag of new Set(ofBook)) tags.set(tag, (tags.get(tag) ?? 0) + 1)
        for (const key of new Set(ofBook.map(tagKey))) tagKeys.set(key, (tagKeys.get(key) ?? 0) + 1)
      }
      const read = books.filter((book) => book.some(([, status]) => status === 'completed'))
      const ratings = most(2).filter((rating) => rating > 0)
      return {
        numbers: [books.length, read.length, ratings.length, sum(ratings), sum(most(3))],
        tags: [...tags].sort(([a], [b]) => (a < b ? -1 : 1)),
        tagKeys: [...tagKeys].sort(([a], [b]) => (a < b ? -1 : 1)),
      }
    })
  }
})
