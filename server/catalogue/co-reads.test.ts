import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { addBook, addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { plansOf } from '#tests/plans.ts'
import type { SimilarBooks } from '#shared/book.ts'
import { bookInfoRoutes } from './book-info.ts'
import { openCoReads, publicLibraries } from './public-shelves.ts'

const frankenstein = '9780141439471'
const dracula = '9780141439846'
const emma = '9780141439587'

const catalogue = await openFederatedStarter()

describeMigratedDatabases('what readers shelve together', (open) => {
  let fixture: Fixture
  let database: Database

  beforeEach(async () => {
    database = await open()
    fixture = await openFixture(database)
    return () => fixture.close()
  })

  async function reader(
    name: string,
    isbns: string[],
    visibility: 'public' | 'private' = 'public',
  ) {
    const made = await fixture.reader(name)
    const shelf = await addShelf(made, `Shelf of ${name}`, visibility)
    for (const isbn of isbns) await addBook(made, shelf.id, { title: isbn, isbn })
    return made
  }

  async function near(isbn: string) {
    const coReads = openCoReads(database)
    await coReads.count()
    return coReads.with(isbn)
  }

  async function hide(of: Reader): Promise<void> {
    const [settings] = await of.client.collection('settings').getFullList()
    await of.client.collection('settings').update(settings?.id ?? '', { isPrivate: true })
  }

  test('is what two of them or more have on public shelves', async () => {
    await reader('first', [frankenstein, dracula, emma])
    await reader('second', [frankenstein, dracula])
    expect(await near(frankenstein)).toEqual([{ isbn13: dracula, readers: 2 }])
    expect(await near(emma)).toEqual([])
  })

  test('is not what stands on a private shelf, whoever else has it', async () => {
    await reader('first', [frankenstein, dracula])
    const secret = await reader('secret', [frankenstein, dracula], 'private')
    expect(await near(frankenstein)).toEqual([])
    const shelf = await addShelf(secret, 'Shown to all', 'public')
    await addBook(secret, shelf.id, { title: 'Frankenstein', isbn: frankenstein })
    expect(await near(frankenstein)).toEqual([])
  })

  test('is not what a reader with a private profile has, and changes with the profile', async () => {
    await reader('first', [frankenstein, dracula])
    const hidden = await reader('hidden', [frankenstein, dracula])
    expect(await near(frankenstein)).toHaveLength(1)
    await hide(hidden)
    expect(await near(frankenstein)).toEqual([])
    expect((await Array.fromAsync(publicLibraries(database))).flat()).toHaveLength(1)
  })

  test.each<[string, (of: Reader) => Promise<unknown>]>([
    ['a shelf turned private', (of) => setShelf(of, { visibility: 'private' })],
    ['a profile turned private', hide],
    ['a reader whom the operator hid', hideByOperator],
    ['a shelf that was deleted', async (of) => removeShelf(of)],
    ['an account that was deleted', (of) => of.client.collection('users').delete(of.id)],
  ])('%s stops counting at once, without a recount', async (_, end) => {
    const shelved = [frankenstein, dracula]
    const readers = [
      await reader('first', shelved),
      await reader('second', shelved),
      await reader('third', shelved),
    ]
    const coReads = openCoReads(database)
    await coReads.count()
    expect(await coReads.with(frankenstein)).toMatchObject([{ isbn13: dracula, readers: 3 }])
    await end(readers[0]!)
    expect(await coReads.with(frankenstein)).toMatchObject([{ isbn13: dracula, readers: 2 }])
    await end(readers[1]!)
    expect(await coReads.with(frankenstein)).toEqual([])
  })

  test('leads "more like this", with how many have both, until one of them hides', async () => {
    const pride = '9780141439518'
    await reader('first', [pride, emma])
    const second = await reader('second', [pride, emma])
    const coReads = openCoReads(database)
    await coReads.count()
    const app = new Hono().route('/', bookInfoRoutes(catalogue, { coReads }))
    const book = await catalogue.byIsbn(pride)
    async function moreLikeIt() {
      const response = await app.request(`/book-info/${book?.id}/similar`)
      const { data } = (await response.json()) as { data: SimilarBooks }
      return { ...data, first: data.books[0]?.title, readers: Object.values(data.readers) }
    }
    const shown = await moreLikeIt()
    expect(shown).toMatchObject({ first: 'Emma', readers: [2] })
    expect(shown.books.length).toBeGreaterThan(1)
    await hide(second)
    const left = await moreLikeIt()
    expect(left.readers).toEqual([])
    expect(left.books.length).toBeGreaterThan(0)
  })

  test('is found by indexes alone, when it is counted and for a page', async () => {
    await reader('first', [frankenstein, dracula])
    await reader('second', [frankenstein, dracula])
    const plans = await plansOf(database, async (told) => {
      const coReads = openCoReads(told)
      await coReads.count()
      expect(await coReads.with(frankenstein)).toHaveLength(1)
    })
    expect(plans).toMatch(/user_books_readers/)
    expect(plans).toMatch(/user_books_profile|user_books_user/)
    expect(plans).not.toMatch(/Seq Scan|SCAN [bhs]\b/)
  })

  async function hideByOperator({ id }: Reader): Promise<void> {
    await database.transaction((tx) =>
      tx.query(`UPDATE settings SET "isHidden" = TRUE WHERE "user" = '${id}'`),
    )
  }

  async function setShelf(of: Reader, edit: object): Promise<void> {
    const [shelf] = await of.client.collection('bookshelves').getFullList()
    await of.client.collection('bookshelves').update(shelf?.id ?? '', edit)
  }

  async function removeShelf(of: Reader): Promise<void> {
    const [shelf] = await of.client.collection('bookshelves').getFullList()
    await of.client.collection('bookshelves').delete(shelf?.id ?? '')
  }
})
