import { beforeAll, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import {
  addBook,
  addShelf,
  askAs,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from './fixture.ts'

interface Inner {
  method: string
  url: string
  body?: object
}

describeMigratedDatabases('a batch', (open) => {
  let fixture: Fixture
  let owner: Reader
  let another: Reader
  let shelf: string
  let book: string

  beforeAll(async () => {
    fixture = await openFixture(await open())
    owner = await fixture.reader('owner')
    another = await fixture.reader('another')
    shelf = (await addShelf(owner, 'canary shelf', 'private')).id
    book = (await addBook(owner, shelf, { title: 'canary' })).id
    return () => fixture.close()
  })

  const send = (who: Reader | undefined, requests: Inner[]) =>
    askAs(fixture, who, 'POST', '/api/batch', { requests })
  const mine = {
    method: 'POST',
    url: path('bookshelves'),
    body: { name: 'Mine', visibility: 'public' },
  }

  async function count(): Promise<unknown[]> {
    const tables = ['users', 'bookshelves', 'user_books', 'activities', 'settings']
    const counts: unknown[] = []
    for (const table of tables)
      counts.push((await fixture.database.query(`SELECT COUNT(*) FROM ${table}`))[0]?.[0])
    return counts
  }

  test('is for each of its parts what that is alone, and leaves nothing when one fails', async () => {
    const foreign: [Inner, number][] = [
      [{ method: 'PATCH', url: path('bookshelves', shelf), body: { name: 'Taken' } }, 404],
      [{ method: 'DELETE', url: path('bookshelves', shelf) }, 404],
      [{ method: 'PATCH', url: path('user_books', book), body: { title: '' } }, 404],
      [{ method: 'DELETE', url: path('users', owner.id) }, 404],
      [{ method: 'PUT', url: path('user_books'), body: { id: book, title: 'Taken' } }, 404],
      [
        {
          method: 'POST',
          url: path('user_books'),
          body: { shelf, title: 'Smuggled', status: 'reading' },
        },
        400,
      ],
      [{ method: 'POST', url: path('activities'), body: {} }, 403],
      [{ method: 'POST', url: path('profile'), body: {} }, 400],
      [{ method: 'POST', url: path('_sessions'), body: {} }, 404],
    ]
    const before = await count()
    for (const [request, status] of foreign) {
      const { body, url, method } = request
      const answer = await send(another, [mine, request])
      expect(answer.status, url).toBe(400)
      const told = JSON.parse(answer.text) as {
        data: { requests: Record<string, { response: { status: number } }> }
      }
      expect(Object.keys(told.data.requests)).toEqual(['1'])
      const { response } = told.data.requests['1']!
      expect(response.status, `${method} ${url}`).toBe(status)
      // There is no PUT outside of a batch.
      const alone =
        method === 'PUT'
          ? response
          : (JSON.parse((await askAs(fixture, another, method, url, body)).text) as object)
      // A batch has words of its own for a collection that doesn't exist, as PocketBase has.
      const unknown = url === path('_sessions') && { message: 'Missing collection context.' }
      expect(response).toEqual({ ...alone, ...unknown })
      expect(answer.text).not.toContain('canary')
      expect(await count()).toEqual(before)
    }
    expect((await send(undefined, [mine])).status).toBe(400)
    expect(await count()).toEqual(before)
  })

  test('holds nothing but writes of records, and no more than fifty', async () => {
    const before = await count()
    const urls = [
      '/api/collections/users/auth-with-password',
      '/api/collections/users/auth-refresh',
      '/api/batch',
      '/api/v1/account/reset',
      'http://localhost:3000/api/collections/bookshelves/records',
      '//localhost:3000/api/collections/bookshelves/records',
      '/api/collections/bookshelves/records/../../users/records',
      '/api/files/token',
    ]
    for (const url of urls)
      expect((await send(another, [mine, { ...mine, url }])).status, url).toBe(400)
    expect(
      (
        await send(
          another,
          Array.from({ length: 51 }, () => mine),
        )
      ).status,
    ).toBe(400)
    expect((await send(another, [])).status).toBe(400)
    expect((await send(another, [{ method: 'GET', url: path('bookshelves') }])).status).toBe(400)
    expect(await count()).toEqual(before)
  })

  test('of one’s own is done whole', async () => {
    const { status, text } = await send(another, [
      mine,
      { method: 'POST', url: path('bookshelves'), body: { name: 'Second', visibility: 'private' } },
    ])
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject([
      { status: 200, body: { name: 'Mine', user: another.id } },
      { status: 200, body: { name: 'Second', user: another.id } },
    ])
  })
})
