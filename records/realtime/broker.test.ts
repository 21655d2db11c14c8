import { afterEach, expect, it } from 'vitest'
import type { Viewer } from '../access/request.ts'
import { Broker } from './broker.ts'
import type { Client } from './client.ts'
import { parseTopic } from './topic.ts'

const minute = 60_000
let now = 0
let broker = new Broker(() => now)

afterEach(() => {
  broker.close()
  now = 0
  broker = new Broker(() => now)
})

function connect(topics: readonly string[] = [], viewer: Viewer | null = null): Client {
  const client = broker.connect('')!
  client.viewer = viewer
  broker.subscribe(client, topics.map(parseTopic))
  return client
}

function viewer(id: string, expires?: number): Viewer {
  const account = { id, collectionId: 'm', collectionName: 'members', session: 's', record: { id } }
  return { ...account, ...(expires ? { expires } : {}) }
}

/** @returns all that is sent until the stream ends */
async function read(client: Client): Promise<string> {
  return new Response(client.stream).text()
}

it('greets with an id that every message repeats', async () => {
  const client = connect(['notes/*'])
  for (const audience of broker.audiences(['n', 'notes'], 'r')) broker.send(audience, '{"a":1}')
  client.close()
  expect(await read(client)).toBe(
    `id:${client.id}\nevent:PB_CONNECT\ndata:{"clientId":"${client.id}"}\n\n` +
      `id:${client.id}\nevent:notes/*\ndata:{"a":1}\n\n`,
  )
})

it('asks once for all connections of a viewer', () => {
  const [ann, bob] = [viewer('ann'), viewer('bob')]
  for (const who of [ann, ann, bob, null, null]) connect(['notes/*', 'notes/r', 'notes/other'], who)
  connect(['n/*'], ann)
  connect(['others/*'], ann)
  const asked = broker
    .audiences(['n', 'notes'], 'r')
    .map(({ topic, viewer: who, clients }) => [topic.name, who?.id, clients.length])
  expect(asked).toEqual([
    ['n/*', 'ann', 1],
    ['notes/*', 'ann', 2],
    ['notes/*', 'bob', 1],
    ['notes/*', undefined, 2],
    ['notes/r', 'ann', 2],
    ['notes/r', 'bob', 1],
    ['notes/r', undefined, 2],
  ])
})

it('sends nothing to who was signed out or unsubscribed in between', async () => {
  const [left, gone] = [connect(['notes/*'], viewer('ann')), connect(['notes/*'], viewer('ann'))]
  const audiences = broker.audiences(['notes'], 'r')
  left.viewer = null
  broker.subscribe(gone, [])
  for (const audience of audiences) broker.send(audience, '{}')
  for (const client of [left, gone]) {
    client.close()
    expect(await read(client)).not.toContain('notes')
  }
  expect(broker.isHeard(['notes'])).toBe(false)
})

it('beats, and parts with the idle after five minutes and the old after thirty', async () => {
  const [idle, busy] = [connect(), connect(['notes/*'])]
  const ends = [read(idle), read(busy)]
  const lived = { idle: 0, busy: 0 }
  for (now = minute; now < 30 * minute; now += minute) {
    for (const audience of broker.audiences(['notes'], 'r')) broker.send(audience, '{}')
    broker.sweep()
    if (broker.find(idle.id)) lived.idle = now
    if (broker.find(busy.id)) lived.busy = now
  }
  expect(lived).toEqual({ idle: 4 * minute, busy: 29 * minute })
  now = 30 * minute
  broker.sweep()
  expect(broker.find(busy.id)).toBeUndefined()
  const [heardIdle, heardBusy] = await Promise.all(ends)
  expect(heardIdle).toMatch(/\n\n(?::\n\n){4}$/)
  expect(heardBusy).toContain('event:notes/*')
})

it('forgets a viewer whose token has run out', () => {
  const client = connect([], viewer('ann', 2 * minute))
  now = minute
  broker.sweep()
  expect(client.viewer?.id).toBe('ann')
  now = 2 * minute
  broker.sweep()
  expect(client.viewer).toBeNull()
})

it('drops a reader that has stopped reading, and no other', async () => {
  const [stuck, fine] = [connect(['notes/*']), connect(['notes/*'])]
  const reader = fine.stream.getReader()
  for (let i = 0; i < 20; i++) {
    for (const audience of broker.audiences(['notes'], 'r'))
      broker.send(audience, `"${'x'.repeat(16 * 1024)}"`)
    await reader.read()
  }
  expect(broker.find(stuck.id)).toBeUndefined()
  expect(broker.find(fine.id)).toBe(fine)
  await expect(read(stuck)).rejects.toThrow('not being read')
})

it('forgets a connection that the other side closed', async () => {
  const client = connect(['notes/*'])
  await client.stream.cancel()
  expect(broker.find(client.id)).toBeUndefined()
  expect(broker.isHeard(['notes'])).toBe(false)
})

it('reads the options of a subscription', () => {
  const options = encodeURIComponent(
    JSON.stringify({ query: { filter: 'a = 1', page: 2 }, headers: { 'X-Token': 'x' } }),
  )
  expect(parseTopic(`notes/abc?options=${options}`)).toMatchObject({
    collection: 'notes',
    record: 'abc',
    query: { filter: 'a = 1', page: '2' },
    headers: { x_token: 'x' },
  })
  expect(parseTopic('notes')).toMatchObject({ collection: 'notes', record: '*', query: {} })
  expect(parseTopic('notes/*?options={broken')).toMatchObject({ record: '*', query: {} })
})

it('has room for twelve thousand', () => {
  for (let i = 0; i < 12_000; i++) connect()
  expect(broker.connect('')).toBeUndefined()
})
