import { beforeAll, beforeEach, expect, test } from 'vitest'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { DeviceBook, NewConnection } from '#shared/connection.ts'
import type { UserBook } from '#shared/user-book.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { authKey } from './password.ts'
import { pendingDocuments } from './runner.ts'

const exportToken = ({ username, password }: NewConnection) => `${username}:${password}`

const delightful = {
  text: 'It was a delightful visit.',
  title: 'Emma',
  author: 'Jane Austen',
  source_type: 'reader_app',
  category: 'books',
  note: 'Perfect, in being much too short.',
  location: 42,
  location_type: 'page',
  highlighted_at: '2026-01-05T10:00:00+02:00',
}

describeMigratedSqlite('an app that exports highlights', (open) => {
  let fixture: Fixture
  let reader: Reader
  let book: UserBook
  let connection: NewConnection
  let count = 0

  beforeAll(async () => {
    fixture = await openFixture(await open(), () => new Date('2026-03-01T20:00:00Z'))
    return () => fixture.close()
  })
  beforeEach(async () => {
    reader = await fixture.reader(`marker${++count}`)
    const { id } = await addShelf(reader, 'Shelf')
    book = await addBook(reader, id, { title: 'Emma', authors: ['Jane Austen'] })
    connection = await connect('highlights')
  })

  const connect = (kind: string) =>
    reader.client
      .collection('connections')
      .create<NewConnection>({ name: 'Reader on my phone', kind })

  async function send(path: string, body?: unknown, token = exportToken(connection)) {
    const answer = await fixture.fetch(`/readwise/api/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = answer.headers.get('Content-Type') === 'application/json'
    return { status: answer.status, body: isJson ? ((await answer.json()) as unknown) : null }
  }
  async function quotes(): Promise<Record<string, unknown>[]> {
    await runAllJobs(pendingDocuments(fixture))
    const mine = { filter: `user = "${reader.id}"`, sort: 'created' }
    return reader.client.collection('quotes').getFullList(mine)
  }
  const asked = async () =>
    (await reader.client.collection('device_books').getFullList<DeviceBook>({ sort: 'title' })).map(
      ({ title, device }) => [title, device],
    )

  test.each(['/highlights', '/highlights/'])('has them become quotes (%s)', async (path) => {
    const { status, body } = await send(path, { highlights: [delightful] })
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: expect.any(Number) as number,
        title: 'Emma',
        author: 'Jane Austen',
        category: 'books',
        num_highlights: 1,
        modified_highlights: [expect.any(Number)],
      },
    ])
    expect(await quotes()).toMatchObject([
      {
        book_key: book.book_key,
        text: delightful.text,
        note: delightful.note,
        page: 42,
        isPrivate: true,
        created: '2026-01-05 08:00:00.000Z',
      },
    ])
  })

  test('sends them again without making them twice, and is given the same numbers', async () => {
    const first = await send('/highlights/', { highlights: [delightful] })
    await quotes()
    const grown = { ...delightful, text: 'Another.' }
    const again = await send('/highlights/', { highlights: [delightful, grown] })
    expect((await quotes()).map(({ text }) => String(text)).toSorted()).toEqual([
      'Another.',
      delightful.text,
    ])
    const numbers = ({ body }: { body: unknown }) =>
      (body as { modified_highlights: number[] }[])[0]!.modified_highlights
    expect(numbers(again)[0]).toBe(numbers(first)[0])
    expect(numbers(again)).toHaveLength(2)
  })

  test('asks about a book that the reader doesn’t have, under its own name', async () => {
    const highlights = [
      { text: 'Of another', title: 'Persuasion', author: 'Jane Austen' },
      { text: 'Of nothing' },
      { text: 'Of an article', title: 'News', source_url: 'https://example.org/' },
      { text: 'Of a podcast', title: 'Talk', category: 'podcasts' },
    ]
    expect((await send('/highlights/', { highlights })).body).toMatchObject([
      { title: 'Persuasion' },
      { title: 'Quotes' },
    ])
    expect(await quotes()).toEqual([])
    expect(await asked()).toEqual([
      ['Persuasion', 'Reader on my phone'],
      ['Quotes', 'Reader on my phone'],
    ])
  })

  test('may send what has no letters, and long titles', async () => {
    const title = 'Emma '.repeat(200)
    const highlights = [{ ...delightful, text: '\u200B' }, delightful, { text: 'Of length', title }]
    expect((await send('/highlights/', { highlights })).status).toBe(200)
    expect(await quotes()).toMatchObject([{ text: delightful.text }])
    expect((await asked()).map(([asking]) => asking)).toEqual(['Emma', title.slice(0, 500)])
  })

  test.each([
    ['no JSON', '{', /not JSON/],
    ['no list', {}, /highlights/],
    ['no text', { highlights: [delightful, { title: 'Emma' }] }, /highlights\[1\]\.text/],
    [
      'too many books',
      { highlights: Array.from({ length: 1001 }, (_, i) => ({ text: 'x', title: `Book ${i}` })) },
      /more than 1000/,
    ],
    ['an empty text', { highlights: [{ text: ' ' }] }, /highlights\[0\]\.text/],
    ['another type', { highlights: [{ text: 'x', location: '4' }] }, /highlights\[0\]\.location/],
  ])('is told what is wrong: %s', async (_, wrong, detail) => {
    const { status, body } = await send('/highlights/', wrong)
    expect(status).toBe(400)
    expect((body as { detail: string }).detail).toMatch(detail)
    expect(await quotes()).toEqual([])
  })

  test('checks its token', async () => {
    expect((await send('/auth/')).status).toBe(204)
    expect((await send('/auth')).status).toBe(204)
    const [used] = await reader.client.collection('connections').getFullList<NewConnection>()
    expect(used).toMatchObject({ last_used: '2026-03-01 20:00:00.000Z' })
    expect(used).not.toHaveProperty('password')
  })

  test('gets in with nothing else, and nowhere else', async () => {
    const own = { book_key: book.book_key, text: 'My own' }
    await reader.client.collection('quotes').create(own)
    const koreader = await connect('koreader')
    const revoked = await connect('highlights')
    await reader.client.collection('connections').delete(revoked.id)
    const tokens = [
      '',
      connection.password,
      `${connection.username}:`,
      `${connection.username}:wrong`,
      `${connection.username}:${connection.password}:`.slice(0, -2),
      exportToken(koreader),
      exportToken(revoked),
      reader.client.authStore.token,
    ]
    for (const token of tokens)
      for (const [path, body] of [
        ['/auth/', undefined],
        ['/highlights/', { highlights: [delightful] }],
        ['/export/', undefined],
      ] as const)
        expect([token, await send(path, body, token)]).toEqual([
          token,
          { status: 401, body: { detail: 'Invalid token.' } },
        ])

    const { username, password } = connection
    const basic = Buffer.from(`${username}:${password}`).toString('base64')
    const elsewhere = [
      ['/kosync/users/auth', { 'x-auth-user': username, 'x-auth-key': authKey(password) }],
      ['/dav/', { Authorization: `Basic ${basic}` }],
    ] as const
    for (const [path, headers] of elsewhere)
      expect((await fixture.fetch(path, { headers })).status).toBe(401)
    for (const scheme of ['Token', 'Bearer', 'Basic']) {
      const headers = { Authorization: `${scheme} ${exportToken(connection)}` }
      const listed = await fixture.fetch('/api/collections/quotes/records', { headers })
      expect(await listed.text()).not.toContain('My own')
    }
    expect(await quotes()).toMatchObject([{ text: 'My own' }])
  })

  test('is refused while it is paused', async () => {
    await reader.client.collection('connections').update(connection.id, { paused: true })
    expect((await send('/highlights/', { highlights: [delightful] })).status).toBe(403)
    expect(await quotes()).toEqual([])
  })

  test('finds nothing there that it could read', async () => {
    expect((await send('/highlights/')).status).toBe(404)
    expect((await send('/export/')).status).toBe(404)
  })
})
