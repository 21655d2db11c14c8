import { beforeEach, expect, test } from 'vitest'
import type PocketBase from 'pocketbase'
import { describeMigratedDatabases } from '#tests/databases.ts'
import type { Profile } from '#shared/account.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { DirectoryEntry, Page } from '#shared/directory.ts'
import { addBook, addShelf, ask, openFixture, path, type Reader, type Fixture } from './fixture.ts'

const profileOf = (client: PocketBase, id: string) =>
  client.collection('profile').getOne<Profile>(id)

function numbersOf({
  average_rating,
  books_count,
  books_read,
  shelves_count,
  pages_read,
}: Profile) {
  return { average_rating, books_count, books_read, shelves_count, pages_read }
}

async function directory(client: PocketBase, query = {}): Promise<Page<DirectoryEntry>> {
  const answer = await client.send<{ data: Page<DirectoryEntry> }>('/api/v1/users', { query })
  return answer.data
}

async function setPrivate({ client, id }: Reader, isPrivate: boolean): Promise<void> {
  const settings = await client.collection('settings').getFirstListItem(`user = "${id}"`)
  await client.collection('settings').update(settings.id, { isPrivate })
}

describeMigratedDatabases('what is counted and listed about readers', (open) => {
  let fixture: Fixture
  let reader: Reader
  let visitor: PocketBase

  beforeEach(async () => {
    // Two books of one millisecond are in no order that anybody could expect.
    let moment = Date.now()
    fixture = await openFixture(await open(), () => new Date(moment++))
    visitor = fixture.visitor()
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  test('profile numbers count each distinct book once, and unrated ones not at all', async () => {
    const first = await addShelf(reader, 'First shelf')
    const second = await addShelf(reader, 'Second shelf')
    const frankenstein = { title: 'Frankenstein', page_count: 300 }
    await addBook(reader, first.id, {
      ...frankenstein,
      isbn: '9780141439471',
      status: 'completed',
      rating: 9,
    })
    // The same book by its ISBN-10: what is known of it stays.
    await addBook(reader, second.id, {
      ...frankenstein,
      isbn: '0141439475',
      progress: 20,
      rating: 8,
    })
    await addBook(reader, first.id, { title: 'Unrated', page_count: 100, progress: 10 })
    await addBook(reader, first.id, { title: 'Rated', rating: 4 })
    expect(numbersOf(await profileOf(visitor, reader.id))).toEqual({
      average_rating: 6.5,
      books_count: 3,
      books_read: 1,
      shelves_count: 2,
      pages_read: 310,
    })
  })

  test('a private shelf changes no digit for others, and every digit for the owner', async () => {
    const shelf = await addShelf(reader, 'Open shelf')
    await addBook(reader, shelf.id, { title: 'Seen', page_count: 100, progress: 50, rating: 6 })
    const before = numbersOf(await profileOf(visitor, reader.id))
    const listed = await directory(visitor)

    const secret = await addShelf(reader, 'Closed shelf', 'private')
    await addBook(reader, secret.id, {
      title: 'Unseen',
      page_count: 200,
      status: 'completed',
      rating: 10,
    })
    expect(numbersOf(await profileOf(visitor, reader.id))).toEqual(before)
    expect(await directory(visitor)).toEqual(listed)
    expect(numbersOf(await profileOf(reader.client, reader.id))).toEqual({
      average_rating: 8,
      books_count: 2,
      books_read: 1,
      shelves_count: 2,
      pages_read: 250,
    })
    await reader.client.collection('bookshelves').update(secret.id, { visibility: 'public' })
    expect(numbersOf(await profileOf(visitor, reader.id)).books_count).toBe(2)
  })

  test('a profile is found by its name in any case', async () => {
    const { client, id, username } = reader
    await client.collection('users').update(id, { username: 'Quill.Pen' })
    for (const filter of ['username = "quill.pen"', 'username:lower = "quill.pen"'])
      expect(await visitor.collection('profile').getFirstListItem(filter)).toMatchObject({ id })
    expect(username).not.toBe('quill.pen')
  })

  test('the directory shows readers, newest first or by name, with their newest books', async () => {
    const shelf = await addShelf(reader, 'Open shelf')
    for (const title of ['One', 'Two', 'Three', 'Four'])
      await addBook(reader, shelf.id, { title, authors: ['An author'] })
    const later = await fixture.reader('later')
    await later.client.collection('users').update(later.id, { username: 'aa-first' })
    await reader.client.collection('users').update(reader.id, { username: 'bb-second', name: 'Z' })

    const newest = await directory(visitor)
    expect(newest).toMatchObject({ page: 1, perPage: 15, totalItems: 2, totalPages: 1 })
    expect(newest.items.map((item) => item.username)).toEqual(['aa-first', 'bb-second'])
    expect(newest.items[1]).toMatchObject({ id: reader.id, books_count: 4, shelves_count: 1 })
    expect(newest.items[1]?.books.map((book) => book.title)).toEqual(['Four', 'Three', 'Two'])
    expect(newest.items[1]?.books[0]?.authors).toEqual(['An author'])

    await fixture.reader('last')
    const names = (await directory(visitor, { sort: 'a-z' })).items.map((item) => item.username)
    expect(names).toEqual(names.toSorted())
    const found = async (q: string) =>
      (await directory(visitor, { q })).items.map((item) => item.username)
    expect(await found('SECOND')).toEqual(['bb-second'])
    expect(await found('%')).toHaveLength(3)
    expect(await found('b%b')).toEqual([])
    expect(await found('__')).toEqual([])
  })

  test('a private reader is in no list, no total and no search', async () => {
    await addShelf(reader, 'Open shelf')
    await setPrivate(reader, true)
    const other = await fixture.reader('other')
    const listed = await directory(other.client)
    // Nor does anybody see themselves while they look through all.
    expect(listed.items).toEqual([])
    expect(listed.totalItems).toBe(0)
    expect((await directory(visitor)).items.map((item) => item.id)).toEqual([other.id])
    const own = await directory(other.client, { q: other.username })
    expect(own.items.map((item) => item.id)).toEqual([other.id])
    expect((await directory(visitor, { q: reader.username })).totalItems).toBe(0)
    await setPrivate(reader, false)
    expect((await directory(visitor)).totalItems).toBe(2)
    const others = await directory(other.client)
    expect(others.items.map((item) => item.id)).toEqual([reader.id])
    expect(others.totalItems).toBe(1)
  })

  test('a reader’s shelves by name: all to the owner, the public ones to others, none if private', async () => {
    await addShelf(reader, 'Open shelf')
    await addShelf(reader, 'Closed shelf', 'private')
    const path = `/api/v1/users/${reader.username.toUpperCase()}/shelves`
    const shelves = async (client: PocketBase) => {
      const { data } = await client.send<{ data: Page<Bookshelf> }>(path, {})
      expect(data.totalItems).toBe(data.items.length)
      return data.items.map((shelf) => shelf.name)
    }
    expect(await shelves(visitor)).toEqual(['Open shelf'])
    expect(await shelves(reader.client)).toEqual(['Closed shelf', 'Open shelf'])
    await setPrivate(reader, true)
    expect(await shelves(reader.client)).toEqual(['Closed shelf', 'Open shelf'])
    const hidden = await ask(visitor, 'GET', path)
    expect(hidden).toEqual(await ask(visitor, 'GET', '/api/v1/users/nobody-at-all/shelves'))
    expect(hidden).toMatchObject({ status: 404, body: { message: 'User profile not found.' } })
  })

  test('what the server keeps is neither set nor shown by its owner’s hand', async () => {
    const kept = {
      settings: ['isHidden', 'activities_since', 'activities_public_since', 'activities_newer'],
      bookshelves: ['book_count', 'covers', 'latest'],
      user_books: ['book_key', 'progress_average'],
      activities: ['event_type', 'user', 'book', 'shelf', 'data'],
    }
    const hidden = ['activities_since', 'activities_public_since', 'activities_newer']
    const shelf = await addShelf(reader, 'Open shelf')
    await addBook(reader, shelf.id, { title: 'Seen', page_count: 100, progress: 50 })
    for (const [collection, fields] of Object.entries(kept)) {
      const columns = fields.map((field) => `"${field}"`).join(', ')
      const stored = () => fixture.database.query(`SELECT ${columns} FROM ${collection}`)
      const before = await stored()
      const [record] = await reader.client.collection(collection).getFullList()
      for (const field of fields)
        for (const value of [7, true, 'x', shelf.id, [shelf.id], null])
          await ask(reader.client, 'PATCH', path(collection, record!.id), { [field]: value })
      expect(await stored(), collection).toEqual(before)
      expect(Object.keys(record!).filter((name) => hidden.includes(name))).toEqual([])
    }
    const settings = await reader.client.collection('settings').getFirstListItem('id != ""')
    for (const change of [{ isPrivate: 'perhaps' }, { default_add_status: '' }])
      expect(
        await ask(reader.client, 'PATCH', path('settings', settings.id), change),
      ).toMatchObject({ status: 400 })
  })

  test('wrong questions to the directory are answered at their field', async () => {
    for (const [query, field] of [
      ['sort=oldest', 'sort'],
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['page=0x10', 'page'],
      [`q=${'a'.repeat(256)}`, 'q'],
    ] as const)
      expect(await ask(visitor, 'GET', `/api/v1/users?${query}`)).toMatchObject({
        status: 400,
        body: { data: { [field]: { code: 'validation_invalid_value' } } },
      })
  })
})
