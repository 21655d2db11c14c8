import { beforeEach, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStorage, type FileStorage } from '#records/index.ts'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { trashDays, type TrashItem } from '#shared/trash.ts'
import type { Reading } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  askAs,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { trashCollections } from './trash.ts'

const restoring = '/api/v1/library/restore'
const listing = '/api/v1/library/removed'
const frankenstein = { title: 'Frankenstein', isbn: '9780141439471', page_count: 280, rating: 8 }
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describeMigratedDatabases('what was removed', (open) => {
  let fixture: Fixture
  let storage: FileStorage
  let reader: Reader
  let other: Reader
  let ahead: number

  beforeEach(async () => {
    ahead = 0
    const folder = mkdtempSync(join(tmpdir(), 'octavo-removed-'))
    storage = diskStorage(folder)
    fixture = await openFixture(await open(), () => new Date(Date.now() + ahead), storage)
    reader = await fixture.reader('reader')
    other = await fixture.reader('other')
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const days = (count: number) => (ahead += count * 24 * 60 * 60 * 1000)
  const remove = (collection: string, id: string) => reader.client.collection(collection).delete(id)
  const restore = (who: Reader, collection: string, ...ids: string[]) =>
    ask(who.client, 'POST', restoring, { collection, ids })
  const removed = async () =>
    ((await ask(reader.client, 'GET', listing)).body as { data: { items: TrashItem[] } }).data.items

  /** All that a viewer sees, to be compared. */
  async function sight(viewer: Reader['client'], without: readonly string[] = []) {
    const seen: Record<string, unknown> = {}
    for (const name of [...trashCollections, 'progress_log', 'profile'])
      seen[name] = (await viewer.collection(name).getFullList({ sort: 'id' })).map((record) =>
        Object.fromEntries(Object.entries(record).filter(([key]) => !without.includes(key))),
      )
    return seen
  }
  const seenByAll = async (without?: readonly string[]) => [
    await sight(reader.client, without),
    await sight(fixture.visitor(), without),
  ]

  async function library() {
    const shelf = await addShelf(reader, 'The shelf')
    const book = await addBook(reader, shelf.id, frankenstein)
    await addBook(reader, shelf.id, { title: 'Emma', images: ['https://covers.example.org/e.jpg'] })
    await reader.client.collection('user_books').update(book.id, { progress: 57 })
    const [entry] = await reader.client.collection('activities').getFullList<Activity>({
      filter: 'event_type = "progress_updated"',
    })
    const quote = await reader.client
      .collection('quotes')
      .create({ book_key: book.book_key, text: 'Beware', page: 57, isPrivate: false })
    const [reading] = await reader.client
      .collection('readings')
      .getFullList<Reading>({ filter: `book_key = "${book.book_key!}"` })
    return { shelf, book, entry: entry!, quote, reading: reading! }
  }

  const kinds = {
    book: 'user_books',
    shelf: 'bookshelves',
    entry: 'activities',
    reading: 'readings',
    quote: 'quotes',
  } as const
  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    'a %s comes back as it was',
    async (kind) => {
      const made = await library()
      const collection = kinds[kind]
      const before = await seenByAll(['updated'])
      await remove(collection, made[kind].id)
      expect(await seenByAll(['updated'])).not.toEqual(before)
      expect(await fixture.records.find(collection, made[kind].id)).toBeNull()
      expect((await restore(reader, collection, made[kind].id)).status).toBe(204)
      expect(await seenByAll(['updated'])).toEqual(before)
      expect(await removed()).toEqual([])
      // Once only.
      expect((await restore(reader, collection, made[kind].id)).status).toBe(404)
    },
  )

  test('comes back in the order it had', async () => {
    const shelf = await addShelf(reader, 'The shelf')
    for (const letter of ['c', 'b', 'd', 'a'])
      await addBook(reader, shelf.id, { id: letter.repeat(15), title: letter, isbn: '' })
    const ids = async () =>
      (await reader.client.collection('user_books').getFullList()).map(({ id }) => id)
    const before = await ids()
    expect(before).toHaveLength(4)
    await remove('bookshelves', shelf.id)
    expect((await restore(reader, 'bookshelves', shelf.id)).status).toBe(204)
    expect(await ids()).toEqual(before)
    // Also among what stayed.
    await remove('user_books', 'd'.repeat(15))
    await remove('user_books', 'c'.repeat(15))
    await restore(reader, 'user_books', 'd'.repeat(15), 'c'.repeat(15))
    expect(await ids()).toEqual(before)
  })

  test('stands behind what was made since where that took its place', async () => {
    const shelf = await addShelf(reader, 'The shelf')
    for (const letter of ['c', 'b'])
      await addBook(reader, shelf.id, { id: letter.repeat(15), title: letter, isbn: '' })
    await remove('user_books', 'b'.repeat(15))
    await addBook(reader, shelf.id, { id: 'd'.repeat(15), title: 'd', isbn: '' })
    expect((await restore(reader, 'user_books', 'b'.repeat(15))).status).toBe(204)
    const titles = (await reader.client.collection('user_books').getFullList<UserBook>()).map(
      ({ title }) => title,
    )
    expect(titles[0]).toBe('c')
    expect(titles.toSorted()).toEqual(['b', 'c', 'd'])
  })

  test("is nobody's to see or to have back but its owner's", async () => {
    const { shelf, book } = await library()
    const cover = new FormData()
    cover.append('image', new Blob([png], { type: 'image/png' }), 'cover.png')
    const { image } = await reader.client.collection('user_books').update<UserBook>(book.id, cover)
    const file = `/api/files/user_books/${book.id}/${image}`
    expect((await fixture.fetch(file)).status).toBe(200)
    await remove('bookshelves', shelf.id)
    const missing = await restore(other, 'bookshelves', 'nosuchrecord123')
    expect(missing.status).toBe(404)
    expect(await restore(other, 'bookshelves', shelf.id)).toEqual(missing)
    expect(await restore(other, 'user_books', book.id)).toEqual(missing)
    // What went with another is not undone by itself.
    expect(await restore(reader, 'user_books', book.id)).toEqual(missing)
    expect(
      (
        await ask(fixture.visitor(), 'POST', restoring, {
          collection: 'bookshelves',
          ids: [shelf.id],
        })
      ).status,
    ).toBe(401)
    expect((await ask(fixture.visitor(), 'GET', listing)).status).toBe(401)
    expect((await ask(fixture.visitor(), 'DELETE', listing)).status).toBe(401)
    expect(await ask(other.client, 'GET', listing)).toMatchObject({ body: { data: { items: [] } } })
    expect((await ask(other.client, 'DELETE', `${listing}/bookshelves/${shelf.id}`)).status).toBe(
      404,
    )
    await ask(other.client, 'DELETE', listing)
    for (const who of [fixture.visitor(), reader.client])
      expect((await ask(who, 'GET', file)).status).toBe(404)
    // Nor is its place anybody's to take.
    for (const { client } of [other, reader])
      expect(
        await ask(client, 'POST', path('bookshelves'), {
          id: shelf.id,
          name: 'Taken',
          visibility: 'public',
        }),
      ).toMatchObject({ status: 400, body: { data: { id: { code: 'validation_not_unique' } } } })

    expect((await restore(reader, 'bookshelves', shelf.id)).status).toBe(204)
    const back = await fixture.fetch(file)
    expect(back.status).toBe(200)
    expect((await back.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  test('is listed with its name, where it was, and until when', async () => {
    const { shelf, book, entry } = await library()
    await remove('activities', entry.id)
    days(1)
    await remove('user_books', book.id)
    days(1)
    expect(await removed()).toMatchObject([
      { collection: 'user_books', id: book.id, name: 'Frankenstein', shelf: 'The shelf', books: 0 },
      {
        collection: 'activities',
        id: entry.id,
        name: 'Frankenstein',
        entry: { event_type: 'progress_updated', data: { progress: 57 } },
      },
    ])
    await remove('bookshelves', shelf.id)
    const [first] = await removed()
    expect(first).toMatchObject({ collection: 'bookshelves', name: 'The shelf', books: 1 })
    expect(Date.parse(first!.ends) - Date.parse(first!.removed)).toBe(trashDays * 86_400_000)
  })

  test('of a book’s readings and quotes is listed by book, and waits for it', async () => {
    const { book, reading, quote } = await library()
    const { client } = reader
    const { started, finished } = await client
      .collection('readings')
      .update<Reading>(reading.id, { started: '2009', finished: '2010-02', outcome: 'finished' })
    await client
      .collection('quotes')
      .update(quote.id, { text: `${'long '.repeat(31)}👩‍🚀👨‍👩‍👧‍👦 🇬🇧🇫🇷 long` })
    const before = await seenByAll(['updated'])
    await remove('readings', reading.id)
    days(1)
    await remove('quotes', quote.id)
    const listed = [
      { collection: 'quotes', name: `${'long '.repeat(31)}👩‍🚀👨‍👩‍👧‍👦 🇬🇧🇫🇷…`, quoted: 'Frankenstein' },
      { collection: 'readings', name: 'Frankenstein', started, finished },
    ]
    expect(await removed()).toMatchObject(listed)
    days(1)
    await remove('user_books', book.id)
    expect((await removed()).slice(1)).toMatchObject(listed)
    for (const [collection, { id }] of [
      ['readings', reading],
      ['quotes', quote],
    ] as const)
      expect(await restore(reader, collection, id)).toMatchObject({
        status: 409,
        body: { message: 'The book isn’t on your shelves. Restore or add the book first.' },
      })
    await restore(reader, 'user_books', book.id)
    await restore(reader, 'readings', reading.id)
    await restore(reader, 'quotes', quote.id)
    expect(await seenByAll(['updated'])).toEqual(before)
    // What a status makes and takes away is nothing that a reader removed.
    await client.collection('user_books').update(book.id, { status: 'dropped' })
    await client.collection('user_books').update(book.id, { status: 'reading' })
    await client
      .collection('user_books')
      .update(book.id, { status: 'dropped' }, { query: { undo: 'true' } })
    expect(await removed()).toEqual([])
  })

  test('of a book comes back to it under its new ISBN', async () => {
    const { shelf, book, reading, quote } = await library()
    const { client } = reader
    const dracula = await addBook(reader, shelf.id, { title: 'Dracula' })
    const values = { book_key: dracula.book_key, started: '2009', outcome: 'finished' }
    const another = await client.collection('readings').create(values)
    await remove('readings', reading.id)
    await remove('readings', another.id)
    await remove('quotes', quote.id)
    const books = client.collection('user_books')
    await books.update(book.id, { isbn: '9780199537150' })
    const { book_key } = await books.update<UserBook>(book.id, { isbn: '9780141198965' })
    expect(book_key).not.toBe(book.book_key)
    const names = (await removed()).map(({ name, quoted }) => quoted || name)
    expect(names.toSorted()).toEqual(['Dracula', 'Frankenstein', 'Frankenstein'])
    for (const [collection, { id }, key] of [
      ['readings', reading, book_key],
      ['quotes', quote, book_key],
      ['readings', another, dracula.book_key],
    ] as const) {
      expect((await restore(reader, collection, id)).status).toBe(204)
      expect(await client.collection(collection).getOne(id)).toMatchObject({ book_key: key })
    }
  })

  test('in any order comes back with what names it', async () => {
    const { shelf, book, entry } = await library()
    const before = await seenByAll(['updated'])
    await remove('user_books', book.id)
    await remove('activities', entry.id)
    await remove('bookshelves', shelf.id)
    expect(await restore(reader, 'user_books', book.id)).toMatchObject({
      status: 409,
      body: { message: 'This book’s shelf was removed too. Restore the shelf first.' },
    })
    await restore(reader, 'activities', entry.id)
    expect(await reader.client.collection('activities').getOne(entry.id)).toMatchObject({
      book: '',
      shelf: '',
    })
    await restore(reader, 'bookshelves', shelf.id)
    await restore(reader, 'user_books', book.id)
    expect(await seenByAll(['updated'])).toEqual(before)

    await remove('activities', entry.id)
    await remove('user_books', book.id)
    await restore(reader, 'user_books', book.id)
    await restore(reader, 'activities', entry.id)
    await remove('user_books', book.id)
    await remove('activities', entry.id)
    await restore(reader, 'user_books', book.id)
    await restore(reader, 'activities', entry.id)
    expect(await seenByAll(['updated'])).toEqual(before)
  })

  test('says nothing by a name that was changed meanwhile', async () => {
    const { shelf, entry } = await library()
    await reader.client
      .collection('bookshelves')
      .update(shelf.id, { visibility: 'private', name: 'Hidden reasons' })
    const secret = await addBook(reader, shelf.id, { title: 'Secret', status: 'planning' })
    const [added] = await reader.client
      .collection('activities')
      .getFullList({ filter: 'event_type = "planning"' })
    await remove('activities', added!.id)
    await remove('activities', entry.id)
    await reader.client.collection('user_books').update(secret.id, { title: 'Open' })
    await reader.client
      .collection('bookshelves')
      .update(shelf.id, { visibility: 'public', name: 'Family' })
    await restore(reader, 'activities', added!.id, entry.id)
    const seen = JSON.stringify(await sight(fixture.visitor()))
    expect(seen).toContain('Family')
    expect(seen).not.toMatch(/Hidden|Secret/)
  })

  test('does not come back twice, nor beside its double', async () => {
    const { shelf, book } = await library()
    await remove('user_books', book.id)
    const again = await addBook(reader, shelf.id, frankenstein)
    expect(await restore(reader, 'user_books', book.id)).toMatchObject({
      status: 409,
      body: { message: 'This book is already on the shelf.' },
    })
    await remove('user_books', again.id)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        askAs(fixture, reader, 'POST', restoring, { collection: 'user_books', ids: [book.id] }),
      ),
    )
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(
      (await reader.client.collection('bookshelves').getOne<Bookshelf>(shelf.id)).book_count,
    ).toBe(2)
  })

  test('is a shelf only where the plan has room for it', async () => {
    const { shelf } = await library()
    await remove('bookshelves', shelf.id)
    for (let n = 0; n < 5; n++) await addShelf(reader, `Shelf ${n}`)
    expect(await restore(reader, 'bookshelves', shelf.id)).toMatchObject({
      status: 409,
      body: { message: answers.shelfLimit },
    })
    expect(await removed()).toHaveLength(1)
    const [one] = await reader.client.collection('bookshelves').getFullList()
    await remove('bookshelves', one!.id)
    expect((await restore(reader, 'bookshelves', shelf.id)).status).toBe(204)
  })

  test('comes back all together or not at all', async () => {
    const { shelf, book } = await library()
    const second = await addBook(reader, shelf.id, { title: 'Second' })
    await remove('user_books', second.id)
    expect((await restore(reader, 'user_books', second.id, book.id)).status).toBe(404)
    expect(await fixture.records.find('user_books', second.id)).toBeNull()
    await remove('user_books', book.id)
    expect((await restore(reader, 'user_books', second.id, book.id)).status).toBe(204)
  })

  test.each([
    [{ collection: 'users', ids: ['a'.repeat(15)] }, 'collection'],
    [{ collection: 'user_books', ids: [] }, 'ids'],
    [{ collection: 'user_books', ids: ['?'] }, 'ids'],
    [{ collection: 'user_books', ids: Array(51).fill('a'.repeat(15)) }, 'ids'],
  ])('%o is refused at its field', async (form, field) => {
    const { status, body } = await ask(reader.client, 'POST', restoring, form)
    expect(status).toBe(400)
    expect((body as { data: object }).data).toHaveProperty(field)
  })

  test('comes back as it was, however much it is, and goes with its account', async () => {
    const { shelf } = await library()
    const user = reader.client.authStore.record!.id
    await fixture.records.write(async (tx) => {
      for (let n = 0; n < 600; n++)
        await tx.create('user_books', {
          user,
          shelf: shelf.id,
          title: `Book ${n}`,
          status: 'reading',
        })
    })
    const before = await seenByAll(['updated'])
    await remove('bookshelves', shelf.id)
    expect((await sight(reader.client))['user_books']).toEqual([])
    expect(await removed()).toMatchObject([{ books: 602 }])
    expect((await restore(reader, 'bookshelves', shelf.id)).status).toBe(204)
    expect(await seenByAll(['updated'])).toEqual(before)
    await remove('users', user)
    for (const name of ['bookshelves', 'user_books', 'activities', 'settings'] as const)
      for await (const left of fixture.records.recordsOf(name, 'user', user))
        expect(left).toEqual([])
  })

  test('is gone after 30 days, with its files', async () => {
    const { book } = await library()
    const cover = new FormData()
    cover.append('image', new Blob([png], { type: 'image/png' }), 'cover.png')
    await reader.client.collection('user_books').update(book.id, cover)
    const files = async () => (await Array.fromAsync(storage.list(''))).length
    await remove('user_books', book.id)
    expect(await fixture.records.sweepTrash()).toBe(0)
    expect(await files()).toBe(1)
    days(trashDays + 1)
    // Already before anybody sweeps.
    expect(await fixture.records.listTrash(book.user, 10)).toEqual([])
    expect(await fixture.records.sweepTrash()).toBe(1)
    await expect.poll(files).toBe(0)
    const [row] = await fixture.database.query('SELECT COUNT(*) FROM "_removedRecords"')
    expect(Number(row![0])).toBe(0)
  })

  test('is gone at once when its owner says so, resets or goes', async () => {
    const { shelf, book, entry } = await library()
    const left = async () => {
      const counts = []
      for (const table of ['_removals', '"_removedRecords"', '"_removedLinks"'])
        counts.push(Number((await fixture.database.query(`SELECT COUNT(*) FROM ${table}`))[0]![0]))
      return counts
    }
    await remove('activities', entry.id)
    await remove('user_books', book.id)
    expect((await ask(reader.client, 'DELETE', `${listing}/user_books/${book.id}`)).status).toBe(
      204,
    )
    expect((await ask(reader.client, 'DELETE', `${listing}/user_books/${book.id}`)).status).toBe(
      404,
    )
    expect((await removed()).map(({ id }) => id)).toEqual([entry.id])
    expect((await ask(reader.client, 'DELETE', listing)).status).toBe(204)
    expect(await left()).toEqual([0, 0, 0])

    const again = await addBook(reader, shelf.id, frankenstein)
    await remove('user_books', again.id)
    await ask(reader.client, 'POST', '/api/v1/account/reset')
    expect(await left()).toEqual([0, 0, 0])
    expect((await restore(reader, 'user_books', again.id)).status).toBe(404)

    await remove('bookshelves', shelf.id)
    await reader.client.collection('users').delete(reader.id)
    expect(await left()).toEqual([0, 0, 0])
  })
})
