import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import { expect, it, onTestFinished } from 'vitest'
import { apiTokens, diskStorage, Schema } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { collectEvents, realtimeClient, serveFixture } from './realtime-client.ts'
import {
  errorCodes,
  openFixture,
  password,
  rejection,
  schema as plain,
  type Fixture,
  type OpenDatabase,
} from './fixture.ts'

const day = 86_400
const tokens = apiTokens('members', { prefix: 'key_', life: 365 * day })
const schema = new Schema([...plain.collections, tokens])

type Member = PocketBase & { me: RecordModel }

interface Given {
  scope?: 'read' | 'write'
  collections?: readonly string[]
  expires?: string
}

/** A member with an album and a picture with a file in it. */
async function open(
  database: OpenDatabase,
  more: Parameters<typeof openFixture>[1] = {},
): Promise<{ fixture: Fixture; ann: Member; album: RecordModel; picture: RecordModel }> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fixture = await openFixture(database, { schema, files: diskStorage(folder), ...more })
  const ann = await fixture.member('ann')
  const album = await ann.collection('albums').create({ name: 'Secret', secret: true })
  const file = new File(['a note'], 'note.txt')
  const picture = await ann
    .collection('pictures')
    .create({ album: album.id, title: 'Seen', stars: 1, file })
  return { fixture, ann, album, picture }
}

const make = (member: PocketBase, given: Given = {}) =>
  member.collection('api_tokens').create({ name: 'Script', scope: 'write', ...given })

/** A client that has a new token in place of a session. */
async function program(fixture: Fixture, member: PocketBase, given: Given = {}) {
  const { token, id } = await make(member, given)
  const client = fixture.client()
  client.authStore.save(String(token))
  return { client, id, token: String(token) }
}

/** @returns the scope that a refused call lacks */
async function lacking(call: Promise<unknown>): Promise<unknown> {
  return lackingIn(await rejection(call))
}

function lackingIn({ status, response }: Awaited<ReturnType<typeof rejection>>): unknown {
  const { data } = response as { data: { scope?: { params: { scope: string } } } }
  return status === 403 ? data.scope?.params.scope : status
}

describeDatabases('an API token', (database) => {
  it('is shown once, and stands for its account in the official client', async () => {
    const { fixture, ann, album, picture } = await open(database)
    const made = await make(ann)
    expect(made).toMatchObject({ name: 'Script', scope: 'write', collections: [], last_used: '' })
    expect(made['token']).toMatch(/^key_[a-zA-Z0-9]{40}$/)
    const inAYear = Date.now() + 365 * day * 1000
    const expires = Date.parse(String(made['expires']))
    expect(Math.abs(expires - inAYear)).toBeLessThan(day * 1000)
    const again = await ann.collection('api_tokens').getOne(made.id)
    expect(again).not.toHaveProperty('token')
    expect(again).not.toHaveProperty('hash')
    const stored = await fixture.records.find('api_tokens', made.id)
    expect(JSON.stringify(stored)).not.toContain(String(made['token']))

    const client = fixture.client()
    client.authStore.save(String(made['token']))
    expect(await client.collection('albums').getFullList()).toMatchObject([{ id: album.id }])
    const expanded = await client.collection('pictures').getOne(picture.id, { expand: 'album' })
    expect(expanded.expand).toMatchObject({ album: { id: album.id } })
    const batch = client.createBatch()
    batch.collection('albums').create({ name: 'By a script', secret: true })
    batch.collection('pictures').update(picture.id, { title: 'Changed' })
    expect(await batch.send()).toMatchObject([{ status: 200 }, { status: 200 }])
    const filter = 'owner.name = "ann" && pictures_via_album.title = "Changed"'
    expect((await client.collection('albums').getList(1, 1, { filter })).totalItems).toBe(1)
    await client.collection('pictures').delete(picture.id)
    expect((await rejection(ann.collection('pictures').getOne(picture.id))).status).toBe(404)
  })

  it('is sent with or without Bearer, and is a visitor’s when it is wrong', async () => {
    const { fixture, ann } = await open(database)
    const { token } = await program(fixture, ann)
    const path = '/api/collections/albums/records'
    const count = async (authorization: string) => {
      const answer = await fixture.fetch(path, { headers: { Authorization: authorization } })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { totalItems: number }).totalItems
    }
    for (const sent of [token, `Bearer ${token}`, `bearer ${token}`])
      expect(await count(sent)).toBe(1)
    for (const sent of [`${token}x`, token.slice(0, -1), 'key_', 'key_x', token.toUpperCase()])
      expect(await count(sent)).toBe(0)
  })

  it.each([
    [{ collections: ['nothing'] }, { collections: 'validation_invalid_format' }],
    [{ collections: 'albums' }, { collections: 'validation_invalid_format' }],
    [{ collections: [7] }, { collections: 'validation_invalid_format' }],
    [{ expires: '2020-01-01' }, { expires: 'validation_invalid_format' }],
    [{ scope: 'admin' }, { scope: 'validation_invalid_value' }],
    [{ scope: '' }, { scope: 'validation_required' }],
  ])('is not made with %o', async (given, codes) => {
    const { ann } = await open(database)
    expect(await errorCodes(make(ann, given as Given))).toEqual(codes)
    expect((await ann.collection('api_tokens').getList()).totalItems).toBe(0)
  })

  it('says what a token that is not made should have', async () => {
    const { ann } = await open(database)
    const { response } = await rejection(
      make(ann, { collections: ['nothing'], expires: '2020-01-01' }),
    )
    expect(response['data']).toMatchObject({
      collections: { message: 'Must be a list of names of collections.' },
      expires: { message: 'Must be in the future.' },
    })
  })

  it('keeps what it was made with, and belongs to its account alone', async () => {
    const { fixture, ann } = await open(database)
    const { id } = await program(fixture, ann, { scope: 'read', collections: ['albums'] })
    const ben = await fixture.member('ben')
    const changed = await ann.collection('api_tokens').update(id, {
      name: 'Renamed',
      scope: 'write',
      collections: [],
      expires: '2999-01-01',
      hash: 'x',
    })
    expect(changed).toMatchObject({ name: 'Renamed', scope: 'read', collections: ['albums'] })
    expect(changed['expires']).not.toContain('2999')
    for (const other of [ben, fixture.client()]) {
      expect((await other.collection('api_tokens').getList()).totalItems).toBe(0)
      expect((await rejection(other.collection('api_tokens').getOne(id))).status).toBe(404)
      expect((await rejection(other.collection('api_tokens').delete(id))).status).toBe(404)
    }
    expect(await errorCodes(ben.collection('api_tokens').create({ user: ann.me.id }))).toEqual({})
  })

  it('ends when it expires, is deleted, or its account is signed out by a new password', async () => {
    const { fixture, ann, album } = await open(database)
    const expires = new Date(Date.now() + 60_000).toISOString()
    const short = await program(fixture, ann, { expires })
    const deleted = await program(fixture, ann)
    const kept = await program(fixture, ann)
    const sees = async ({ client }: { client: PocketBase }) =>
      (await client.collection('albums').getList(1, 1, { filter: `id = "${album.id}"` }))
        .totalItems === 1
    expect(await sees(short)).toBe(true)
    fixture.wait(120)
    expect(await sees(short)).toBe(false)
    await ann.collection('api_tokens').delete(deleted.id)
    expect(await sees(deleted)).toBe(false)
    await ann.send('/api/collections/members/sessions', { method: 'DELETE' })
    expect(await sees(kept)).toBe(true)
    const again = await fixture.member('again')
    const other = await program(fixture, again)
    const change = { oldPassword: password, password: 'another horse' }
    await again
      .collection('members')
      .update(again.me.id, { ...change, passwordConfirm: change.password })
    expect((await rejection(other.client.collection('albums').create({ name: 'X' }))).status).toBe(
      400,
    )
    expect(await fixture.records.find('api_tokens', other.id)).toBe(null)
  })

  it('goes with its account', async () => {
    const { fixture, ann } = await open(database)
    const { id } = await program(fixture, ann)
    await ann.collection('members').delete(ann.me.id)
    expect(await fixture.records.find('api_tokens', id)).toBe(null)
  })

  it('notes its last use once an hour', async () => {
    const { fixture, ann } = await open(database)
    const { client, id } = await program(fixture, ann)
    const lastUse = async () => (await ann.collection('api_tokens').getOne(id))['last_used']
    await client.collection('albums').getList()
    await expect.poll(lastUse).not.toBe('')
    const first: unknown = await lastUse()
    fixture.wait(1800)
    await client.collection('albums').getList()
    await client.collection('albums').getList()
    expect(await lastUse()).toBe(first)
    fixture.wait(1900)
    await client.collection('albums').getList()
    await expect.poll(lastUse).not.toBe(first)
  })

  it('notes its last use again after the clock was set back', async () => {
    const { fixture, ann } = await open(database)
    const { client, id } = await program(fixture, ann)
    const lastUse = async () =>
      String((await ann.collection('api_tokens').getOne(id))['last_used']).slice(0, 10)
    await client.collection('albums').getList()
    await expect.poll(lastUse).not.toBe('')
    const ahead = await lastUse()
    fixture.wait(-2 * 86_400)
    await client.collection('albums').getList()
    await expect.poll(async () => (await lastUse()) < ahead).toBe(true)
  })

  it('is charged for its work like a session of the account', async () => {
    const accountWork = { points: 1, seconds: 3600 }
    const { fixture, ann } = await open(database, { limits: { accountWork } })
    const { token } = await program(fixture, ann)
    const ask = (authorization: string, n: number) =>
      fixture.fetch('/api/collections/pictures/records?expand=album', {
        headers: { Authorization: authorization, 'X-Address': `192.0.2.${n % 250}` },
      })
    let status = 200
    for (let n = 0; status === 200 && n < 5000; n++) status = (await ask(token, n)).status
    expect(status).toBe(429)
    expect((await ask(ann.authStore.token, 1)).status).toBe(429)
    expect((await ask('', 251)).status).toBe(200)
  })
})

/** What a call needs of a token. */
interface Door {
  need: 'read' | 'write' | 'session'
  collection: string
  call: (client: PocketBase, ids: Ids) => Promise<unknown>
}
interface Ids {
  album: string
  picture: string
  file: string
  me: string
  token: string
}

const albumNamed = (name: string) => ({ name, secret: true })
let albums = 0

const post = (client: PocketBase, path: string, body: object = {}) =>
  client.send<unknown>(`/api/collections/members/${path}`, { method: 'POST', body })

const doors: Record<string, Door> = {
  'a list': { need: 'read', collection: 'albums', call: (c) => c.collection('albums').getList() },
  'a view': {
    need: 'read',
    collection: 'pictures',
    call: (c, { picture }) => c.collection('pictures').getOne(picture),
  },
  'a file': {
    need: 'read',
    collection: 'pictures',
    call: (c, { picture, file }) =>
      c.send(`/api/files/pictures/${picture}/${file}`, { method: 'GET' }),
  },
  'a create': {
    need: 'write',
    collection: 'albums',
    call: (c) => c.collection('albums').create(albumNamed(`Album ${albums++}`)),
  },
  'an update': {
    need: 'write',
    collection: 'albums',
    call: (c, { album }) => c.collection('albums').update(album, { secret: true }),
  },
  'a delete': {
    need: 'write',
    collection: 'pictures',
    call: async (c, { album }) => {
      const draft = await c.collection('pictures').create({ album, title: 'To go' })
      await c.collection('pictures').delete(draft.id)
    },
  },
  'an account’s name': {
    need: 'write',
    collection: 'members',
    call: (c, { me }) => c.collection('members').update(me, { name: 'ann' }),
  },
  'an account’s password': {
    need: 'session',
    collection: 'members',
    call: (c, { me }) => {
      const change = { oldPassword: password, password, passwordConfirm: password }
      return c.collection('members').update(me, change)
    },
  },
  'an account’s email': {
    need: 'session',
    collection: 'members',
    call: (c, { me }) => c.collection('members').update(me, { email: 'ann@example.org' }),
  },
  'the end of an account': {
    need: 'session',
    collection: 'members',
    call: (c, { me }) => c.collection('members').delete(me),
  },
  'another account': {
    need: 'session',
    collection: 'members',
    call: (c) =>
      c
        .collection('members')
        .create({ email: 'new@example.org', password, passwordConfirm: password }),
  },
  'a new email': {
    need: 'session',
    collection: 'members',
    call: (c) => post(c, 'request-email-change', { newEmail: 'new@example.org' }),
  },
  'a refresh': {
    need: 'session',
    collection: 'members',
    call: (c) => c.collection('members').authRefresh(),
  },
  'a sign-in': {
    need: 'session',
    collection: 'members',
    call: (c) => post(c, 'auth-with-password', { identity: 'ann@example.org', password }),
  },
  'the list of sessions': {
    need: 'session',
    collection: 'members',
    call: (c) => c.send('/api/collections/members/sessions', { method: 'GET' }),
  },
  'the end of all sessions': {
    need: 'session',
    collection: 'members',
    call: (c) => c.send('/api/collections/members/sessions', { method: 'DELETE' }),
  },
  'a token’s name': {
    need: 'session',
    collection: 'api_tokens',
    call: (c, { token }) => c.collection('api_tokens').update(token, { name: 'Mine' }),
  },
  'the end of a token': {
    need: 'session',
    collection: 'api_tokens',
    call: (c, { token }) => c.collection('api_tokens').delete(token),
  },
  'the list of tokens': {
    need: 'read',
    collection: 'api_tokens',
    call: (c) => c.collection('api_tokens').getList(),
  },
}

const given: Given[] = [
  { scope: 'read' },
  { scope: 'write' },
  { scope: 'read', collections: ['albums'] },
  { scope: 'write', collections: ['pictures', 'members'] },
]

/** @returns the scope that a call with the token lacks; undefined if none */
function expected({ scope, collections }: Given, { need, collection }: Door): string | undefined {
  if (need === 'session') return 'session'
  if (collections && !collections.includes(collection)) return `${need}:${collection}`
  return need === 'write' && scope === 'read' ? 'write' : undefined
}

describeDatabases('the scope of a token', (database) => {
  it.each(given)('%o opens its doors and is told what it lacks for the others', async (one) => {
    const { fixture, ann, album, picture } = await open(database)
    const { client, id: token } = await program(fixture, ann, one)
    const ids = {
      album: album.id,
      picture: picture.id,
      file: String(picture['file']),
      me: ann.me.id,
      token,
    }
    for (const [name, door] of Object.entries(doors)) {
      const lacks = await door.call(client, ids).then(() => undefined, lackingIn)
      expect(lacks, name).toBe(expected(one, door))
    }
    expect(await fixture.records.find('members', ann.me.id)).not.toBe(null)
    expect(await ann.collection('api_tokens').getList()).toMatchObject({
      totalItems: 1,
      items: [{ name: 'Script' }],
    })
  })

  it('holds for every request of a batch, and then none is done', async () => {
    const { fixture, ann } = await open(database)
    const limited = await program(fixture, ann, { collections: ['albums'] })
    const reading = await program(fixture, ann, { scope: 'read' })
    for (const [{ client }, second, scope] of [
      [limited, 'labels', 'write:labels'],
      [reading, 'albums', 'write'],
      [limited, 'api_tokens', 'session'],
    ] as const) {
      const batch = client.createBatch()
      if (client === limited.client) batch.collection('albums').create(albumNamed('First'))
      batch.collection(second).create({ name: 'Second', scope: 'read' })
      const { status, response } = await rejection(batch.send())
      expect(status).toBe(400)
      expect(JSON.stringify(response)).toContain(`"scope":"${scope}"`)
    }
    expect((await ann.collection('albums').getList()).totalItems).toBe(1)
  })

  it('leaves out expanded relations of other collections, and refuses to filter by them', async () => {
    const { fixture, ann, album, picture } = await open(database)
    const { client } = await program(fixture, ann, { collections: ['pictures'] })
    const pictures = client.collection('pictures')
    const alone = await pictures.getOne(picture.id, { expand: 'album,captions_via_picture' })
    expect(alone.expand ?? {}).toEqual({})
    const changed = await pictures.update(picture.id, { stars: 2 }, { expand: 'album' })
    expect(changed.expand ?? {}).toEqual({})
    // The session compiles the same filter first, which must not open it for the token.
    for (const query of [{ filter: 'album.name ~ "Sec"' }, { sort: 'album.name' }]) {
      expect((await ann.collection('pictures').getList(1, 1, query)).totalItems).toBe(1)
      expect((await rejection(pictures.getList(1, 1, query))).status).toBe(400)
    }
    const own = await pictures.getList(1, 1, { filter: `album = "${album.id}"` })
    expect(own.totalItems).toBe(1)
  })

  it('holds for a token of files that is made with it', async () => {
    const { fixture, ann, picture } = await open(database)
    const address = `/api/files/pictures/${picture.id}/${String(picture['file'])}`
    const statusOf = async (given: Given) => {
      const { client, id } = await program(fixture, ann, given)
      const token = await client.files.getToken()
      const get = async () => (await fixture.fetch(`${address}?token=${token}`)).status
      const before = await get()
      await ann.collection('api_tokens').delete(id)
      return [before, await get()]
    }
    expect(await statusOf({ scope: 'read' })).toEqual([200, 404])
    expect(await statusOf({ collections: ['albums'] })).toEqual([403, 404])
  })

  it('lets no token make a token, however it is asked', async () => {
    const { fixture, ann } = await open(database)
    const names = ['api_tokens', 'API_TOKENS', tokens.id]
    const scopes = ['albums', 'api_tokens', 'members', 'pictures']
    const body = { name: 'Another', scope: 'write' }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('read' as const, 'write' as const),
        fc.subarray(scopes),
        fc.constantFrom(...names),
        fc.constantFrom('POST', 'PUT', 'direct'),
        fc.boolean(),
        async (scope, collections, name, way, isBearer) => {
          const { id, token } = await program(fixture, ann, { scope, collections })
          const url = `/api/collections/${encodeURIComponent(name)}/records`
          const batch = { requests: [{ method: way, url, body }] }
          const answer = await fixture.fetch(way === 'direct' ? url : '/api/batch', {
            method: 'POST',
            headers: {
              'Content-Type': 'application/json',
              Authorization: isBearer ? `Bearer ${token}` : token,
            },
            body: JSON.stringify(way === 'direct' ? body : batch),
          })
          expect([400, 403]).toContain(answer.status)
          expect(await answer.text()).not.toContain('key_')
          const all = await ann.collection('api_tokens').getFullList()
          expect(all.map((one) => one.id)).toEqual([id])
          await ann.collection('api_tokens').delete(id)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describeDatabases('a live connection with a token', (database) => {
  it('hears what the token covers, expanded as far as it does, until it is revoked', async () => {
    const { fixture, ann, album, picture } = await open(database)
    const url = await serveFixture(fixture)
    const connect = async (given: Given) => {
      const made = await program(fixture, ann, given)
      return { ...made, client: realtimeClient(url, made.client) }
    }
    const whole = await connect({ scope: 'read' })
    const limited = await connect({ scope: 'read', collections: ['pictures'] })
    const options = { expand: 'album' }
    const heardByWhole = await collectEvents(whole.client, 'pictures', '*', options)
    const heardByLimited = await collectEvents(limited.client, 'pictures', '*', options)
    const heardInSession = await collectEvents(realtimeClient(url, ann), 'pictures', '*', options)
    const refused = realtimeClient(url, limited.client).collection('albums')
    expect(await lacking(refused.subscribe('*', () => undefined))).toBe('read:albums')

    const pictures = ann.collection('pictures')
    await pictures.update(picture.id, { title: 'First' })
    for (const heard of [heardByWhole, heardByLimited, heardInSession]) await heard.next()
    const expand = ({ records }: { records: Record<string, unknown>[] }) =>
      (records.at(-1)?.['expand'] as { album?: RecordModel } | undefined)?.album?.id
    expect(expand(heardByWhole)).toBe(album.id)
    expect(expand(heardByLimited)).toBe(undefined)
    expect(expand(heardInSession)).toBe(album.id)

    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    await whole.client.realtime.subscribe('@session', resolve)
    await ann.collection('api_tokens').delete(whole.id)
    expect(await ended).toMatchObject({ action: 'ended' })
    const second = await pictures.create({ album: album.id, title: 'Second' })
    await pictures.update(second.id, { title: 'Third' })
    for (let n = 0; n < 2; n++) {
      await heardByLimited.next()
      await heardInSession.next()
    }
    expect(heardInSession.events).toHaveLength(3)
    expect(heardByLimited.events).toHaveLength(3)
    expect(heardByWhole.events).toHaveLength(1)
  })

  it('ends with a new password, but not when the sessions are ended', async () => {
    const { fixture, ann, album, picture } = await open(database)
    const url = await serveFixture(fixture)
    const given = { scope: 'read', collections: ['pictures'] } as const
    const { client: token } = await program(fixture, ann, given)
    const client = realtimeClient(url, token)
    const heard = await collectEvents(client, 'pictures', '*')
    const write = (title: string) =>
      fixture.records.write((tx) => tx.update('pictures', picture.id, { title }))
    await ann.send('/api/collections/members/sessions', { method: 'DELETE' })
    await write('Still heard')
    expect(await heard.next()).toBe('update Still heard')
    const gone = { album: album.id, title: 'Gone' }
    const { id } = await fixture.records.write((tx) => tx.create('pictures', gone))
    expect(await heard.next()).toBe('create Gone')
    await fixture.records.write((tx) => tx.delete('pictures', id))
    expect(await heard.next()).toBe('delete Gone')
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    await client.realtime.subscribe('@session', resolve)
    await fixture.records.write((tx) =>
      tx.update('members', ann.me.id, { tokenKey: 'x'.repeat(50) }),
    )
    expect(await ended).toMatchObject({ action: 'ended' })
  })
})
