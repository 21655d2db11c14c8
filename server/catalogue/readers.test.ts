import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { errorHandler } from '#server/http/errors.ts'
import { setProfileHidden } from '#server/moderation/reports.ts'
import type { BookReaders } from '#shared/book-readers.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { readersRoutes } from './readers.ts'

const catalogue = await openFederatedStarter()
const book = (await catalogue.byIsbn('9780141439518'))!
const { title, authors } = book

describeMigratedDatabases('what readers say of a book', (open) => {
  let fixture: Fixture
  let ann: Reader
  let shelf: string

  beforeEach(async () => {
    let clock = Date.now()
    fixture = await openFixture(await open(), () => new Date(clock++))
    ann = await fixture.reader('ann')
    shelf = (await addShelf(ann, 'Open shelf')).id
    return () => fixture.close()
  })

  async function ask(viewer?: Reader, query = '', id = book.id) {
    const app = new Hono().route('/', readersRoutes({ ...fixture, catalogue }))
    app.onError(errorHandler(pino({ level: 'silent' })))
    const token = viewer?.client.authStore.token
    const response = await app.request(`/book-info/${id}/readers${query}`, {
      headers: { ...(token && { Authorization: token }) },
    })
    const { data } = (await response.json()) as { data: BookReaders }
    return { status: response.status, cache: response.headers.get('cache-control'), data }
  }

  const nothing = {
    average: null,
    ratings: 0,
    distribution: Array(10).fill(0),
    readers: 0,
    reviews: [],
    page: 1,
    hasMore: false,
  }

  test('is empty for a book that nobody has, and unknown for no book', async () => {
    expect(await ask()).toEqual({ status: 200, cache: 'no-store', data: nothing })
    expect((await ask(undefined, '', 'no-such-book')).status).toBe(404)
    expect((await ask(undefined, '?page=0')).status).toBe(400)
  })

  test('says who reviewed it, when they finished it and what they gave', async () => {
    const review = 'It is a truth. ||They marry.||'
    const mine = await addBook(ann, shelf, { title, authors, rating: 9.5, review })
    await ann.client.collection('readings').create({
      book_key: mine.book_key,
      started: '2019',
      finished: '2019-05-04',
      outcome: 'finished',
    })
    const { data } = await ask()
    expect(data).toEqual({
      ...nothing,
      ratings: 1,
      distribution: [0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
      readers: 1,
      reviews: [
        {
          reader: { id: ann.id, username: ann.username, name: '', avatar: '' },
          rating: 9.5,
          review,
          spoilers: false,
          finished: '2019-05-04',
          user_book: mine.id,
        },
      ],
    })
  })

  test('counts a reader of two editions once, with the latest rating, and averages from three on', async () => {
    await addBook(ann, shelf, { title, authors, isbn: '9780141439518', rating: 2 })
    await addBook(ann, shelf, { title: `${title} (Paperback)`, authors, rating: 9 })
    for (const [name, rating] of Object.entries({ bea: 7, cid: 8 })) {
      const reader = await fixture.reader(name)
      expect((await ask()).data.average).toBe(null)
      await addBook(reader, (await addShelf(reader, 'Shelf')).id, { title, authors, rating })
    }
    expect((await ask()).data).toMatchObject({ readers: 3, ratings: 3, average: 8 })
  })

  test('shows what is hidden to its reader alone, and nothing of it to others', async () => {
    const bea = await fixture.reader('bea')
    const secret = { title, authors, rating: 3, review: 'Between me and my shelf' }
    const hidden = await addBook(ann, shelf, { ...secret, isPrivate: true })
    const nobody = async () => {
      expect((await ask()).data).toEqual(nothing)
      expect((await ask(bea)).data).toEqual(nothing)
      expect((await ask(ann)).data).toMatchObject({
        ratings: 1,
        reviews: [{ user_book: hidden.id }],
      })
    }
    await nobody()
    const books = ann.client.collection('user_books')
    await books.update(hidden.id, { isPrivate: false })
    expect((await ask(bea)).data).toMatchObject({ ratings: 1, reviews: [{ user_book: hidden.id }] })
    await ann.client.collection('bookshelves').update(shelf, { visibility: 'private' })
    await nobody()
    await ann.client.collection('bookshelves').update(shelf, { visibility: 'public' })
    const settings = ann.client.collection('settings')
    const { id } = await settings.getFirstListItem(`user = "${ann.id}"`)
    await settings.update(id, { isPrivate: true })
    await nobody()
    await settings.update(id, { isPrivate: false })
    expect((await ask(bea)).data.readers).toBe(1)
  })

  test('leads from an ISBN to a record that everybody can see, and to no other', async () => {
    const isbn = '9783423145008'
    const app = new Hono().route('/', readersRoutes({ ...fixture, catalogue }))
    const record = async () => {
      const response = await app.request(`/book-info/isbn/${isbn}/record`)
      return ((await response.json()) as { data: { record: unknown } }).data.record
    }
    expect(await record()).toBeNull()
    const rare = await addBook(ann, shelf, { title: 'A rare book', isbn, isPrivate: true })
    expect(await record()).toBeNull()
    const change = (values: object) => ann.client.collection('user_books').update(rare.id, values)
    await change({ isPrivate: false })
    expect(await record()).toEqual({ id: rare.id, username: ann.username })
    const shelves = ann.client.collection('bookshelves')
    await shelves.update(shelf, { visibility: 'private' })
    expect(await record()).toBeNull()
    await shelves.update(shelf, { visibility: 'public' })
    const settings = ann.client.collection('settings')
    const { id } = await settings.getFirstListItem(`user = "${ann.id}"`)
    await settings.update(id, { isPrivate: true })
    expect(await record()).toBeNull()
    await settings.update(id, { isPrivate: false })
    expect(await record()).not.toBeNull()
    await setProfileHidden(fixture.database, ann.username, true)
    expect(await record()).toBeNull()
  })
})
