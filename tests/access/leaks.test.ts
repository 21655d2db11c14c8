import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
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

const missing = 'aaaaaaaaaaaaaaa'

/** Every text of what is hidden holds its canary; an ISBN cannot, and is one itself. */
const canary = /canary|0141439475|9780141439471/i

describeMigratedDatabases('what is hidden leaves no trace', (open) => {
  let fixture: Fixture
  let asked: [statement: string, values: number][]
  let open_: Reader
  let hidden: Reader
  let another: Reader
  /** Ids of what nobody but its owner sees. */
  let secrets: string[]

  beforeAll(async () => {
    fixture = await openFixture(watched(await open()))
    open_ = await fixture.reader('openreader')
    hidden = await fixture.reader('canary-hidden')
    another = await fixture.reader('another')
    const shown = await addShelf(open_, 'Open shelf')
    for (const title of ['One', 'Two', 'Three']) await addBook(open_, shown.id, { title })
    const ids = await furnish(open_, 'private')
    const more = [...(await furnish(hidden, 'private')), ...(await furnish(hidden, 'public'))]
    const settings = await hidden.client.collection('settings').getFullList()
    await hidden.client.collection('settings').update(settings[0]!.id, { isPrivate: true })
    await hidden.client
      .collection('users')
      .update(hidden.id, { name: 'canary', username: 'canary-name' })
    const own = await open_.client.collection('settings').getFullList()
    secrets = [...ids, ...more, hidden.id, settings[0]!.id, own[0]!.id]
    return () => fixture.close()
  })

  /** What the database is asked: texts, and how many values. */
  function watched(database: Database): Database {
    asked = []
    return {
      ...database,
      query: (statement, parameters = []) => {
        asked.push([statement, parameters.length])
        return database.query(statement, parameters)
      },
    }
  }

  async function furnish(reader: Reader, visibility: string): Promise<string[]> {
    const shelf = await addShelf(reader, `canary ${visibility}`, visibility)
    const ids = [shelf.id]
    for (const title of ['canary one', 'canary two'])
      ids.push((await addBook(reader, shelf.id, { title, authors: ['canary'], rating: 3 })).id)
    const isbn = { title: 'canary three', isbn: '9780141439471', images: ['https://canary.test/'] }
    ids.push((await addBook(reader, shelf.id, isbn)).id)
    const filter = `shelf = "${shelf.id}"`
    const events = await reader.client.collection('activities').getFullList({ filter })
    return [...ids, ...events.map((event) => event.id)]
  }

  const strangers = () => [undefined, another] as const
  /** Everything of an answer, its headers too. */
  async function whole(reader: Reader | undefined, address: string, method = 'GET') {
    const token = reader?.client.authStore.token
    const init = { method, ...(token && { headers: { Authorization: token } }) }
    const answer = await fixture.fetch(address, init)
    const headers = Object.fromEntries(answer.headers)
    return { status: answer.status, text: await answer.text(), headers }
  }

  test('in no ids, dates or caches: ids are random, and nothing is kept', async () => {
    const filter = encodeURIComponent('title != ""')
    const { text, headers } = await whole(undefined, `${path('user_books')}?filter=${filter}`)
    const { items } = JSON.parse(text) as { items: { id: string }[] }
    expect(items).toHaveLength(3)
    for (const { id } of items) expect(id).toMatch(/^[a-z0-9]{15}$/)
    expect(headers).not.toHaveProperty('etag')
    expect(headers).not.toHaveProperty('last-modified')
    expect(headers['cache-control']).toBe('no-store')
  })

  test('in no words of a refusal', async () => {
    const told: string[] = []
    const send = async (name: string, id: string | undefined, method: string, body: object) =>
      told.push((await askAs(fixture, another, method, path(name, id), body)).text)
    const { id: mine } = await addShelf(another, 'My shelf')
    const account = { password: '12345678', passwordConfirm: '12345678' }
    for (const secret of secrets.slice(0, 8)) {
      await send('bookshelves', undefined, 'POST', {
        id: secrets[0],
        name: 'Mine',
        visibility: 'public',
      })
      await send('user_books', undefined, 'POST', { shelf: secret, title: 'x', status: 'reading' })
      await send('user_books', undefined, 'POST', { shelf: mine, title: { $gt: 1 }, rating: 'x' })
      for (const method of ['PATCH', 'DELETE'])
        await send('user_books', secret, method, { title: 1 })
    }
    await send('users', undefined, 'POST', { ...account, email: hidden.email })
    await send('users', another.id, 'PATCH', { username: 'canary-name' })
    for (const query of [
      `filter='`,
      'sort=%00',
      'page=x',
      `filter=${'('.repeat(400)}`,
      'expand=%ff',
    ])
      told.push((await askAs(fixture, another, 'GET', `${path('users')}?${query}`)).text)
    for (const text of told) {
      expect(text).not.toMatch(/SQL|UNIQUE|constraint failed|violates|\.ts\b|node_modules|stack/)
      expect(text).not.toMatch(canary)
      expect(secrets.filter((id) => text.includes(id))).toEqual([])
    }
  })

  test.each<[string, string, string]>([
    ['user_books', 'title ~ "canary"', 'title ~ "nothing"'],
    ['user_books', 'isbn = "9780141439471"', 'isbn = "9780000000000"'],
    ['user_books', 'shelf.name ~ "canary"', 'shelf.name ~ "nothing"'],
    [
      'bookshelves',
      'user_books_via_shelf.title ?~ "canary"',
      'user_books_via_shelf.title ?~ "none"',
    ],
    ['users', 'username = "canary-name"', 'username = "nobody-here"'],
    ['users', 'email = "canary-hidden@example.org"', 'email = "nobody@example.org"'],
  ])('in no plan: %s with %s is asked as with %s', async (name, found, nothing) => {
    const statements = async (filter: string) => {
      asked.length = 0
      const address = `${path(name)}?filter=${encodeURIComponent(filter)}`
      const { text } = await askAs(fixture, undefined, 'GET', address)
      return [text, ...asked]
    }
    expect(await statements(found)).toEqual(await statements(nothing))
  })

  test('in no plan of a view', async () => {
    const statements = async (id: string) => {
      asked.length = 0
      await askAs(fixture, another, 'GET', path('user_books', id))
      return [...asked]
    }
    expect(await statements(secrets[1]!)).toEqual(await statements(missing))
  })

  test('in no answer meant for another, however many come at once', async () => {
    const everyone = [undefined, another, open_, hidden]
    const address = `${path('user_books')}?perPage=1000&expand=shelf,user&sort=-title`
    const before = await Promise.all(
      everyone.map((reader) => askAs(fixture, reader, 'GET', address)),
    )
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) =>
        askAs(fixture, everyone[i % everyone.length], 'GET', address),
      ),
    )
    expect(answers).toEqual(answers.map((_, i) => before[i % everyone.length]))
    expect(new Set(before.map(({ text }) => text)).size).toBe(3)
  })

  describe('behind no other spelling', () => {
    const spell: [string, (address: string) => string][] = [
      ['a slash at the end', (a) => `${a}/`],
      ['two slashes', (a) => a.replace('/records', '//records')],
      ['a dot', (a) => a.replace('/records', '/./records')],
      ['steps up', (a) => a.replace('/records', '/x/../records')],
      ['encoded steps up', (a) => a.replace('/records', '/x/%2e%2e/records')],
      ['a semicolon', (a) => `${a};x=1`],
      ['a suffix', (a) => `${a}.json`],
      ['upper case', (a) => a.replace('user_books', 'USER_BOOKS')],
      ['an upper-case path', (a) => a.replace('/api/collections', '/API/COLLECTIONS')],
      ['encoding', (a) => a.replace('user_books', 'user%5Fbooks')],
      ['double encoding', (a) => a.replace('user_books', 'user%255Fbooks')],
      ['an encoded slash', (a) => a.replace('records/', 'records%2F')],
      ['a NUL', (a) => `${a}%00`],
      ['a space', (a) => `${a}%20`],
      ['the id of the collection', (a) => a.replace('user_books', schema.get('user_books').id)],
      ['a hash', (a) => `${a}%23`],
      ['a question', (a) => `${a}?id=${missing}&user=x`],
    ]
    test.each(spell)('with %s', async (_, spelt) => {
      for (const reader of strangers()) {
        const { status, text } = await askAs(
          fixture,
          reader,
          'GET',
          spelt(path('user_books', secrets[1])),
        )
        expect([status, text.match(canary)]).toEqual([404, null])
      }
    })

    test.each(['HEAD', 'OPTIONS', 'PUT', 'TRACE-LIKE', 'QUERY', 'get'])('as %s', async (method) => {
      const address = path('user_books', secrets[1])
      const answer = await whole(another, address, method)
      const nothing = await whole(another, path('user_books', missing), method)
      expect(answer).toEqual(nothing)
    })

    test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
      '%s overrides nothing',
      async (header) => {
        const [book] = await open_.client.collection('user_books').getFullList()
        for (const method of ['DELETE', 'PATCH']) {
          const init = { method: 'POST', headers: { [header]: method } }
          expect((await fixture.fetch(path('user_books', book!.id), init)).status).toBe(404)
          const read = { method: 'GET', headers: { [header]: method } }
          expect((await fixture.fetch(path('user_books', book!.id), read)).status).toBeLessThan(500)
        }
        expect(await fixture.records.find('user_books', book!.id)).not.toBeNull()
      },
    )
  })

  test('in no event of a shelf that is gone, though its reader keeps it', async () => {
    const shelf = await addShelf(open_, 'Soon gone', 'private')
    const book = await addBook(open_, shelf.id, { title: 'canary of the gone' })
    const mine = open_.client.collection('activities')
    const [event] = await mine.getFullList({ filter: `book = "${book.id}"` })
    await open_.client.collection('bookshelves').delete(shelf.id)
    expect(await mine.getOne(event!.id)).toMatchObject({
      book: '',
      shelf: '',
      data: { title: 'canary of the gone' },
    })
    for (const reader of strangers()) {
      const nothing = await whole(reader, path('activities', missing))
      expect(await whole(reader, path('activities', event!.id))).toEqual(nothing)
      const list = await askAs(fixture, reader, 'GET', `${path('activities')}?perPage=1000`)
      expect(list.text).not.toMatch(canary)
    }
  })
})
