import { Hono } from 'hono'
import { pino } from 'pino'
import type PocketBase from 'pocketbase'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  administratorsOnly,
  confirmedOnly,
  type AdminEnv,
} from '#server/admin/administrators-only.ts'
import { adminRoutes } from '#server/admin/routes.ts'
import { errorHandler } from '#server/http/errors.ts'
import { readConfig } from '#server/settings/config.ts'
import type { AdminLogEntry, AdminReader, AdminReaders } from '#shared/admin.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  passwordOf,
  type Fixture,
  type Reader,
} from './fixture.ts'

const minute = 60_000
const confirmation = '/api/v1/admin/confirmation'

describeMigratedDatabases('the administrator’s page', (open) => {
  let fixture: Fixture
  let now: number
  let ada: Reader
  let bob: Reader

  beforeEach(async () => {
    now = Date.now()
    fixture = await openFixture(await open(), () => new Date(now))
    ada = await fixture.reader('ada')
    bob = await fixture.reader('bob')
    await fixture.records.write((tx) => tx.update('users', ada.id, { isAdmin: true }))
    return () => fixture.close()
  })

  /** Every route, with ids that are there; GET first. */
  async function doors(): Promise<{ method: string; path: string; body?: object }[]> {
    const { database, records } = fixture
    const config = readConfig({})
    const { openAPIRegistry } = adminRoutes({ config, database, records, addressOf: () => '' })
    const found = openAPIRegistry.definitions.flatMap((one) =>
      one.type === 'route' ? [one.route] : [],
    )
    const invitation = await database.query('SELECT id FROM invitations')
    const report = await database.query(`SELECT id FROM reports`)
    return found
      .map(({ method, path }) => ({
        method: method.toUpperCase(),
        path: `/api/v1${path}`
          .replace('{username}', bob.username)
          .replace('{id}', String((path.includes('invitations') ? invitation : report)[0]?.[0])),
        ...(path.endsWith('/confirmation') && { body: { password: passwordOf('ada') } }),
        ...(path.endsWith('/invitations') && { body: { days: 3 } }),
      }))
      .map(({ method, body, ...door }) => ({ method, ...door, ...(method === 'POST' && { body }) }))
      .toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))
  }

  async function raw(
    { method, path, body }: { method: string; path: string; body?: object | undefined },
    headers: Record<string, string> = {},
  ) {
    const answer = await fixture.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  const acts = async () =>
    (await doors()).filter(({ method, path }) => method !== 'GET' && path !== confirmation)

  const confirm = (client: PocketBase, password = passwordOf('ada')) =>
    ask(client, 'POST', confirmation, { password })

  /** What she does, each a moment after the one before. */
  const act = (method: string, path: string, body?: object) => {
    now += 1
    return ask(ada.client, method, path, body)
  }

  const get = async <T>(path: string) =>
    (await ada.client.send<{ data: T }>(`/api/v1/admin${path}`, {})).data
  const listed = async (query = '') => (await get<AdminReaders>(`/readers${query}`)).items
  const log = async () =>
    (await get<{ items: AdminLogEntry[] }>('/log')).items.map(
      ({ actor, act, subject }) => `${actor} ${act} ${subject}`,
    )

  /** An invitation and a report, so that every door leads to something. */
  async function furnish() {
    await confirm(ada.client)
    await ask(ada.client, 'POST', '/api/v1/admin/invitations', {})
    const cat = await fixture.reader('cat')
    const about = { reason: 'other', details: 'Calls me names' }
    await ask(cat.client, 'POST', `/api/v1/users/${bob.username}/reports`, about)
    now += 16 * minute
  }

  test('is not there for others, at any door, whatever they come with', async () => {
    await furnish()
    const make = async (reader: Reader, scope: string, collections: string[] = []) =>
      String(
        (await reader.client.collection('api_tokens').create({ name: 'x', scope, collections }))[
          'token'
        ],
      )
    const ended = await fixture.signIn('ada')
    const cookie = `pb_auth=${encodeURIComponent(JSON.stringify({ token: ada.client.authStore.token }))}`
    const callers: Record<string, Record<string, string>> = {
      'a visitor': {},
      'another reader': { Authorization: bob.client.authStore.token },
      'an ended session': { Authorization: ended.authStore.token },
      'a token of hers that reads': { Authorization: await make(ada, 'read') },
      'a token of hers that writes': { Authorization: await make(ada, 'write') },
      'a token of hers for accounts': { Authorization: await make(ada, 'write', ['users']) },
      'a token of another': { Authorization: `Bearer ${await make(bob, 'write')}` },
    }
    await ask(ended, 'POST', '/api/v1/auth/logout')
    const nothing = await raw({ method: 'GET', path: '/api/v1/nothing' })
    expect(nothing.status).toBe(404)
    const all = await doors()
    expect(all.length).toBeGreaterThan(15)
    for (const [caller, headers] of Object.entries(callers))
      for (const door of [...all, { method: 'GET', path: '/api/v1/admin' }])
        expect(await raw(door, headers), `${caller}: ${door.method} ${door.path}`).toEqual(nothing)
    // A page of another site, with her cookie.
    for (const door of all.filter(({ method }) => method !== 'GET')) {
      const foreign = { Cookie: cookie, Origin: 'https://evil.test' }
      expect(await raw(door, foreign), door.path).toEqual(nothing)
    }
    for (const door of all.filter(({ method }) => method === 'GET'))
      expect((await ask(ada.client, 'GET', door.path)).status, door.path).toBe(200)
  })

  test('is no longer there once the administrator is none', async () => {
    expect((await ask(ada.client, 'GET', '/api/v1/admin/readers')).status).toBe(200)
    await fixture.records.write((tx) => tx.update('users', ada.id, { isAdmin: false }))
    expect((await ask(ada.client, 'GET', '/api/v1/admin/readers')).status).toBe(404)
  })

  describe('an act', () => {
    const unconfirmed = {
      status: 403,
      body: { data: { confirmation: { code: 'confirmation_required' } } },
    }
    const refuses = async (client: PocketBase) => {
      for (const { method, path, body } of await acts())
        expect(await ask(client, method, path, body), path).toMatchObject(unconfirmed)
    }

    test('asks for the password, in this session and in the last 15 minutes', async () => {
      await furnish()
      const before = { readers: await listed(), log: await log() }
      await refuses(ada.client)
      const elsewhere = await fixture.signIn('ada')
      const { body } = await confirm(elsewhere)
      expect(body).toEqual({
        data: { until: new Date(now + 15 * minute).toISOString() },
      })
      await refuses(ada.client)
      expect((await confirm(ada.client, 'not the password')).status).toBe(400)
      await refuses(ada.client)
      expect((await ask(ada.client, 'GET', confirmation)).body).toEqual({ data: { until: '' } })
      expect(await log()).toEqual(before.log)

      await confirm(ada.client)
      now += 15 * minute - 1
      const hide = `/api/v1/admin/readers/${bob.username}/hide`
      expect((await ask(ada.client, 'POST', hide)).status).toBe(204)
      now += 1
      await refuses(ada.client)
      // A clock that was set back gives no more time.
      now -= 60 * minute
      await refuses(ada.client)
    })

    test('asks to sign in again where readers have no passwords', async () => {
      const { records } = fixture
      const passwordSignIn = false
      const app = new Hono<AdminEnv>().use(administratorsOnly(records)).post(
        '/act',
        confirmedOnly(records, { passwordSignIn }, () => new Date(now)),
        (c) => c.body(null, 204),
      )
      app.onError(errorHandler(pino({ level: 'silent' })))
      const headers = { Authorization: ada.client.authStore.token }
      const answer = await app.request('/act', { method: 'POST', headers })
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { status: 403, message: 'Sign out and in again to change something here.', data: {} },
      ])
      await confirm(ada.client)
      expect((await app.request('/act', { method: 'POST', headers })).status).toBe(204)
    })

    test('allows as few wrong passwords as signing in', async () => {
      const attempt = (password: string) =>
        raw(
          { method: 'POST', path: confirmation, body: { password } },
          { Authorization: ada.client.authStore.token, 'x-address': '10.1.1.1' },
        )
      for (let n = 0; n < 5; n++) expect((await attempt('not the password')).status).toBe(400)
      expect((await attempt(passwordOf('ada'))).status).toBe(429)
      await refuses(ada.client)
    })
  })

  test('finds readers by part of their username, email or name, and pages through them', async () => {
    await fixture.records.write((tx) => tx.update('users', bob.id, { name: 'Robert 100%_' }))
    for (const q of ['BOB@', 'obert', '100%25_', bob.username.slice(1).toUpperCase()])
      expect(await listed(`?q=${q}`), q).toMatchObject([{ email: 'bob@example.org' }])
    expect(await listed('?q=100__')).toEqual([])
    expect(await listed('?q=nobody')).toEqual([])
    const shelf = await addShelf(bob, 'Open')
    await addBook(bob, shelf.id, { title: 'Emma' })
    now += minute
    await fixture.reader('zoe')
    const newest = await listed()
    expect(newest.map(({ email }) => email)[0]).toBe('zoe@example.org')
    expect(newest.find(({ email }) => email === bob.email)).toEqual({
      username: bob.username,
      email: bob.email,
      name: 'Robert 100%_',
      isVerified: true,
      since: expect.any(String) as string,
      seen: expect.any(String) as string,
      books: 1,
      space: 0,
      sessions: 1,
      isPrivate: false,
      isHidden: false,
      isAdmin: false,
    } satisfies AdminReader)
    const names = (await listed('?sort=name')).map(({ username }) => username)
    expect(names).toEqual(names.toSorted())
    expect(await get('/readers?page=2')).toMatchObject({ items: [], totalItems: 3, totalPages: 1 })
    expect((await ask(ada.client, 'GET', '/api/v1/admin/readers?page=0')).status).toBe(400)
  })

  test('shows nothing of what readers keep to themselves', async () => {
    await furnish()
    const shelf = await addShelf(bob, 'canary shelf', 'private')
    await addBook(bob, shelf.id, {
      title: 'canary title',
      authors: ['canary'],
      notes: 'canary',
      review: 'canary',
    })
    await bob.client
      .collection('webhooks')
      .create({ url: 'https://example.org/canary', events: ['book.added'] })
    await fixture.records.write((tx) =>
      tx.create('imports', { user: bob.id, state: 'reading', format: 'goodreads', total: 7 }),
    )
    for (const { method, path } of (await doors()).filter(({ method }) => method === 'GET')) {
      const { status, text } = await raw(
        { method, path },
        { Authorization: ada.client.authStore.token },
      )
      expect(status).toBe(200)
      expect(text, path).not.toMatch(/canary/i)
    }
    expect(await get('/jobs')).toMatchObject({
      imports: [
        { username: bob.username, format: 'goodreads', state: 'reading', total: 7, done: 0 },
      ],
      waiting: { books: 1, devices: 0, webhooks: 0, mails: 0 },
    })
  })

  test('hides a profile and shows it again', async () => {
    const seen = () => ask(fixture.visitor(), 'GET', `/api/v1/users/${bob.username}/shelves`)
    await confirm(ada.client)
    for (const [change, status] of [
      ['hide', 404],
      ['unhide', 200],
    ] as const) {
      const path = `/api/v1/admin/readers/${bob.username}/${change}`
      expect((await act('POST', path)).status).toBe(204)
      expect((await seen()).status).toBe(status)
    }
    expect(await log()).toEqual([
      `${ada.username} unhide ${bob.username}`,
      `${ada.username} hide ${bob.username}`,
    ])
  })

  test('ends sessions, and makes a link that sets a new password', async () => {
    await confirm(ada.client)
    const path = `/api/v1/admin/readers/${bob.username}`
    const made = await act('POST', `${path}/reset-link`)
    expect(made.status).toBe(200)
    const { link, expires } = (made.body as { data: { link: string; expires: string } }).data
    expect(Date.parse(expires) - now).toBe(30 * minute)
    const token = new URL(link).searchParams.get('token')!
    expect((await act('POST', `${path}/sign-out`)).status).toBe(204)
    expect((await ask(bob.client, 'GET', '/api/v1/me/now')).status).toBe(401)
    const password = 'a new one for bob'
    await fixture.visitor().collection('users').confirmPasswordReset(token, password, password)
    expect(await log()).toEqual([
      `${ada.username} signOut ${bob.username}`,
      `${ada.username} resetLink ${bob.username}`,
    ])
  })

  test('deletes a reader, and the log outlives both', async () => {
    await confirm(ada.client)
    const path = `/api/v1/admin/readers/${bob.username}`
    expect((await act('DELETE', path)).status).toBe(204)
    expect(await fixture.records.find('users', bob.id)).toBeNull()
    for (const door of ['', '/hide', '/unhide', '/sign-out', '/reset-link'])
      expect((await act(door ? 'POST' : 'DELETE', path + door)).status, door).toBe(404)
    await fixture.records.write((tx) => tx.delete('users', ada.id))
    ada = await fixture.reader('eve')
    await fixture.records.write((tx) => tx.update('users', ada.id, { isAdmin: true }))
    expect(await log()).toEqual([expect.stringMatching(` delete ${bob.username}$`)])
    expect(await log()).not.toEqual([expect.stringContaining(bob.id)])
  })

  test('neither deletes an administrator nor makes a link for one', async () => {
    await confirm(ada.client)
    await fixture.records.write((tx) => tx.update('users', bob.id, { isAdmin: true }))
    for (const { username } of [ada, bob]) {
      const path = `/api/v1/admin/readers/${username}`
      expect((await act('DELETE', path)).status).toBe(409)
      expect((await act('POST', `${path}/reset-link`)).status).toBe(409)
    }
    expect(await log()).toEqual([])
    expect(await listed()).toHaveLength(2)
  })

  test('invites, and withdraws an invitation', async () => {
    await confirm(ada.client)
    const made = await act('POST', '/api/v1/admin/invitations', { days: 3 })
    const { id, link, expires } = (made.body as { data: Record<string, string> }).data
    expect(link).toMatch(/^http:\/\/localhost:3000\/signup\?invitation=[0-9a-f]{40}$/)
    expect(Date.parse(expires!) - now).toBe(3 * 24 * 60 * minute)
    const { items } = await get<{ items: object[] }>('/invitations')
    expect(items).toEqual([{ id, created: new Date(now).toISOString(), expires }])
    for (const days of [0, 366, 1.5, 'x'])
      expect((await act('POST', '/api/v1/admin/invitations', { days })).status).toBe(400)
    const path = `/api/v1/admin/invitations/${id}`
    expect((await act('DELETE', path)).status).toBe(204)
    expect((await act('DELETE', path)).status).toBe(404)
    expect(await get('/invitations')).toEqual({ items: [] })
    expect(await log()).toEqual([`${ada.username} uninvite ${id}`, `${ada.username} invite ${id}`])
  })

  test('shows reports, and closes one', async () => {
    await furnish()
    await confirm(ada.client)
    const { items } = await get<{ items: { id: string }[] }>('/reports')
    expect(items).toMatchObject([
      { reported: bob.username, reason: 'other', details: 'Calls me names', isHidden: false },
    ])
    const path = `/api/v1/admin/reports/${items[0]!.id}/close`
    expect((await act('POST', path)).status).toBe(204)
    expect((await act('POST', path)).status).toBe(404)
    expect(await get('/reports')).toEqual({ items: [] })
    expect((await log())[0]).toBe(`${ada.username} closeReport ${bob.username}`)
  })

  test('says how the site is, and that there is no mail server to test', async () => {
    expect(await get('/site')).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      signUps: 'open',
      providers: [],
      readers: 2,
      backup: null,
      mails: { waiting: 0, failed: 0, oldest: '', hasServer: false },
    })
    const { items } = await get<{ items: { name: string }[] }>('/checks')
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['Mail', 'Disk']))
    await confirm(ada.client)
    expect((await act('POST', '/api/v1/admin/test-mail')).status).toBe(409)
    expect(await log()).toEqual([])
  })
})
