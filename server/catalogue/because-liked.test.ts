import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { errorHandler } from '#server/http/errors.ts'
import { maxBecauseLiked, type BecauseLiked } from '#shared/book.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { becauseLikedRoutes } from './because-liked.ts'

const catalogue = await openFederatedStarter()
const mockingbird = {
  title: 'To Kill a Mockingbird',
  authors: ['Harper Lee'],
  isbn: '9780061120084',
}
const emma = { title: 'Emma', authors: ['Jane Austen'], isbn: '9780141439587' }

describeMigratedDatabases('books like one that a reader liked', (open) => {
  let fixture: Fixture
  let reader: Reader
  let app: Hono
  let shelf: string

  beforeEach(async () => {
    fixture = await openFixture(await open())
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'A private shelf', 'private')).id
    const { database, records } = fixture
    app = new Hono().route(
      '/',
      becauseLikedRoutes({ catalogue, coReads: undefined, database, records }),
    )
    app.onError(errorHandler(pino({ level: 'silent' })))
    return () => fixture.close()
  })

  async function ask(who: Reader): Promise<BecauseLiked> {
    const headers = { Authorization: who.client.authStore.token }
    const response = await app.request('/library/because-liked', { headers })
    return ((await response.json()) as { data: BecauseLiked }).data
  }

  const finish = (
    book: { title: string; authors: string[] },
    rating: number,
    who = reader,
    on = shelf,
  ) => addBook(who, on, { ...book, status: 'completed', rating })

  test('are like the one finished last, in no edition theirs', async () => {
    await finish(mockingbird, 10)
    const { liked, books } = await ask(reader)
    expect(liked?.title).toBe(mockingbird.title)
    expect(books).toHaveLength(maxBecauseLiked)
    const [first, second] = books.map(({ id, title, authors, isbns }) => ({
      id,
      book: { title, authors, isbn: isbns.ISBN_13 ?? '' },
    }))
    // Without the ISBN: another edition is the same book.
    await addBook(reader, shelf, { ...first!.book, isbn: '' })
    await addBook(reader, shelf, { ...second!.book, title: 'Under another title' })
    const left = (await ask(reader)).books.map(({ id }) => id)
    expect(left).toHaveLength(maxBecauseLiked)
    expect(left).not.toContain(first?.id)
    expect(left).not.toContain(second?.id)

    const emmas = await finish(emma, 9)
    const [reading] = await reader.client
      .collection('readings')
      .getFullList({ filter: `title = "Emma"` })
    await reader.client.collection('readings').update(reading!.id, { finished: '2024-03-05' })
    expect((await ask(reader)).liked?.title).toBe('Emma')
    await reader.client.collection('user_books').update(emmas.id, { rating: 5 })
    expect((await ask(reader)).liked?.title).toBe(mockingbird.title)
  })

  test('are none without a book that was rated highly, and nobody else’s', async () => {
    const nothing = { liked: null, books: [] }
    expect(await ask(reader)).toEqual(nothing)
    await finish(mockingbird, 7)
    await addBook(reader, shelf, { ...emma, status: 'dropped', rating: 10 })
    await finish({ title: 'A book that nobody knows', authors: ['Nobody'] }, 10)
    expect(await ask(reader)).toEqual(nothing)
    const other = await fixture.reader('other')
    const own = await addShelf(other, 'Read', 'public')
    await finish(mockingbird, 10, other, own.id)
    expect(await ask(reader)).toEqual(nothing)
    expect((await ask(other)).liked?.title).toBe(mockingbird.title)
    expect((await app.request('/library/because-liked')).status).toBe(401)
  })
})
