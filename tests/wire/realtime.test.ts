import { connect as connectSocket } from 'node:net'
import type PocketBase from 'pocketbase'
import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { clients, collectEvents, serveFixture, realtimeClient } from './realtime-client.ts'
import { openFixture, rejection, schema, type Fixture } from './fixture.ts'

const halfDuplex = { duplex: 'half' }

/** An event stream without a client: `events` gives the names of the next ones, sorted. */
async function connect(url: string) {
  const answer = await fetch(`${url}/api/realtime`)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function message(): Promise<string | undefined> {
    while (!text.includes('\n\n')) {
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
    const [first = '', ...rest] = text.split('\n\n')
    text = rest.join('\n\n')
    return first
  }
  const greeting = await message()
  const clientId = /^id:(\w{40})\nevent:PB_CONNECT\ndata:/.exec(greeting ?? '')?.[1] ?? ''
  async function events(count: number): Promise<string[]> {
    const names: string[] = []
    while (names.length < count) {
      const next = await message()
      if (next === undefined) break
      names.push(/^event:(.*)$/m.exec(next)?.[1] ?? next)
    }
    return names.toSorted()
  }
  return { clientId, events }
}

/** An event stream whose reader reads the greeting and no more. */
async function standStill(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connectSocket(Number(port), hostname)
  socket.write(`GET /api/realtime HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.includes('\n\n')) break
  }
  socket.pause()
  onTestFinished(() => void socket.destroy())
  return {
    clientId: /"clientId":"(\w{40})"/.exec(text)?.[1] ?? '',
    closed: () =>
      new Promise<void>((resolve) => {
        socket.on('error', () => resolve()).on('close', () => resolve())
        socket.resume()
      }),
  }
}

async function subscribe(
  fixture: Fixture,
  clientId: string,
  subscriptions: readonly string[],
  who: PocketBase | null = null,
  address = '',
): Promise<number> {
  return (await askToSubscribe(fixture, clientId, subscriptions, who, address)).status
}

function askToSubscribe(
  fixture: Fixture,
  clientId: string,
  subscriptions: readonly string[],
  who: PocketBase | null,
  address = '',
) {
  return fixture.fetch('/api/realtime', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Address': address,
      ...(who ? { Authorization: who.authStore.token } : {}),
    },
    body: JSON.stringify({ clientId, subscriptions }),
  })
}

function sessionCookie({ authStore }: PocketBase): string {
  const { token, record } = authStore
  return `pb_auth=${encodeURIComponent(JSON.stringify({ token, record }))}`
}

describeDatabases('realtime', (open, dialect) => {
  async function start() {
    const fixture = await openFixture(open)
    const url = await serveFixture(fixture)
    const ann = await fixture.member('ann')
    return { fixture, url, ann }
  }

  it.each(Object.keys(clients))(
    'tells of creates, updates and deletes (client %s)',
    async (name) => {
      const { url, ann } = await start()
      const visitor = realtimeClient(url, undefined, clients[name])
      const heard = await collectEvents(visitor, 'albums', '*', {
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
    },
  )

  const lastChange = async (fixture: Fixture, clientId: string, who: PocketBase) =>
    (await askToSubscribe(fixture, clientId, ['albums/*'], who)).headers.get('x-last-change')

  it.runIf(dialect === 'postgres')('knows of no last change of other processes', async () => {
    const { fixture, url, ann } = await start()
    expect(await lastChange(fixture, (await connect(url)).clientId, ann)).toBeNull()
  })

  it.runIf(dialect === 'sqlite')('says when records of an account last changed', async () => {
    const { fixture, url, ann } = await start()
    const ben = await fixture.member('ben')
    const [first, second] = [await connect(url), await connect(url)]
    const ofAnn = async () => Number(await lastChange(fixture, first.clientId, ann))
    const ofBen = async () => Number(await lastChange(fixture, second.clientId, ben))
    const [before, other] = [await ofAnn(), await ofBen()]
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const created = await ofAnn()
    expect(created).toBeGreaterThan(before)
    await ann.collection('albums').delete(album.id)
    expect(await ofAnn()).toBeGreaterThan(created)
    expect(await ofBen()).toBe(other)
  })

  it('is silent about what is or becomes hidden, its deletion included', async () => {
    const { url, ann } = await start()
    const [visitor, owner] = [realtimeClient(url), realtimeClient(url, ann)]
    const heard = await collectEvents(visitor, 'albums', '*')
    const own = await collectEvents(owner, 'albums', '*')
    const albums = ann.collection('albums')
    const shown = await albums.create({ name: 'Shown' })
    expect(await own.next()).toBe('create Shown')
    const hidden = await albums.create({ name: 'Hidden', secret: true })
    await albums.update(shown.id, { secret: true })
    for (const event of ['create Hidden', 'update Shown']) expect(await own.next()).toBe(event)
    await albums.delete(hidden.id)
    await albums.delete(shown.id)
    await albums.create({ name: 'Last' })
    for (const event of ['delete Hidden', 'delete Shown', 'create Last'])
      expect(await own.next()).toBe(event)
    expect([await heard.next(), await heard.next()]).toEqual(['create Shown', 'create Last'])
    expect(heard.events).toHaveLength(2)
  })

  it('sends only those events of a cascade whose records could be seen before', async () => {
    const { url, ann } = await start()
    const heard = await collectEvents(realtimeClient(url), 'pictures', '*')
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
    const visitor = realtimeClient(url)
    const one = await collectEvents(visitor, 'albums', sea.id)
    const filtered = await collectEvents(visitor, 'albums', '*', { filter: 'name ~ "w" // wide' })
    const mute = await collectEvents(visitor, 'members', '*', { filter: 'tokenKey != ""' })
    const email = await collectEvents(visitor, 'members', '*', { filter: 'email != ""' })
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

  it('takes fifty subscriptions with a filter and no more', async () => {
    const { fixture, url } = await start()
    const { clientId } = await connect(url)
    const topics = Array.from({ length: 51 }, (_, i) => {
      const options = JSON.stringify({ query: { filter: `name != "${i}"` } })
      return `albums/*?options=${encodeURIComponent(options)}`
    })
    const plain = Array.from({ length: 100 }, (_, i) => `albums/record${i}`)
    expect(await subscribe(fixture, clientId, [...topics.slice(1), ...plain])).toBe(204)
    const answer = await fixture.fetch('/api/realtime', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ clientId, subscriptions: topics }),
    })
    expect(await answer.json()).toMatchObject({
      status: 400,
      data: { subscriptions: { code: 'validation_length_too_long', params: { max: 50 } } },
    })
  })

  it('shows an account its own address, and others not', async () => {
    const { url, ann } = await start()
    const own = await collectEvents(realtimeClient(url, ann), 'members', '*')
    const others = await collectEvents(realtimeClient(url), 'members', '*')
    await ann.collection('members').update(ann.me.id, { name: 'Anna' })
    expect([await own.next(), await others.next()]).toEqual(['update Anna', 'update Anna'])
    expect(own.records[0]).toHaveProperty('email')
    expect(others.records[0]).not.toHaveProperty('email')
  })

  it('sends no events for a transaction that was rolled back', async () => {
    const { fixture, url, ann } = await start()
    const heard = await collectEvents(realtimeClient(url), 'albums', '*')
    const owner = ann.me.id
    await expect(
      fixture.records.write(async (tx) => {
        const album = await tx.create('albums', { owner, name: 'Never' })
        await tx.delete('albums', album.id)
        await tx.create('albums', { owner, name: '' })
      }),
    ).rejects.toMatchObject({ status: 400 })
    await ann.collection('albums').create({ name: 'Last' })
    expect(await heard.next()).toBe('create Last')
  })

  it('sends one event for all that a transaction did to a record', async () => {
    const { fixture, url, ann } = await start()
    const heard = await collectEvents(realtimeClient(url), 'albums', '*')
    const owner = ann.me.id
    await fixture.records.write(async (tx) => {
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
    const heard = await collectEvents(realtimeClient(url), 'pictures', picture.id)
    for (let i = 0; i < 20; i++)
      await ann.collection('pictures').update(picture.id, { stars: i + 1 })
    for (let i = 0; i < 20; i++) await heard.next()
    const stars = heard.records.map((record) => Number(record['stars']))
    expect(stars).toEqual(stars.toSorted((a, b) => a - b))
    expect(stars.at(-1)).toBe(20)
  })

  it('treats a listener as a visitor once it is signed out', async () => {
    const { fixture, url, ann } = await start()
    const albums = ann.collection('albums')
    const heard = await collectEvents(realtimeClient(url, ann), 'albums', '*')
    await albums.create({ name: 'Secret', secret: true })
    expect(await heard.next()).toBe('create Secret')
    await fixture.records.endSessions(ann.me.id)
    await fixture.records.write(async (tx) => {
      await tx.create('albums', { owner: ann.me.id, name: 'Unseen', secret: true })
      await tx.create('albums', { owner: ann.me.id, name: 'Seen' })
    })
    expect(await heard.next()).toBe('create Seen')
  })

  it('lets a connection go on as a visitor’s before it has heard that its session ended', async () => {
    const { fixture, url, ann } = await start()
    const { clientId } = await connect(url)
    expect(await subscribe(fixture, clientId, ['notes/*'], ann)).toBe(204)
    expect(await subscribe(fixture, clientId, [])).toBe(403)
    // By another process, say, whose word is still on its way.
    await fixture.database.transaction((tx) =>
      tx.query(`DELETE FROM _sessions WHERE record = '${ann.me.id}'`),
    )
    expect(await subscribe(fixture, clientId, [])).toBe(204)
  })

  it('lets nobody else change a connection’s subscriptions', async () => {
    const { fixture, url, ann } = await start()
    const bob = await fixture.member('bob')
    const client = realtimeClient(url, ann)
    await collectEvents(client, 'albums', '*')
    const post = (who: PocketBase | null, clientId: string, address = '') =>
      fixture.fetch('/api/realtime', {
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
    const visitor = realtimeClient(url)
    await collectEvents(visitor, 'albums', '*')
    const answer = await post(ann, visitor.realtime.clientId, '203.0.113.7')
    expect(await answer.json()).toMatchObject({ message: 'Invalid realtime client.', status: 400 })
    expect((await rejection(bob.send('/api/realtime', { method: 'PUT' }))).status).toBe(404)
  })

  it('knows a collection by its id, its exact name, or the name alone', async () => {
    const { fixture, url, ann } = await start()
    const { clientId, events } = await connect(url)
    const { id } = schema.get('albums')
    const topics = ['albums', 'albums/*', `${id}/*`, id, 'ALBUMS/*', 'nothing/*', 'albums/x/y']
    expect(await subscribe(fixture, clientId, topics, ann)).toBe(204)
    const { id: album } = await ann.collection('albums').create({ name: 'Sea' })
    expect(await events(4)).toEqual(['albums/*', `${id}/*`, 'albums', id].toSorted())
    expect(await subscribe(fixture, clientId, [`albums/${album}`, `${id}/${album}`], ann)).toBe(204)
    await ann.collection('albums').update(album, { name: 'Hills' })
    expect(await events(2)).toEqual([`albums/${album}`, `${id}/${album}`].toSorted())
  })

  it('lets rules and filters see the options, and refuses hidden things in them', async () => {
    const { fixture, url, ann } = await start()
    const { clientId, events } = await connect(url)
    const topic = (query: object) =>
      `albums/*?options=${encodeURIComponent(JSON.stringify({ query, headers: { 'X-A': '1' } }))}`
    const heard = topic({ filter: 'name = "Sea"' })
    const mute = [
      topic({ filter: '@request.auth.id = ""' }),
      topic({ filter: '@collection.members.name = "ann"' }),
      topic({ filter: 'owner.tokenKey != ""' }),
      topic({ filter: 'name = ' }),
      topic({ fields: 'name:nothing()' }),
      topic({ filter: 'name = "Hills"' }),
    ]
    expect(await subscribe(fixture, clientId, [...mute, heard])).toBe(204)
    await ann.collection('albums').create({ name: 'Sea' })
    expect(await events(1)).toEqual([heard])
    expect(fixture.errors).toEqual([])
  })

  it('sends an update when a record becomes visible', async () => {
    const { url, ann } = await start()
    const heard = await collectEvents(realtimeClient(url), 'albums', '*')
    const own = await collectEvents(realtimeClient(url, ann), 'albums', '*')
    const album = await ann.collection('albums').create({ name: 'Quiet', secret: true })
    expect(await own.next()).toBe('create Quiet')
    await ann.collection('albums').update(album.id, { name: 'Loud', secret: false })
    expect(await heard.next()).toBe('update Loud')
    expect(heard.events).toHaveLength(1)
  })

  it('sends an update for a record that one transaction deleted and made again', async () => {
    const { fixture, url, ann } = await start()
    const owner = ann.me.id
    const { id } = await ann.collection('albums').create({ name: 'Sea' })
    const heard = await collectEvents(realtimeClient(url), 'albums', '*')
    await fixture.records.write(async (tx) => {
      await tx.delete('albums', id)
      await tx.create('albums', { id, owner, name: 'Hills' })
    })
    expect(await heard.next()).toBe('update Hills')
  })

  it('treats a listener as a visitor once its token has run out', async () => {
    const { fixture, url, ann } = await start()
    const heard = await collectEvents(realtimeClient(url, ann), 'albums', '*')
    await ann.collection('albums').create({ name: 'Secret', secret: true })
    expect(await heard.next()).toBe('create Secret')
    fixture.wait(5 * 86_400 + 1)
    await fixture.records.write(async (tx) => {
      await tx.create('albums', { owner: ann.me.id, name: 'Unseen', secret: true })
      await tx.create('albums', { owner: ann.me.id, name: 'Seen' })
    })
    expect(await heard.next()).toBe('create Seen')
    expect(heard.events).toHaveLength(2)
  })

  it('does not take a session that ended while its request was on the way', async () => {
    const { fixture, url, ann } = await start()
    const { clientId, events } = await connect(url)
    const text = JSON.stringify({ clientId, subscriptions: ['albums/*'] })
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          ask()
          await ended
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'Content-Type': 'application/json', Authorization: ann.authStore.token }
    const answer = fixture.fetch('/api/realtime', { method: 'POST', headers, body, ...halfDuplex })
    await asked
    await fixture.records.endSessions(ann.me.id)
    end()
    expect((await answer).status).toBe(204)
    await fixture.records.write(async (tx) => {
      await tx.create('albums', { owner: ann.me.id, name: 'Unseen', secret: true })
      await tx.create('albums', { owner: ann.me.id, name: 'Seen' })
    })
    expect(await events(1)).toEqual(['albums/*'])
    await fixture.records.close()
    expect(await events(1)).toEqual([])
  })

  it('lets twenty visitors of one network and ten of an account’s connections in', async () => {
    const { fixture, ann } = await start()
    const open_ = async (address: string) => {
      const answer = await fixture.fetch('/api/realtime', { headers: { 'X-Address': address } })
      if (answer.status !== 200) return { status: answer.status, clientId: '' }
      const { value } = await answer.body!.getReader().read()
      const clientId = /^id:(\w{40})\n/.exec(new TextDecoder().decode(value))?.[1] ?? ''
      return { status: 200, clientId }
    }
    for (let i = 0; i < 20; i++) expect((await open_(`2001:db8::${i}`)).status).toBe(200)
    expect((await open_('2001:db8::ffff')).status).toBe(429)
    for (let i = 0; i < 10; i++) {
      const { clientId } = await open_(`203.0.113.${i}`)
      expect(await subscribe(fixture, clientId, [], ann, `203.0.113.${i}`)).toBe(204)
    }
    const { clientId } = await open_('203.0.113.99')
    expect(await subscribe(fixture, clientId, [], ann, '203.0.113.99')).toBe(429)
    expect(await subscribe(fixture, clientId, [], null, '203.0.113.99')).toBe(204)
  })

  it('R21: closes the connection of a client that stopped reading, and no other', async () => {
    const { fixture, url, ann } = await start()
    const album = await ann.collection('albums').create({ name: 'Sea' })
    await fixture.records.write(async (tx) => {
      for (let i = 0; i < 50; i++)
        await tx.create('pictures', { album: album.id, title: `${i}`.padEnd(5000, 'x') })
    })
    const stuck = await standStill(url)
    const { clientId, events } = await connect(url)
    const query = { expand: 'pictures_via_album' }
    const topic = `albums/*?options=${encodeURIComponent(JSON.stringify({ query }))}`
    for (const id of [stuck.clientId, clientId])
      expect(await subscribe(fixture, id, [topic])).toBe(204)
    let told = 0
    // A quarter of a megabyte each; the system's own buffers take some megabytes.
    while ((await subscribe(fixture, stuck.clientId, [topic])) === 204 && told < 200) {
      await ann.collection('albums').update(album.id, { name: `Sea ${told++}` })
      expect(await events(1)).toEqual([topic])
    }
    expect(told).toBeLessThan(200)
    expect(await subscribe(fixture, clientId, [topic])).toBe(204)
    await stuck.closed()
  })

  it('binds a visitor’s connection to its network, or to the account its cookie names', async () => {
    const { fixture, ann } = await start()
    const headers = { Cookie: sessionCookie(ann), 'X-Address': '2001:db8::1' }
    const answer = await fixture.fetch('/api/realtime', { headers })
    const { value } = await answer.body!.getReader().read()
    const clientId = /^id:(\w{40})\n/.exec(new TextDecoder().decode(value))?.[1] ?? ''
    const bob = await fixture.member('bob')
    expect(await subscribe(fixture, clientId, [], null, '198.51.100.1')).toBe(400)
    expect(await subscribe(fixture, clientId, [], bob, '198.51.100.1')).toBe(400)
    expect(await subscribe(fixture, clientId, [], null, '2001:db8::2')).toBe(204)
    // Two ways to the same server: one over IPv6, the other over IPv4.
    expect(await subscribe(fixture, clientId, [], ann, '198.51.100.1')).toBe(204)
    expect(await subscribe(fixture, clientId, [], bob, '2001:db8::1')).toBe(403)
  })
})
