import { afterEach, expect, it } from 'vitest'
import type { Viewer } from '../filter/request.ts'
import { Broker } from './broker.ts'
import { Message, type Client } from './client.ts'
import { parseTopic } from './topic.ts'

const minute = 60_000
let now = 0
let broker = new Broker(() => now)

afterEach(() => {
  broker.disconnectAll()
  now = 0
  broker = new Broker(() => now)
})

const origin = { address: '', account: '' }
const idOf = (key: string) => (['n', 'notes'].includes(key) ? 'n' : undefined)
const topic = (name: string) => parseTopic(name, idOf)

function connect(topics: readonly string[] = [], viewer: Viewer | null = null): Client {
  const client = broker.connect(origin)
  broker.subscribe(client, viewer, topics.map(topic))
  return client
}

function viewer(id: string, expires?: number): Viewer {
  const account = { id, collectionId: 'm', collectionName: 'members', session: 's', record: { id } }
  return { ...account, ...(expires ? { expires } : {}) }
}

/** Sends to every subscriber to the record. */
async function say(json: string, record = 'r'): Promise<void> {
  const message = new Message(json)
  for (const audience of broker.audiences('n', record))
    await broker.send(audience.topic, audience.viewer?.id ?? '', message)
}

/** @returns everything sent until the stream ends */
async function read(client: Client): Promise<string> {
  return new Response(client.stream).text()
}

it('greets with an id that every message repeats', async () => {
  const client = connect(['notes/*'])
  const long = `"${'ü'.repeat(9000)}"`
  await say('{"a":1}')
  await say(long)
  client.close()
  expect(await read(client)).toBe(
    `id:${client.id}\nevent:PB_CONNECT\ndata:{"clientId":"${client.id}"}\n\n` +
      `id:${client.id}\nevent:notes/*\ndata:{"a":1}\n\n` +
      `id:${client.id}\nevent:notes/*\ndata:${long}\n\n`,
  )
})

it('has one audience for all connections of a viewer', () => {
  const [ann, bob] = [viewer('ann'), viewer('bob')]
  for (const who of [ann, ann, bob, null, null]) connect(['notes/*', 'notes/r', 'notes/other'], who)
  connect(['n/*', 'notes'], ann)
  connect(['others/*'], ann)
  const asked = broker
    .audiences('n', 'r')
    .map(({ topic: { name }, viewer: who }) => [name, who?.id])
  expect(asked).toEqual([
    ['notes/*', 'ann'],
    ['notes/*', 'bob'],
    ['notes/*', undefined],
    ['n/*', 'ann'],
    ['notes', 'ann'],
    ['notes/r', 'ann'],
    ['notes/r', 'bob'],
    ['notes/r', undefined],
  ])
})

it('R21: has one audience for ten thousand visitors', () => {
  const clients = Array.from({ length: 10_000 }, () => connect(['notes/*']))
  expect(broker.audiences('n', 'r')).toHaveLength(1)
  for (const client of clients) client.close()
  expect(broker.audiences('n', 'r')).toEqual([])
})

it('sends once to each of many clients, even to one that resubscribes in between', async () => {
  const clients = Array.from({ length: 600 }, () => connect(['notes/*']))
  const sending = say('{"a":1}')
  for (const client of clients) broker.subscribe(client, null, [topic('notes'), topic('notes/*')])
  await sending
  const late = await Promise.all(
    clients.map(async (client) => {
      client.close()
      return (await read(client)).split('event:notes/*').length - 1
    }),
  )
  expect(new Set(late)).toEqual(new Set([1]))
})

it('reports when an audience gets its first client and loses its last', () => {
  const told: [string, string, boolean][] = []
  broker = new Broker(
    () => now,
    ({ name }, account, isThere) => told.push([name, account, isThere]),
  )
  const [first, second] = [connect(['notes/*', 'others/*']), connect(['notes/*'])]
  first.close()
  broker.subscribe(second, viewer('ann'), [topic('notes/*')])
  broker.signOut(second)
  second.close()
  expect(told).toEqual([
    ['notes/*', '', true],
    ['notes/*', '', false],
    ['notes/*', 'ann', true],
    ['notes/*', 'ann', false],
    ['notes/*', '', true],
    ['notes/*', '', false],
  ])
})

it('sends nothing to clients that were signed out or unsubscribed in between', async () => {
  const [left, gone] = [connect(['notes/*'], viewer('ann')), connect(['notes/*'], viewer('ann'))]
  const audiences = broker.audiences('n', 'r')
  broker.signOut(left)
  broker.subscribe(gone, gone.viewer, [])
  for (const audience of audiences)
    await broker.send(audience.topic, audience.viewer?.id ?? '', new Message('{}'))
  for (const client of [left, gone]) {
    client.close()
    expect(await read(client)).not.toContain('notes')
  }
})

it('sends heartbeats, and disconnects idle clients after five minutes and old ones after thirty', async () => {
  const [idle, busy] = [connect(), connect(['notes/*'])]
  const ends = [read(idle), read(busy)]
  const lived = { idle: 0, busy: 0 }
  for (now = minute; now < 30 * minute; now += minute) {
    await say('{}')
    await broker.sweep()
    if (broker.find(idle.id)) lived.idle = now
    if (broker.find(busy.id)) lived.busy = now
  }
  expect(lived).toEqual({ idle: 4 * minute, busy: 29 * minute })
  now = 30 * minute
  await broker.sweep()
  expect(broker.find(busy.id)).toBeUndefined()
  const [heardIdle, heardBusy] = await Promise.all(ends)
  expect(heardIdle).toMatch(/\n\n(?::\n\n){4}$/)
  expect(heardBusy).toContain('event:notes/*')
})

it('sends heartbeats as events to those who subscribe to them', async () => {
  const client = connect(['@heartbeat'])
  await broker.sweep()
  client.close()
  expect(await read(client)).toMatch(/event:@heartbeat\ndata:\{\}\n\n$/)
})

it('signs out a viewer whose token has expired, at the latest with the next event', async () => {
  const [swept, sent] = [viewer('ann', 2 * minute), viewer('bob', 2 * minute)]
  const clients = [connect(['notes/*'], swept), connect(['notes/*'], sent)]
  now = minute
  await broker.sweep()
  expect(clients.map((client) => client.viewer?.id)).toEqual(['ann', 'bob'])
  now = 2 * minute
  await say('{}')
  await broker.sweep()
  for (const client of clients) {
    expect(client.viewer).toBeNull()
    client.close()
    expect(await read(client)).not.toContain('notes')
  }
  expect([broker.of('ann'), broker.of('bob')]).toEqual([[], []])
})

it('R21: drops a client that has stopped reading, and no other', async () => {
  const [stuck, fine] = [connect(['notes/*']), connect(['notes/*'])]
  const reader = fine.stream.getReader()
  await reader.read()
  for (let i = 0; i < 20; i++) {
    await say(`"${'x'.repeat(16 * 1024)}"`)
    for (let chunk = 0; chunk < 2; chunk++) await reader.read()
  }
  expect(broker.find(stuck.id)).toBeUndefined()
  expect(broker.find(fine.id)).toBe(fine)
  await expect(read(stuck)).rejects.toThrow('not being read')
})

it('sends a message longer than the buffer', async () => {
  const client = connect(['notes/*'])
  const reader = client.stream.getReader()
  await reader.read()
  await say(`"${'x'.repeat(512 * 1024)}"`)
  for (let chunk = 0; chunk < 2; chunk++) await reader.read()
  expect(broker.find(client.id)).toBe(client)
})

it('forgets a connection closed by the client', async () => {
  const client = connect(['notes/*'])
  await client.stream.cancel()
  expect(broker.find(client.id)).toBeUndefined()
  expect(broker.audiences('n', 'r')).toEqual([])
})

it('reads the options of a subscription', () => {
  const options = encodeURIComponent(
    JSON.stringify({ query: { filter: 'a = 1', page: 2 }, headers: { 'X-Token': 'x' } }),
  )
  expect(topic(`notes/abc?options=${options}`)).toMatchObject({
    channel: 'n/abc',
    query: { filter: 'a = 1', page: '2' },
    headers: { x_token: 'x' },
  })
  expect(topic('notes')).toMatchObject({ channel: 'n/*', query: {} })
  expect(topic('n/*?options={broken')).toMatchObject({ channel: 'n/*', query: {} })
  expect(topic('unknown/*')).toMatchObject({ channel: '' })
})

it('R21: accepts twelve thousand connections', () => {
  for (let i = 0; i < 12_000; i++) connect()
  expect(() => broker.connect(origin)).toThrow(expect.objectContaining({ status: 503 }))
})

it('accepts twenty visitors from one network, not counting its signed-in clients', () => {
  const from = (address: string, account = '') => broker.connect({ address, account })
  const many = { status: 429 }
  const visitors = Array.from({ length: 20 }, (_, i) => from(`2001:db8:0:1::${i + 1}`))
  expect(() => from('2001:db8::1:0:0:0:ffff')).toThrow(expect.objectContaining(many))
  from('2001:db8:0:2::1')
  from('2001:db8:0:1::1', 'ann')
  visitors[0]!.close()
  from('2001:db8:0:1::aa')
  // A client that signs in no longer counts as a visitor.
  broker.subscribe(visitors[1]!, viewer('bob'), [])
  from('2001:db8:0:1::bb')
  expect(() => from('2001:db8:0:1::cc')).toThrow(expect.objectContaining(many))
  for (let i = 0; i < 30; i++) from('127.0.0.1')
})

it('lets an account have ten connections', () => {
  const clients = Array.from({ length: 10 }, () => connect([], viewer('ann')))
  const eleventh = broker.connect(origin)
  const bind = () => broker.subscribe(eleventh, viewer('ann'), [])
  expect(bind).toThrow(expect.objectContaining({ status: 429 }))
  expect(eleventh.viewer).toBeNull()
  broker.subscribe(clients[0]!, viewer('ann'), [topic('notes/*')])
  clients[0]!.close()
  bind()
  expect(eleventh.viewer?.id).toBe('ann')
})

it('lets an account, and a network’s visitors, have a thousand subscriptions', () => {
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => topic(`notes/${from + i}`))
  const [first, second] = [0, 1].map((i) =>
    broker.connect({ address: `2001:db8::${i}`, account: '' }),
  )
  broker.subscribe(first!, null, many(0, 600))
  const refused = expect.objectContaining({ status: 429 })
  expect(() => broker.subscribe(second!, null, many(600, 401))).toThrow(refused)
  broker.subscribe(second!, null, many(600, 400))
  broker.subscribe(first!, null, many(0, 600))
  // An account's subscriptions count separately, and it can always be signed out.
  broker.subscribe(second!, viewer('ann'), many(0, 1000))
  expect(() => broker.subscribe(connect(), viewer('ann'), many(0, 1))).toThrow(refused)
  broker.signOut(second!)
  expect(second!.viewer).toBeNull()
  second!.close()
  broker.subscribe(first!, null, many(0, 1000))
})

it('keeps the connection of a client that hears of no records', async () => {
  const listening = connect(['notes/*'])
  const waiting = connect(['@session'])
  const fresh = broker.connect(origin)
  broker.disconnectSubscribers()
  expect(broker.find(listening.id)).toBeUndefined()
  for (const client of [waiting, fresh]) expect(broker.find(client.id)).toBe(client)
  expect(await read(listening)).toContain('PB_CONNECT')
})
