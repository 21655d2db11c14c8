import PocketBase from 'pocketbase'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres, type Database } from '#records/index.ts'
import { makeTables, newPostgresUrl, type Tables } from '#tests/databases.ts'
import type { ClientClass } from '#tests/in-process.ts'
import { clients, collectEvents, serveFixture, realtimeClient } from './realtime-client.ts'
import { attachFixture, openFixture, password } from './fixture.ts'

/** Two processes over one database, as far as the database can tell, and an account. */
async function start() {
  const place = await newPostgresUrl()
  async function open(tables?: Tables): Promise<Database> {
    const database = await openPostgres(place)
    if (tables) await makeTables(database, tables)
    onTestFinished(() => database.close())
    return database
  }
  const here = await openFixture(open)
  const there = attachFixture(await open())
  const ann = await here.member('ann')
  return {
    here,
    there,
    ann,
    urls: { here: await serveFixture(here), there: await serveFixture(there) },
  }
}

/** @returns a promise of the client's next connection, by its id */
async function reconnected(client: PocketBase): Promise<{ next: Promise<string> }> {
  const { promise, resolve } = Promise.withResolvers<string>()
  await client.realtime.subscribe('PB_CONNECT', (event: { clientId: string }) =>
    resolve(event.clientId),
  )
  return { next: promise }
}

describe.each(Object.entries(clients))(
  'realtime over several processes (client %s)',
  (_, Client) => {
    it('tells in every process, once and in one order, what each of them writes', async () => {
      const { here, there, ann, urls } = await start()
      const heard = await Promise.all(
        [urls.here, urls.there].map((url) =>
          collectEvents(realtimeClient(url, undefined, Client), 'albums', '*'),
        ),
      )
      const owner = ann.me.id
      const { id } = await here.records.write((tx) => tx.create('albums', { owner, name: 'A0' }))
      for (let i = 1; i < 10; i++) {
        const { records } = i % 2 ? there : here
        await records.write((tx) => tx.update('albums', id, { name: `A${i}` }))
      }
      for (const { next } of heard) {
        const events: string[] = []
        for (let i = 0; i < 10; i++) events.push(await next())
        expect(events.map((event) => event.split(' ')[0])).toEqual([
          'create',
          ...Array<string>(9).fill('update'),
        ])
        // What is told late shows the record as it is by then, never as it was before.
        const names = events.map((event) => event.split(' ')[1]!)
        expect(names).toEqual(names.toSorted())
        expect(names.at(-1)).toBe('A9')
      }
      await there.records.write((tx) => tx.delete('albums', id))
      for (const { next, events } of heard) {
        expect(await next()).toBe('delete A9')
        expect(events).toHaveLength(11)
      }
    })

    it('subscribes through any process, again and again', async () => {
      const { there, ann, urls } = await start()
      const client = across(urls.there, urls.here, ann, Client)
      for (let i = 0; i < 5; i++) {
        const albums = await collectEvents(client, 'albums', '*')
        const members = await collectEvents(client, 'members', ann.me.id)
        const secret = await ann.collection('albums').create({ name: `A${i}`, secret: true })
        expect(await albums.next()).toBe(`create A${i}`)
        await there.records.write((tx) => tx.update('members', ann.me.id, { name: `Ann ${i}` }))
        expect(await members.next()).toBe(`update Ann ${i}`)
        await client.collection('albums').unsubscribe()
        await ann.collection('albums').delete(secret.id)
        await client.collection('members').unsubscribe()
      }
      expect(there.errors).toEqual([])
    })

    it('is reached again after its listening connection was cut', async () => {
      const { here, there, ann, urls } = await start()
      const client = realtimeClient(urls.there, undefined, Client)
      const heard = await collectEvents(client, 'albums', '*')
      const again = await reconnected(client)
      const first = client.realtime.clientId
      await here.database.query('SELECT pg_terminate_backend(process) FROM _audiences')
      expect(await again.next).not.toBe(first)
      // It takes the client a moment to say again what it wants to hear.
      const isBack = async () =>
        (await here.database.query(`SELECT topic FROM _audiences WHERE topic LIKE 'albums/*%'`))
          .length > 0
      await expect.poll(isBack).toBe(true)
      await ann.collection('albums').create({ name: 'After' })
      expect(await heard.next()).toBe('create After')
      expect(there.errors).toEqual([])
    })
  },
)

/** A client connected to one process, whose requests go to another. */
function across(
  connected: string,
  asked: string,
  like: Pick<PocketBase, 'authStore'> | undefined,
  Client: ClientClass = PocketBase,
): PocketBase {
  const client = realtimeClient(connected, like, Client)
  client.beforeSend = (url, options) => ({ url: url.replace(connected, asked), options })
  return client
}

/** The status of a subscription that is sent to a process, and what it says. */
async function subscribe(url: string, clientId: string, token = '', subscriptions = ['albums/*']) {
  const answer = await fetch(`${url}/api/realtime`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: token }) },
    body: JSON.stringify({ clientId, subscriptions }),
  })
  const text = await answer.text()
  return [answer.status, text ? (JSON.parse(text) as { message: string }).message : '']
}

describe('realtime over several processes', () => {
  it('refuses the subscriptions of others in another process as in its own', async () => {
    const { here, ann, urls } = await start()
    const bob = await here.member('bob')
    const client = across(urls.there, urls.here, ann)
    const heard = await collectEvents(client, 'albums', '*')
    const id = client.realtime.clientId
    for (const url of [urls.there, urls.here]) {
      const mismatch = "The current and the previous request authorization don't match."
      expect(await subscribe(url, id)).toEqual([403, mismatch])
      expect(await subscribe(url, id, bob.authStore.token)).toEqual([403, mismatch])
    }
    await ann.collection('albums').create({ name: 'Mine', secret: true })
    expect(await heard.next()).toBe('create Mine')

    const guest = across(urls.there, urls.here, undefined)
    const open = await collectEvents(guest, 'albums', '*')
    // A visitor's connection becomes that of who signs in, wherever that is said.
    expect((await subscribe(urls.here, guest.realtime.clientId, bob.authStore.token))[0]).toBe(204)
    expect((await subscribe(urls.here, guest.realtime.clientId))[0]).toBe(403)
    expect(open.events).toEqual([])
  })

  it('knows at once that a client is nowhere', async () => {
    const { urls } = await start()
    const client = realtimeClient(urls.there)
    await collectEvents(client, 'albums', '*')
    const id = client.realtime.clientId
    const gone = [404, 'Missing or invalid client id.']
    const others = ['x'.repeat(40), 'x', `${id.slice(0, -1)}!`, `${'0'.repeat(7)}${id.slice(7)}`]
    for (const other of others) expect(await subscribe(urls.here, other)).toEqual(gone)
    // The process is there, and its client is not.
    expect(await subscribe(urls.here, id.slice(0, 7) + 'x'.repeat(33))).toEqual(gone)
    await client.realtime.unsubscribe()
    await expect.poll(() => subscribe(urls.here, id)).toEqual(gone)
    expect(await subscribe(urls.there, id)).toEqual(gone)
  })

  it('carries subscriptions that are too long for one notification', async () => {
    const { ann, urls } = await start()
    const client = across(urls.there, urls.here, ann)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await client.realtime.subscribe('labels/*', resolve)
    const many = Array.from({ length: 200 }, (_, i) => `albums/${'x'.repeat(50)}${i}`)
    const id = client.realtime.clientId
    const token = ann.authStore.token
    expect((await subscribe(urls.here, id, token, [...many, 'labels/*']))[0]).toBe(204)
    const label = await ann.collection('labels').create({ name: 'Heard' })
    expect(await promise).toMatchObject({ action: 'create', record: { id: label.id } })
  })

  it('treats a session that ended meanwhile as a visitor', async () => {
    const { ann, urls } = await start()
    const client = across(urls.there, urls.here, ann)
    const heard = await collectEvents(client, 'albums', '*')
    await ann.collection('members').update(ann.me.id, {
      password: 'another horse',
      passwordConfirm: 'another horse',
      oldPassword: password,
    })
    expect((await subscribe(urls.here, client.realtime.clientId, ann.authStore.token))[0]).toBe(204)
    expect(heard.events).toEqual([])
  })

  it('hands the code of another service to a window that any process connected', async () => {
    const { urls } = await start()
    const client = across(urls.there, urls.here, undefined)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await client.realtime.subscribe('@oauth2', resolve)
    const { clientId } = client.realtime
    const address = `${urls.here}/api/oauth2-redirect?state=${clientId}&code=abc`
    const answer = await fetch(address, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('/api/oauth2-redirect/success')
    expect(await promise).toEqual({ state: clientId, code: 'abc' })
  })

  it('tells of a deletion elsewhere only those who could see it', async () => {
    const { there, ann, urls } = await start()
    const bob = await there.member('bob')
    const pictures = ann.collection('pictures')
    const albums = ann.collection('albums')
    const shown = await albums.create({ name: 'Shown' })
    const hidden = await albums.create({ name: 'Hidden', secret: true })
    await pictures.create({ album: shown.id, title: 'seen' })
    await pictures.create({ album: hidden.id, title: 'unseen' })
    const strangers = await Promise.all(
      [
        realtimeClient(urls.there),
        realtimeClient(urls.there, bob),
        realtimeClient(urls.here, bob),
      ].map((client) => collectEvents(client, 'pictures', '*', { filter: 'title ~ "seen"' })),
    )
    const broken = await collectEvents(realtimeClient(urls.there), 'pictures', '*', {
      filter: 'nothing = 1',
    })
    const own = await collectEvents(realtimeClient(urls.there, ann), 'pictures', '*')
    await albums.delete(hidden.id)
    await albums.delete(shown.id)
    for (const event of ['delete unseen', 'delete seen']) expect(await own.next()).toBe(event)
    for (const { next, events } of strangers) {
      expect(await next()).toBe('delete seen')
      expect(events).toHaveLength(1)
    }
    expect(broken.events).toEqual([])
  })

  it('treats an account’s listeners everywhere as visitors once its password is another', async () => {
    const { there, ann, urls } = await start()
    const albums = ann.collection('albums')
    const own = await collectEvents(realtimeClient(urls.there, ann), 'albums', '*')
    await albums.create({ name: 'Secret', secret: true })
    expect(await own.next()).toBe('create Secret')
    await ann.collection('members').update(ann.me.id, {
      password: 'another horse',
      passwordConfirm: 'another horse',
      oldPassword: password,
    })
    await there.records.write(async (tx) => {
      await tx.create('albums', { owner: ann.me.id, name: 'Unseen', secret: true })
      await tx.create('albums', { owner: ann.me.id, name: 'Seen' })
    })
    expect(await own.next()).toBe('create Seen')
  })

  it('judges by the account as it is now, wherever it was changed', async () => {
    const { here, there, ann, urls } = await start()
    const own = await collectEvents(realtimeClient(urls.there, ann), 'members', ann.me.id)
    await here.records.write((tx) => tx.update('members', ann.me.id, { name: 'Anna' }))
    await there.records.write((tx) => tx.update('members', ann.me.id, { name: 'Anne' }))
    expect([await own.next(), await own.next()].at(-1)).toBe('update Anne')
    await here.records.write((tx) => tx.delete('members', ann.me.id))
    expect(await own.next()).toBe('delete Anne')
  })

  it('tells all of a transaction that is too long for one notification', async () => {
    const { here, ann, urls } = await start()
    const heard = await collectEvents(realtimeClient(urls.there), 'labels', '*')
    const names = Array.from({ length: 300 }, (_, i) => `L${i}`)
    const made = await here.records.write(async (tx) => {
      const labels = []
      for (const name of names) labels.push(await tx.create('labels', { name }))
      return labels
    })
    for (const name of names) expect(await heard.next()).toBe(`create ${name}`)
    // Few at a time: who may hear of a deletion is asked for a limited time only.
    for (let from = 0; from < made.length; from += 20)
      await here.records.write(async (tx) => {
        for (const { id } of made.slice(from, from + 20)) await tx.delete('labels', id)
      })
    for (const name of names) expect(await heard.next()).toBe(`delete ${name}`)
    expect(await ann.collection('labels').getFullList()).toEqual([])
  })

  it('forgets what a process that is gone has left', async () => {
    const { here, urls } = await start()
    await here.database.transaction((tx) =>
      tx.query(`INSERT INTO _audiences VALUES (2000000000, 'x', 'p/*', 'p/*', '')`),
    )
    const client = realtimeClient(urls.here)
    await collectEvents(client, 'albums', '*')
    const left = () => here.database.query('SELECT process FROM _audiences')
    expect(await left()).toHaveLength(1)
    expect(await left()).not.toEqual([[2_000_000_000]])
    await client.realtime.unsubscribe()
    await expect.poll(left).toEqual([])
  })

  it('says nothing to anybody where nobody listens', async () => {
    const { here, ann, urls } = await start()
    const heard = await collectEvents(realtimeClient(urls.there), 'labels', '*')
    await ann.collection('albums').create({ name: 'Unheard' })
    await here.records.write((tx) => tx.create('labels', { name: 'Heard' }))
    expect(await heard.next()).toBe('create Heard')
  })

  it('turns clients away as long as it cannot hear of others', async () => {
    const database = await openPostgres(await newPostgresUrl())
    onTestFinished(() => database.close())
    const listen_ = database.listen!
    let isDown = true
    const fixture = await openFixture(async (tables) => {
      await makeTables(database, tables)
      return {
        ...database,
        listen: (...args) => (isDown ? Promise.reject(new Error('down')) : listen_(...args)),
      }
    })
    expect((await fixture.fetch('/api/realtime')).status).toBe(500)
    expect(fixture.errors).toContainEqual(expect.objectContaining({ status: 503 }))
    isDown = false
    const answer = await fixture.fetch('/api/realtime')
    expect(answer.status).toBe(200)
    await fixture.records.close()
    expect(await answer.text()).toMatch(/^id:/)
  })
})
