import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connection, Database } from '#records/index.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

const runs = Number(process.env['PROPERTY_RUNS'] ?? 8)

describeMigratedDatabases('an order of the reader’s own', (open, dialect) => {
  let database: Database
  let fixture: Fixture
  let reader: Reader
  let shelf: string
  let clock: number

  beforeEach(async () => {
    clock = Date.parse('2026-03-28T12:00:00Z')
    database = await open()
    fixture = await openFixture(
      { ...database, query: heard, search: heard },
      () => new Date(clock++),
    )
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'Next')).id
    return () => fixture.close()
  })

  let asked: Parameters<Connection['query']>[] = []
  const heard: Connection['query'] = (...question) => {
    asked.push(question)
    return database.query(...question)
  }

  const add = (title: string, on = shelf) => addBook(reader, on, { title, status: 'planning' })
  const move = (book: string, after: string, list = 'queue', by = reader.client) =>
    ask(by, 'POST', '/api/v1/library/order', { list, book, after })
  const listed = async (filter = 'status = "planning"') =>
    (
      await reader.client
        .collection('user_books')
        .getFullList<UserBook>({ filter, sort: '-position,-created,id' })
    ).map(({ id }) => id)

  test('begins with what was added last, and keeps every move', async () => {
    const [a, b, c, d] = [await add('A'), await add('B'), await add('C'), await add('D')].map(
      ({ id }) => id,
    ) as [string, string, string, string]
    expect(await listed()).toEqual([d, c, b, a])
    expect((await move(a, '')).status).toBe(204)
    expect(await listed()).toEqual([a, d, c, b])
    await move(a, c)
    expect(await listed()).toEqual([d, c, a, b])
    await move(d, b)
    expect(await listed()).toEqual([c, a, b, d])
    // What is new comes after what was placed.
    const e = (await add('E')).id
    expect((await listed()).indexOf(e)).toBeGreaterThan((await listed()).indexOf(a))
  })

  test('is the same after any moves as that of a list in memory', { timeout: 60_000 }, async () => {
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.unshift((await add(`Book ${n}`)).id)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(5), fc.integer({ min: -1, max: 5 })), { maxLength: 12 }),
        async (moves) => {
          const model = await listed()
          for (const [from, to] of moves) {
            const [book, after] = [ids[from]!, ids[to] ?? '']
            if (book === after) continue
            expect((await move(book, after)).status).toBe(204)
            model.splice(model.indexOf(book), 1)
            model.splice(after ? model.indexOf(after) + 1 : 0, 0, book)
          }
          expect(await listed()).toEqual(model)
        },
      ),
      { numRuns: runs },
    )
  })

  test('never runs out of room between two books', async () => {
    const [a, b, c] = [await add('A'), await add('B'), await add('C')].map(({ id }) => id)
    for (let n = 0; n < 70; n++) {
      const [first, second, third] = (await listed()) as [string, string, string]
      await move(third, first)
      expect(await listed()).toEqual([first, third, second])
    }
    expect(new Set(await listed())).toEqual(new Set([a, b, c]))
  })

  test('of the queue moves a book with all its copies, of a shelf the one there', async () => {
    const other = (await addShelf(reader, 'Other')).id
    const a = await add('A')
    const copy = await add('A', other)
    const b = await add('B', other)
    await move(b.id, '')
    expect(await listed()).toEqual([b.id, copy.id, a.id])
    await move(a.id, '')
    expect((await listed()).at(-1)).toBe(b.id)
    await move(copy.id, b.id, 'shelf')
    expect(await listed(`shelf = "${other}"`)).toEqual([b.id, copy.id])
    expect((await listed())[0]).toBe(a.id)
  })

  test('comes from an index, for its reader', async () => {
    await add('A')
    const own = `user = "${reader.id}" && `
    for (const [filter, index] of [
      [`${own}status = "planning"`, 'user_books_user_status_position'],
      [`${own}shelf = "${shelf}"`, 'user_books_shelf_position'],
    ] as const) {
      asked = []
      await reader.client
        .collection('user_books')
        .getList(1, 12, { filter, sort: '-position,-created,id', skipTotal: true })
      const [text = '', parameters = []] = asked.find(([one]) => one.includes('ORDER BY')) ?? []
      expect(text).toMatch(/ORDER BY [^(]*position[^(]*$/)
      if (dialect === 'postgres') continue
      const plan = await database.query(`EXPLAIN QUERY PLAN ${text}`, parameters)
      const steps = plan.map((row) => String(row[3])).join()
      expect(steps).toContain(index)
      expect(steps).not.toContain('TEMP B-TREE')
    }
  })

  describe('refuses', () => {
    test('others, and tells nothing of their books', async () => {
      const other = await fixture.reader('other')
      const { id } = await add('A')
      const theirs = await addBook(other, (await addShelf(other, 'Theirs')).id, { title: 'B' })
      const missing = await move('x'.repeat(15), '')
      expect(missing.status).toBe(404)
      for (const list of ['queue', 'shelf']) {
        expect(await move(theirs.id, '', list)).toEqual(missing)
        expect(await move(id, theirs.id, list)).toEqual(missing)
        expect(await move(id, '', list, other.client)).toEqual(missing)
      }
      expect((await move(id, '', 'queue', fixture.visitor())).status).toBe(401)
    })

    test('what is in no such list, and what makes no sense', async () => {
      const { id } = await add('A')
      const read = await addBook(reader, shelf, { title: 'B', status: 'completed' })
      expect((await move(read.id, '')).status).toBe(404)
      expect((await move(id, read.id)).status).toBe(404)
      expect((await move(read.id, id, 'shelf')).status).toBe(204)
      expect((await move(id, id)).status).toBe(400)
      expect((await move(id, '', 'wishes')).status).toBe(400)
      expect((await move('short', '')).status).toBe(400)
    })
  })

  test('is nobody else’s to see, and what others see stays as it is', async () => {
    const a = await add('A')
    const b = await add('B')
    const look = async () => {
      const books = await fixture
        .visitor()
        .collection('user_books')
        .getFullList({ sort: '-created' })
      return books.map((book): object => ({ ...book, updated: '' }))
    }
    const before = await look()
    await move(a.id, '')
    await move(a.id, b.id)
    expect(await look()).toEqual(before)
    expect(JSON.stringify(before)).not.toContain('"position"')
  })
})
