import { serve, type ServerType } from '@hono/node-server'
import { EventSource } from 'eventsource'
import type { AddressInfo } from 'node:net'
import PocketBase, { type RecordSubscription } from 'pocketbase'
import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { openWorld, refusal, type World } from './world.ts'

// The official client expects a browser's.
Object.assign(globalThis, { EventSource })

/** The world behind a real port, since an event stream is a connection. */
async function listen(world: World): Promise<string> {
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve(
      { fetch: world.app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
      () => resolve(started),
    )
  })
  onTestFinished(async () => {
    await world.records.close()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A client with an event stream of its own, signed in like the one given. */
function listener(url: string, like?: PocketBase): PocketBase {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  if (like) client.authStore.save(like.authStore.token, like.authStore.record)
  onTestFinished(() => client.realtime.unsubscribe())
  return client
}

/** Collects a subscription's events; `next` waits for the one after the last taken. */
async function hear(client: PocketBase, collection: string, topic: string, options = {}) {
  const events: string[] = []
  const records: Record<string, unknown>[] = []
  let wake = () => {}
  let taken = 0
  await client.collection(collection).subscribe(
    topic,
    ({ action, record }: RecordSubscription) => {
      events.push(`${action} ${record['name'] ?? record['title'] ?? record.id}`)
      records.push(record)
      wake()
    },
    options,
  )
  async function next(): Promise<string> {
    while (events.length <= taken) await new Promise<void>((resolve) => (wake = resolve))
    return events[taken++]!
  }
  return { events, records, next }
}

describeDatabases('realtime', (open) => {
  async function start() {
    const world = await openWorld(open)
    const url = await listen(world)
    const ann = await world.member('ann')
    return { world, url, ann }
  }

  it('tells of creates, updates and deletes with what the listener may see', async () => {
    const { url, ann } = await start()
    const visitor = listener(url)
    const heard = await hear(visitor, 'albums', '*', {
      expand: 'owner',
      fields: 'name,expand.owner.*',
    })
    const album = await ann.collection('albums').create({ name: 'Sea' })
    expect(await heard.next()).toBe('create Sea')
    await ann.collection('albums').update(album.id, { name: 'Hills' })
    expect(await heard.next()).toBe('update Hills')
    await ann.collection('albums').delete(album.id)
    expect(await heard.next()).toBe('delete Hills')
    const [created] = heard.records as [{ expand: { owner: Record<string, unknown> } }]
    expect(created.expand.owner).toMatchObject({ name: 'ann' })
    expect(created.expand.owner).not.toHaveProperty('email')
    expect(created).not.toHaveProperty('secret')
  })

  it('is silent about what is or becomes hidden, its deletion included', async () => {
    const { url, ann } = await start()
    const [visitor, owner] = [listener(url), listener(url, ann)]
    const heard = await hear(visitor, 'albums', '*')
    const own = await hear(owner, 'albums', '*')
    const albums = ann.collection('albums')
    const shown = await albums.create({ name: 'Shown' })
    const hidden = await albums.create({ name: 'Hidden', secret: true })
    await albums.update(shown.id, { secret: true })
    for (const event of ['create Shown', 'create Hidden', 'update Shown'])
      expect(await own.next()).toBe(event)
    await albums.delete(hidden.id)
    await albums.delete(shown.id)
    await albums.create({ name: 'Last' })
    for (const event of ['delete Hidden', 'delete Shown', 'create Last'])
      expect(await own.next()).toBe(event)
    expect([await heard.next(), await heard.next()]).toEqual(['create Shown', 'create Last'])
    expect(heard.events).toHaveLength(2)
  })

  it('tells of a cascade only what could be seen of it before', async () => {
    const { url, ann } = await start()
    const heard = await hear(listener(url), 'pictures', '*')
    const albums = ann.collection('albums')
    const pictures = ann.collection('pictures')
    const [open_, secret] = [
      await albums.create({ name: 'Open' }),
      await albums.create({ name: 'Secret', secret: true }),
    ]
    await pictures.create({ album: secret.id, title: 'unseen' })
    await pictures.create({ album: open_.id, title: 'seen' })
    expect(await heard.next()).toBe('create seen')
    await albums.delete(secret.id)
    await albums.delete(open_.id)
    expect(await heard.next()).toBe('delete seen')
  })

  it('follows one record, a filter, or nothing for a filter that may not be', async () => {
    const { url, ann } = await start()
    const albums = ann.collection('albums')
    const [sea, hills] = [
      await albums.create({ name: 'Sea' }),
      await albums.create({ name: 'Hills' }),
    ]
    const visitor = listener(url)
    const one = await hear(visitor, 'albums', sea.id)
    const filtered = await hear(visitor, 'albums', '*', { filter: 'name ~ "w" // wide' })
    const mute = await hear(visitor, 'members', '*', { filter: 'tokenKey != ""' })
    const email = await hear(visitor, 'members', '*', { filter: 'email != ""' })
    await ann.collection('members').update(ann.me.id, { name: 'Anna' })
    await albums.update(hills.id, { name: 'Wide hills' })
    await albums.update(sea.id, { name: 'Sea water' })
    expect([await filtered.next(), await filtered.next()]).toEqual([
      'update Wide hills',
      'update Sea water',
    ])
    expect(await one.next()).toBe('update Sea water')
    expect([one.events.length, mute.events.length, email.events.length]).toEqual([1, 0, 0])
  })

  it('shows an account its own address, and others not', async () => {
    const { url, ann } = await start()
    const own = await hear(listener(url, ann), 'members', '*')
    const others = await hear(listener(url), 'members', '*')
    await ann.collection('members').update(ann.me.id, { name: 'Anna' })
    expect([await own.next(), await others.next()]).toEqual(['update Anna', 'update Anna'])
    expect(own.records[0]).toHaveProperty('email')
    expect(others.records[0]).not.toHaveProperty('email')
  })

  it('says nothing of what was rolled back', async () => {
    const { world, url, ann } = await start()
    const heard = await hear(listener(url), 'albums', '*')
    const owner = ann.me.id
    await expect(
      world.records.write(async (tx) => {
        const album = await tx.create('albums', { owner, name: 'Never' })
        await tx.delete('albums', album.id)
        await tx.create('albums', { owner, name: '' })
      }),
    ).rejects.toMatchObject({ status: 400 })
    await ann.collection('albums').create({ name: 'Last' })
    expect(await heard.next()).toBe('create Last')
  })

  it('tells once of what one transaction did to a record', async () => {
    const { world, url, ann } = await start()
    const heard = await hear(listener(url), 'albums', '*')
    const owner = ann.me.id
    await world.records.write(async (tx) => {
      const kept = await tx.create('albums', { owner, name: 'First' })
      const gone = await tx.create('albums', { owner, name: 'Gone' })
      await tx.update('albums', kept.id, { name: 'Second' })
      await tx.delete('albums', gone.id)
    })
    await ann.collection('albums').create({ name: 'Last' })
    expect([await heard.next(), await heard.next()]).toEqual(['create Second', 'create Last'])
  })

  it('keeps the order of one record’s changes', async () => {
    const { url, ann } = await start()
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const picture = await ann.collection('pictures').create({ album: album.id })
    const heard = await hear(listener(url), 'pictures', picture.id)
    for (let i = 0; i < 20; i++)
      await ann.collection('pictures').update(picture.id, { stars: i + 1 })
    for (let i = 0; i < 20; i++) await heard.next()
    const stars = heard.records.map((record) => Number(record['stars']))
    expect(stars).toEqual(stars.toSorted((a, b) => a - b))
    expect(stars.at(-1)).toBe(20)
  })

  it('treats a listener as a visitor once it is signed out', async () => {
    const { world, url, ann } = await start()
    const albums = ann.collection('albums')
    const heard = await hear(listener(url, ann), 'albums', '*')
    await albums.create({ name: 'Secret', secret: true })
    expect(await heard.next()).toBe('create Secret')
    await world.records.endSessions(ann.me.id)
    await world.records.write(async (tx) => {
      await tx.create('albums', { owner: ann.me.id, name: 'Unseen', secret: true })
      await tx.create('albums', { owner: ann.me.id, name: 'Seen' })
    })
    expect(await heard.next()).toBe('create Seen')
  })

  it('lets nobody else change what a connection hears', async () => {
    const { world, url, ann } = await start()
    const bob = await world.member('bob')
    const client = listener(url, ann)
    await hear(client, 'albums', '*')
    const post = (who: PocketBase | null, clientId: string, address = '') =>
      world.fetch('/api/realtime', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Address': address,
          ...(who ? { Authorization: who.authStore.token } : {}),
        },
        body: JSON.stringify({ clientId, subscriptions: ['albums/*'] }),
      })
    const { clientId } = client.realtime
    expect(clientId).toMatch(/^[A-Za-z0-9]{40}$/)
    expect((await post(bob, clientId)).status).toBe(403)
    expect((await post(null, clientId)).status).toBe(403)
    expect((await post(ann, 'x'.repeat(40))).status).toBe(404)
    expect((await post(ann, '')).status).toBe(400)
    // The same account may have changed networks.
    expect((await post(ann, clientId, '203.0.113.7')).status).toBe(204)
    const visitor = listener(url)
    await hear(visitor, 'albums', '*')
    const answer = await post(ann, visitor.realtime.clientId, '203.0.113.7')
    expect(await answer.json()).toMatchObject({ message: 'Invalid realtime client.', status: 400 })
    expect((await refusal(bob.send('/api/realtime', { method: 'PUT' }))).status).toBe(404)
  })
})
