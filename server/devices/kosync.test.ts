import { Hono } from 'hono'
import { runAllJobs } from '#server/runtime/jobs.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import type { DeviceBook, NewConnection } from '#shared/connection.ts'
import type { UserBook } from '#shared/user-book.ts'
import { kosyncRoutes } from './kosync.ts'
import { authKey } from './password.ts'
import { pendingDocuments } from './runner.ts'
import { connectionSignIn } from './sign-in.ts'
import { storePush } from './store-push.ts'

const hash = '0123456789abcdef0123456789abcdef'

describeMigratedDatabases('KOReader’s progress sync', (open) => {
  let fixture: Fixture
  let reader: Reader
  let shelf: string
  let connection: NewConnection
  let time = Date.parse('2026-03-01T20:00:00Z')

  beforeAll(async () => {
    fixture = await openFixture(await open(), () => new Date(time))
    reader = await fixture.reader('lamplight')
    shelf = (await addShelf(reader, 'Shelf')).id
    return () => fixture.close()
  })
  beforeEach(async () => {
    for (const one of await devices()) await reader.client.collection('device_books').delete(one.id)
    connection = await connect(reader)
  })

  const connect = ({ client }: Reader, name = 'Kobo in the bedroom') =>
    client.collection('connections').create<NewConnection>({ name, kind: 'koreader' })
  const devices = () => reader.client.collection('device_books').getFullList<DeviceBook>()
  const apply = () => runAllJobs(pendingDocuments(fixture))
  const bookOf = (id: string) => reader.client.collection('user_books').getOne<UserBook>(id)
  const addOwn = (title: string, values: Partial<UserBook> = {}) =>
    addBook(reader, shelf, { title, authors: ['Emily Brontë'], page_count: 282, ...values })
  const bind = async (book_key: string | undefined) =>
    reader.client.collection('device_books').update((await devices())[0]!.id, { book_key })

  /** A request as KOReader’s KOSyncClient.lua builds it. */
  async function send(
    method: string,
    path: string,
    body?: object,
    { username, password }: Pick<NewConnection, 'username' | 'password'> = connection,
  ) {
    const answer = await fixture.fetch(`/kosync${path}`, {
      method,
      headers: {
        Accept: 'application/vnd.koreader.v1+json',
        'x-auth-user': username,
        'x-auth-key': authKey(password),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  const push = (percentage: number, more: object = {}) =>
    send('PUT', '/syncs/progress', {
      document: hash,
      progress: '/body/DocFragment[20]/body/p[22]/img.0',
      percentage,
      device: 'Kobo_nova',
      device_id: '3D9FE76BFBF44F2FA4D61A92E2F1A4C7',
      ...more,
    })

  test('shows a connection’s password once, as something to type', async () => {
    expect(connection.password).toMatch(/^[a-hj-km-np-z2-9]{16}$/)
    expect(connection.username.slice(0, -2)).toBe(`${reader.username}-`)
    const again = await reader.client.collection('connections').getOne(connection.id)
    expect(Object.keys(again)).not.toContain('password')
    expect(Object.keys(again)).not.toContain('username')
    const [row] = await fixture.database.query(
      `SELECT secret FROM connections WHERE username = '${connection.username}'`,
    )
    expect(String(row)).not.toContain(authKey(connection.password))
  })

  test('signs in with the right password alone', async () => {
    expect(await send('GET', '/users/auth')).toEqual({ status: 200, body: { authorized: 'OK' } })
    const refused = { status: 401, body: { code: 2001, message: 'Unauthorized' } }
    const wrong = { ...connection, password: 'hk7mw3qxr9tavd4p' }
    expect(await send('GET', '/users/auth', undefined, wrong)).toEqual(refused)
    const nobody = { ...connection, username: 'nobody' }
    expect(await send('GET', '/users/auth', undefined, nobody)).toEqual(refused)
    const empty = { username: '', password: '' }
    expect(await send('GET', '/users/auth', undefined, empty)).toEqual(refused)
    expect(await send('PUT', '/syncs/progress', { document: hash }, wrong)).toEqual(refused)
    expect(await send('GET', `/syncs/progress/${hash}`, undefined, wrong)).toEqual(refused)
  })

  test('registers nobody', async () => {
    const body = { username: 'someone', password: authKey('secret') }
    expect(await send('POST', '/users/create', body)).toMatchObject({
      status: 402,
      body: { code: 2005 },
    })
    expect(await send('GET', '/healthcheck')).toEqual({ status: 200, body: { state: 'OK' } })
  })

  test('gives back what was pushed last, also behind it, and nothing for other documents', async () => {
    expect(await send('GET', `/syncs/progress/${hash}`)).toEqual({ status: 200, body: {} })
    const timestamp = Math.floor(time / 1000)
    const pushed = { status: 200, body: { document: hash, timestamp } }
    expect(await push(0.42)).toEqual(pushed)
    expect(await push(0.32)).toEqual(pushed)
    const state = {
      document: hash,
      percentage: 0.32,
      progress: '/body/DocFragment[20]/body/p[22]/img.0',
      device: 'Kobo_nova',
      device_id: '3D9FE76BFBF44F2FA4D61A92E2F1A4C7',
      timestamp,
    }
    expect(await send('GET', `/syncs/progress/${hash}`)).toEqual({ status: 200, body: state })
    // Another device of the reader, and one of somebody else.
    const boox = await connect(reader, 'Boox')
    expect((await send('GET', `/syncs/progress/${hash}`, undefined, boox)).body).toEqual(state)
    const other = await connect(await fixture.reader(`other${time}`))
    expect((await send('GET', `/syncs/progress/${hash}`, undefined, other)).body).toEqual({})
  })

  test('refuses what is no push as its protocol does', async () => {
    const noDocument = {
      status: 403,
      body: { code: 2004, message: "Field 'document' not provided." },
    }
    const invalid = { status: 403, body: { code: 2003, message: 'Invalid request' } }
    expect(await push(0.1, { document: '' })).toEqual(noDocument)
    expect(await push(0.1, { document: 'a:b' })).toEqual(noDocument)
    for (const percentage of ['half', '0x1', '', 'NaN', -0.1, 45, 1e308, null, [0.5]])
      expect(await push(0.1, { percentage })).toEqual(invalid)
    expect(await push(0.1, { device: undefined })).toEqual(invalid)
    expect(await push(0.1, { progress: 'x'.repeat(5001) })).toEqual(invalid)
    expect(await devices()).toEqual([])
    const odd = { progress: 'a\0\u0001\ud800', device: '\0', metadata: { title: '\0\udfff' } }
    expect((await push(1.000001, odd)).status).toBe(200)
    expect(await devices()).toMatchObject([{ percentage: 1, device: '' }])
  })

  test('takes nothing of a connection that is revoked while it sends', async () => {
    await reader.client.collection('connections').delete(connection.id)
    const { id } = connection
    const position = { document: hash, percentage: 0.5, progress: 'x', device: 'Kobo' }
    const unnamed = { title: '', authors: [], filename: '', device_id: '' }
    const sender = { id, user: reader.id }
    const sent = { ...position, ...unnamed }
    expect(await storePush(fixture.records, sender, sent, new Date())).toBe('unauthorized')
    expect(await devices()).toEqual([])
  })

  test('binds nothing by itself, and proposes a book by its title and author', async () => {
    const book = await addOwn('Wuthering Heights', { status: 'planning' })
    await push(0.42, {
      metadata: { title: 'Wuthering Heights (Penguin)', authors: 'Emily Bronte' },
    })
    await apply()
    expect(await devices()).toMatchObject([{ book_key: '', proposal: book.book_key }])
    expect(await bookOf(book.id)).toMatchObject({ status: 'planning', progress: 0 })
    await push(0.42, { document: 'f00', metadata: { title: 'Another', authors: 'Somebody' } })
    await apply()
    const [other] = (await devices()).filter(({ document }) => document === 'f00')
    expect(other).toMatchObject({ book_key: '', proposal: '', title: 'Another' })
  })

  test('applies each day’s push once the reader has named the book, once however often it comes', async () => {
    const book = await addOwn('Agnes Grey', { status: 'planning' })
    time += 86_400_000
    await push(0.1)
    time += 86_400_000
    await push(0.499_964)
    await push(0.499_964)
    await bind(book.book_key)
    for (let times = 0; times < 3; times++) await apply()
    expect(await bookOf(book.id)).toMatchObject({ status: 'reading', progress: 141 })
    const log = { filter: `book_key = "${book.book_key}"`, sort: 'day' }
    const rows = await reader.client.collection('progress_log').getFullList(log)
    expect(rows).toMatchObject([
      { day: '2026-03-02', from: 0, to: 28, unit: 'pages', source: 'device' },
      { day: '2026-03-03', from: 28, to: 141, unit: 'pages', source: 'device' },
    ])
    await push(0.499_964)
    await apply()
    expect(await reader.client.collection('progress_log').getFullList(log)).toEqual(rows)
  })

  test('makes nothing smaller, and leaves a finished book alone', async () => {
    const book = await addOwn('Villette', { progress: 200 })
    await push(0.1)
    await bind(book.book_key)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ progress: 200 })
    await push(0.9)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ progress: 254 })
    await push(0.2)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ progress: 254 })
    await reader.client.collection('user_books').update(book.id, { status: 'completed' })
    await push(0.95)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ status: 'completed', progress: 282 })
    // The reader has corrected the page: the same push again is no news.
    await reader.client.collection('user_books').update(book.id, { status: 'reading' })
    await reader.client.collection('user_books').update(book.id, { progress: 100 })
    await push(0.95)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ progress: 100 })
  })

  test('a wrong binding is undone with all it brought, and applied to the right book', async () => {
    const { client } = reader
    const wrong = await addOwn('Shirley', { status: 'planning' })
    const right = await addOwn('Jane Eyre', { status: 'planning' })
    const others = await addShelf(reader, 'Copies')
    const copy = await addBook(reader, others.id, { title: 'Shirley', authors: ['Emily Brontë'] })
    const everything = async () => {
      const of = { filter: `book_key = "${wrong.book_key}"` }
      const entries = { filter: `book = "${wrong.id}"` }
      const lists = await Promise.all([
        client.collection('readings').getFullList(of),
        client.collection('progress_log').getFullList(of),
        client.collection('activities').getFullList(entries),
        client.collection('user_books').getFullList({ ...of, fields: 'id,status,progress' }),
      ])
      return lists
    }
    const before = await everything()
    await push(0.5)
    await bind(wrong.book_key)
    await apply()
    expect(await bookOf(wrong.id)).toMatchObject({ status: 'reading', progress: 141 })
    expect(await bookOf(copy.id)).toMatchObject({ status: 'reading' })
    await bind(right.book_key)
    await apply()
    expect(await everything()).toEqual(before)
    expect(await bookOf(right.id)).toMatchObject({ status: 'reading', progress: 141 })
  })

  test('an undone binding leaves the page that the reader has set since', async () => {
    const book = await addOwn('The Professor')
    await push(0.5)
    await bind(book.book_key)
    await apply()
    await reader.client.collection('user_books').update(book.id, { progress: 150 })
    await bind('')
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ status: 'reading', progress: 150 })
  })

  test('binds only to the reader’s own book', async () => {
    await push(0.5)
    await expect(bind('9780141439556')).rejects.toMatchObject({ status: 400 })
  })

  test('forgets pushes of an unknown book after 30 days', async () => {
    const book = await addOwn('Poems', { status: 'planning' })
    await push(0.5)
    time += 31 * 86_400_000
    // The session has ended as well.
    reader.client = await fixture.signIn('lamplight')
    await bind(book.book_key)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ status: 'planning', progress: 0 })
  })

  test('a book without pages is followed in percent', async () => {
    const book = await addOwn('Letters', { page_count: 0 })
    await push(0.4237)
    await bind(book.book_key)
    await apply()
    expect(await bookOf(book.id)).toMatchObject({ progress: 0, progress_percent: 42.37 })
  })

  test('a paused connection and a revoked one save nothing', async () => {
    const { client } = reader
    await client.collection('connections').update(connection.id, { paused: true })
    expect(await push(0.5)).toEqual({
      status: 401,
      body: { code: 2001, message: 'This connection is paused.' },
    })
    await client.collection('connections').update(connection.id, { paused: false })
    expect((await push(0.5)).status).toBe(200)
    await client.collection('connections').delete(connection.id)
    expect((await push(0.6)).status).toBe(401)
    expect(await devices()).toMatchObject([{ connection: '', percentage: 0.5 }])
  })

  test('says when it was last used', async () => {
    expect(connection.last_used).toBe('')
    await push(0.1)
    const used = await reader.client.collection('connections').getOne(connection.id)
    expect(used['last_used']).toBe(new Date(time).toISOString().replace('T', ' '))
  })

  test('says when it was last used after the clock was set back', async () => {
    await push(0.1)
    time -= 86_400_000
    await push(0.2)
    const used = await reader.client.collection('connections').getOne(connection.id)
    expect(used['last_used']).toBe(new Date(time).toISOString().replace('T', ' '))
    time += 86_400_000
  })

  test('has room for fifty connections', async () => {
    const full = await fixture.reader('collector')
    for (let n = 0; n < 50; n++) await connect(full)
    await expect(connect(full)).rejects.toMatchObject({ status: 400 })
  })

  test('its password opens nothing else, and nothing else opens it', async () => {
    const { username, password } = connection
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    for (const headers of [
      { Authorization: basic },
      { Authorization: password },
      { 'x-auth-user': username, 'x-auth-key': authKey(password) },
    ]) {
      const list = await fixture.fetch('/api/collections/connections/records', { headers })
      expect(await list.json()).toMatchObject({ totalItems: 0 })
      const own = await fixture.fetch('/api/v1/library/removed', { headers })
      expect(own.status).toBe(401)
    }
    await expect(
      fixture.visitor().collection('users').authWithPassword(username, password),
    ).rejects.toMatchObject({ status: 400 })
    const { token } = reader.client.authStore
    const headers = { Authorization: token, Cookie: `pb_auth=${token}` }
    expect((await fixture.fetch('/kosync/users/auth', { headers })).status).toBe(401)
  })

  /** The same routes with the limits that clients elsewhere have. */
  function limited() {
    const clientAddress = () => '198.51.100.7'
    const signIn = connectionSignIn({ ...fixture, clientAddress, isLimited: true })
    return new Hono().route('/', kosyncRoutes({ ...fixture, signIn, wake: () => undefined }))
  }

  test('limits guesses, and no connection below 300 pushes a minute', async () => {
    const app = limited()
    const headers = { 'x-auth-user': connection.username, 'x-auth-key': authKey('wrong') }
    const guess = () => app.request('/users/auth', { headers })
    for (let n = 0; n < 20; n++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
    const right = { ...headers, 'x-auth-key': authKey(connection.password) }
    expect((await app.request('/users/auth', { headers: right })).status).toBe(429)
    const boox = await connect(reader, 'Boox')
    const other = { 'x-auth-user': boox.username, 'x-auth-key': authKey(boox.password) }
    for (let n = 0; n < 300; n++) {
      const answer = await app.request(`/syncs/progress/${hash}`, { headers: other })
      expect(answer.status).toBe(200)
    }
  })

  test('limits guesses that come all at once', async () => {
    const app = limited()
    const attempt = async (key: string) => {
      const headers = { 'x-auth-user': connection.username, 'x-auth-key': key }
      return (await app.request('/users/auth', { headers })).status
    }
    const tried = (keys: readonly string[]) => Promise.all(keys.map(attempt))
    const right = authKey(connection.password)
    const wrong = Array.from({ length: 49 }, (_, n) => authKey(`wrong${n}`))
    expect(await tried([right, right, right])).toEqual([200, 200, 200])
    const statuses = await tried([...wrong, right])
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })

  test('limits the requests of a connection that come all at once', async () => {
    const app = limited()
    const headers = {
      'x-auth-user': connection.username,
      'x-auth-key': authKey(connection.password),
    }
    const sent = Array.from({ length: 650 }, async () => {
      const { status } = await app.request(`/syncs/progress/${hash}`, { headers })
      return status
    })
    const statuses = await Promise.all(sent)
    expect(statuses.filter((status) => status === 200)).toHaveLength(600)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
  })
})
