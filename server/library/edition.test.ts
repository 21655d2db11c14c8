import { beforeEach, expect, test } from 'vitest'
import { schema } from '#server/collections/schema.ts'
import type { UserBook } from '#shared/user-book.ts'
import { addBook, addShelf, ask, openFixture, path } from '#tests/access/fixture.ts'
import type { Fixture, Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

const paperback = {
  title: 'Middlemarch',
  authors: ['George Eliot'],
  isbn: '9780141439549',
  images: ['https://covers.openlibrary.org/b/id/1-L.jpg'],
  page_count: 800,
  language: 'eng',
  published: '2003',
}
const translation = {
  title: 'Middlemarch: Eine Studie',
  authors: ['George Eliot', 'Eva Lind'],
  isbn: '9783423145008',
  images: ['https://covers.openlibrary.org/b/id/2-L.jpg'],
  page_count: 1200,
  language: 'ger',
  published: '2019',
}

/** Objects are stored as JSON, whose keys have no order. */
function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  const entries = Object.entries(JSON.parse(value) as object)
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

type Row = Record<string, unknown>
type Rows = Record<string, Record<string, Row>>

describeMigratedDatabases('another edition of a book', (open) => {
  let fixture: Fixture
  let reader: Reader
  let ahead: number

  beforeEach(async () => {
    ahead = 0
    fixture = await openFixture(await open(), () => new Date(Date.now() + ahead))
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  const days = (count: number) => (ahead += count * 24 * 60 * 60_000)
  const books = (who = reader) => who.client.collection('user_books')
  const add = async (collection: string, values: object) =>
    reader.client.collection(collection).create({ user: reader.id, ...values })
  const toEdition = (id: string, values: object, query: object = {}) =>
    books().update<UserBook>(id, values, { query: { edition: true, ...query } })

  /** Every row of every collection, by its id. */
  async function everyRow(): Promise<Rows> {
    const rows: Rows = {}
    for (const { name, fields, type } of schema.collections) {
      if (type === 'view') continue
      const names = ['id', ...fields.filter(({ type }) => type !== 'password').map((f) => f.name)]
      const columns = [...new Set(names)]
      const list = columns.map((column) => `"${column}"`).join(', ')
      const found = await fixture.database.query(`SELECT ${list} FROM "${name}" ORDER BY id`)
      const named = found.map((row) =>
        Object.fromEntries(columns.map((column, i) => [column, sortedKeys(row[i])])),
      )
      rows[name] = Object.fromEntries(named.map((row) => [String(row['id']), row]))
    }
    return rows
  }

  /** The fields in which rows differ, by their collection. */
  function changes(before: Rows, after: Rows): Record<string, string[]> {
    const changed = Object.entries(after).map(([name, rows]) => {
      expect(Object.keys(rows)).toEqual(Object.keys(before[name] ?? {}))
      const fields = Object.entries(rows).flatMap(([id, row]) =>
        Object.keys(row).filter((field) => row[field] !== before[name]?.[id]?.[field]),
      )
      return [name, [...new Set(fields)].filter((field) => field !== 'updated').toSorted()] as const
    })
    return Object.fromEntries(changed.filter(([, fields]) => fields.length > 0))
  }

  test('is taken by every row that is about it, and by no other', async () => {
    const { book, copy, book_key } = await library()
    days(1)
    const before = await everyRow()
    const { book_key: key } = await toEdition(book.id, translation)
    const after = await everyRow()
    const derived = ['authors_key', 'authors_words', 'title_key', 'title_words', 'work']
    expect(changes(before, after)).toEqual({
      bookshelves: ['covers', 'latest'],
      user_books: [
        ...Object.keys(translation),
        'book_key',
        'former_editions',
        'progress',
        ...derived,
      ].toSorted(),
      activities: ['data'],
      readings: ['authors', 'authors_keys', 'book_key', 'language', 'published', 'title'],
      progress_log: ['book_key'],
      quotes: ['book_key'],
      device_books: ['book_key', 'proposal', 'timed_key'],
    })
    const own = Object.values(after).flatMap((rows) =>
      Object.values(rows).filter((row) => row['user'] === reader.id),
    )
    expect(own.filter((row) => row['book_key'] === book_key)).toEqual([])
    expect(own.filter((row) => row['book_key'] === key)).toHaveLength(7)
    for (const { id } of [book, copy])
      expect(await books().getOne(id)).toMatchObject({ ...translation, progress: 300, rating: 8 })
    const [theirs] = Object.values(before['user_books'] ?? {}).filter(
      (row) => row['user'] !== reader.id,
    )
    expect(Object.values(after['user_books'] ?? {})).toContainEqual(theirs)
  })

  test('is taken back with every row as it was', async () => {
    const { book, copy } = await library()
    const before = await everyRow()
    const [first, second] = await Promise.all([book, copy].map(({ id }) => books().getOne(id)))
    const factsOf = (record: Record<string, unknown>) =>
      Object.fromEntries(
        [...Object.keys(paperback), 'progress'].map((name) => [name, record[name]]),
      )
    await toEdition(book.id, translation)
    const batch = reader.client.createBatch()
    batch
      .collection('user_books')
      .update(book.id, factsOf(first!), { query: { edition: true, undo: true } })
    batch.collection('user_books').update(copy.id, factsOf(second!), { query: { undo: true } })
    await batch.send()
    expect(changes(before, await everyRow())).toEqual({})
  })

  test('comes back from the trash as the edition that the reader has by now', async () => {
    const { book, gone } = await library()
    await toEdition(book.id, translation)
    const restored = { collection: 'user_books', ids: [gone.id] }
    expect((await ask(reader.client, 'POST', '/api/v1/library/restore', restored)).status).toBe(204)
    expect(await books().getOne(gone.id)).toMatchObject({
      ...translation,
      progress: 300,
      review: 'Slow and wise.',
    })
  })

  test.each<[string, Partial<UserBook>, Partial<UserBook>]>([
    ['the page follows', { progress: 200 }, { progress: 300 }],
    ['the first page is no beginning', { progress: 1 }, { progress: 2 }],
    ['a percentage stays', { progress_percent: 40 }, { progress: 480, progress_percent: 40 }],
    ['the end is the end', { status: 'completed' }, { progress: 1200 }],
  ])('%s', async (_, position, expected) => {
    const { id } = await addShelf(reader, 'The shelf')
    const book = await addBook(reader, id, { ...paperback, status: 'reading', ...position })
    expect(await toEdition(book.id, translation)).toMatchObject(expected)
  })

  test('of unknown length keeps the share that was read', async () => {
    const { id } = await addShelf(reader, 'The shelf')
    const book = await addBook(reader, id, { ...paperback, status: 'reading', progress: 200 })
    expect(await toEdition(book.id, { ...translation, page_count: 0 })).toMatchObject({
      progress: 0,
      progress_percent: 25,
    })
  })

  test('counts as no reading, on the day itself or later', async () => {
    const { book } = await library()
    const log = async () => {
      const rows = await reader.client
        .collection('progress_log')
        .getFullList<{ from: number; to: number }>({ sort: 'day,from' })
      return rows.map(({ from, to }) => [from, to])
    }
    const entries = async () => (await reader.client.collection('activities').getFullList()).length
    const count = await entries()
    await toEdition(book.id, translation)
    expect(await entries()).toBe(count)
    await books().update(book.id, { progress: 320 })
    expect(await log()).toEqual([
      [0, 200],
      [300, 320],
    ])
    days(1)
    await toEdition(book.id, paperback)
    await books().update(book.id, { progress: 220 })
    expect((await log()).at(-1)).toEqual([213, 220])
  })

  test('refuses an offline page of the edition before', async () => {
    const { book } = await library()
    await toEdition(book.id, translation)
    const expected = encodeURIComponent(JSON.stringify({ progress: 200 }))
    const late = `${path('user_books', book.id)}?expected=${expected}`
    expect((await ask(reader.client, 'PATCH', late, { progress: 220 })).status).toBe(409)
    expect(await books().getOne(book.id)).toMatchObject({ progress: 300 })
  })

  test('is refused as a whole where a shelf already has that edition', async () => {
    const { book, second } = await library()
    await addBook(reader, second.id, translation)
    const before = await everyRow()
    await expect(toEdition(book.id, translation)).rejects.toMatchObject({ status: 400 })
    expect(await everyRow()).toEqual(before)
  })

  test('is refused where the reader has that edition as a book of its own', async () => {
    const { book } = await library()
    const third = await addShelf(reader, 'Third shelf')
    const other = { ...translation, status: 'completed', rating: 3, notes: 'My own' } as const
    await addBook(reader, third.id, other)
    const before = await everyRow()
    await expect(toEdition(book.id, translation)).rejects.toMatchObject({
      status: 400,
      response: { data: { isbn: { message: 'You already have this edition.' } } },
    })
    expect(await everyRow()).toEqual(before)
  })

  test('is no other reader’s to choose', async () => {
    const { book } = await library()
    const stranger = await fixture.reader('stranger')
    const before = await everyRow()
    const change = books(stranger).update(book.id, translation, { query: { edition: true } })
    await expect(change).rejects.toMatchObject({ status: 404 })
    expect(await everyRow()).toEqual(before)
  })

  test('is what an export has of the book', async () => {
    const { book, book_key } = await library()
    const { book_key: key } = await toEdition(book.id, translation)
    const { body } = await ask(reader.client, 'GET', '/api/v1/account/export')
    const exported = body as Record<string, Row[]>
    for (const name of ['user_books', 'readings', 'progress_log', 'quotes']) {
      const keys = exported[name]?.map((row) => row['book_key'])
      expect(keys).toContain(key)
      expect(keys).not.toContain(book_key)
    }
  })

  /** A book on two shelves and, deleted, on a third, with all that is known about it. */
  async function library() {
    const first = await addShelf(reader, 'First shelf')
    const second = await addShelf(reader, 'Second shelf')
    const book = await addBook(reader, first.id, { ...paperback, status: 'planning' })
    const copy = await addBook(reader, second.id, { ...paperback, title: 'Middlemarch, my copy' })
    const third = await addShelf(reader, 'Third shelf')
    const gone = await addBook(reader, third.id, paperback)
    await books().update(book.id, { status: 'reading', tags: ['long'], notes: 'By candlelight.' })
    days(1)
    await books().update(book.id, { progress: 200, rating: 8, review: 'Slow and wise.' })
    const { book_key } = await books().getOne<UserBook>(book.id)
    await add('quotes', { book_key, text: 'The growing good of the world', page: 700 })
    await add('readings', { book_key, started: '2009', finished: '2010', outcome: 'finished' })
    await fixture.records.write(async (tx) => {
      const device = { user: reader.id, title: 'Middlemarch' }
      const bound = { document: 'a', book_key: String(book_key), timed_key: String(book_key) }
      await tx.create('device_books', { ...device, ...bound })
      await tx.create('device_books', { ...device, document: 'b', proposal: String(book_key) })
    })
    await books().delete(gone.id)
    await addBook(reader, first.id, { title: 'Emma', authors: ['Jane Austen'], page_count: 474 })
    const other = await fixture.reader('other')
    await addBook(other, (await addShelf(other, 'Of another')).id, { ...paperback, progress: 7 })
    return { first, second, third, book, copy, gone, book_key: String(book_key) }
  }
})
