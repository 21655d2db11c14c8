import type PocketBase from 'pocketbase'
import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { collection, Schema } from '#records/index.ts'
import { collectEvents, serveFixture, realtimeClient } from './realtime-client.ts'
import { openFixture, password, rejection, type Fixture } from './fixture.ts'

const auth = {
  tokenLife: 3600,
  sessionIdle: 3600,
  sessionLife: 3600,
  otp: { digits: 6, life: 180, tries: 5 },
  mfa: { life: 0 },
}
const open = { list: '', view: '', create: '', update: '', delete: '' }
const owner = { type: 'relation', collection: 'people', fill: 'viewer' } as const

/** Pages that everybody sees, each with what only its owner does. */
const fields = [
  { name: 'owner', ...owner },
  { name: 'title', type: 'text' },
  { name: 'memo', type: 'text', readable: 'owner' },
  { name: 'score', type: 'number', readable: 'owner' },
  { name: 'done', type: 'bool', readable: 'owner' },
  { name: 'data', type: 'json', readable: 'owner' },
  { name: 'kinds', type: 'select', values: ['a', 'b'], maxSelect: 2, readable: 'owner' },
  { name: 'friend', type: 'relation', collection: 'people', readable: 'owner' },
] as const

const schema = new Schema([
  collection({ name: 'people', type: 'auth', fields: [], rules: open, auth }),
  collection({ name: 'robots', type: 'auth', fields: [], rules: open, auth }),
  collection({ name: 'pages', fields, rules: open }),
  collection({
    name: 'marks',
    fields: [{ name: 'page', type: 'relation', collection: 'pages' }],
    rules: open,
  }),
])

const secret = {
  memo: 'secret',
  score: 7,
  done: true,
  data: { deep: 'secret' },
  kinds: ['a', 'b'],
}
const hidden = ['data', 'done', 'friend', 'kinds', 'memo', 'score']
const shown = ['collectionId', 'collectionName', 'id', 'owner', 'title']

async function signUp(fixture: Fixture, kind: string, name: string): Promise<PocketBase> {
  const client = fixture.client()
  const form = { email: `${name}@example.org`, password, passwordConfirm: password }
  await client.collection(kind).create({ ...form, id: name.padEnd(15, '0') })
  await client.collection(kind).authWithPassword(form.email, password)
  return client
}

async function furnish(fixture: Fixture) {
  const ann = await signUp(fixture, 'people', 'ann')
  const bob = await signUp(fixture, 'people', 'bob')
  const robot = await signUp(fixture, 'robots', 'rob')
  const friend = bob.authStore.record!.id
  const page = await ann.collection('pages').create({ title: 'Hers', ...secret, friend })
  await bob.collection('pages').create({ title: 'His' })
  await ann.collection('marks').create({ page: page.id })
  return { ann, page, others: { visitor: fixture.client(), bob, robot } }
}

const titles = async (client: PocketBase, options: object) =>
  (await client.collection('pages').getFullList(options)).map(({ title }) => String(title))

const filters = [
  'memo = "secret"',
  'memo ~ "sec"',
  'memo:lower = "secret"',
  'score > 3',
  'done = true',
  'data.deep = "secret"',
  'kinds:each ?= "a"',
  'kinds:length = 2',
  'friend != ""',
  'friend.id = "bob000000000000"',
]

describeDatabases('fields for the owner of a record', (openDatabase) => {
  const start = async () => openFixture(openDatabase, { schema, hooks: {}, limits: false })

  it('are shown to the owner, however the record is reached', async () => {
    const { ann, page } = await furnish(await start())
    const all = [...shown, ...hidden].toSorted()
    expect(Object.keys(page).toSorted()).toEqual(all)
    expect(await ann.collection('pages').getOne(page.id)).toMatchObject(secret)
    const mark = await ann.collection('marks').getFirstListItem('', { expand: 'page' })
    expect(mark.expand!['page']).toMatchObject(secret)
    const [own, his] = await ann.collection('pages').getFullList({ sort: 'title' })
    expect(own).toMatchObject(secret)
    expect(Object.keys(his!).toSorted()).toEqual(shown)
    const { expand } = await ann.collection('pages').getOne(page.id, { expand: 'friend' })
    expect(expand).toMatchObject({ friend: { id: 'bob000000000000' } })
  })

  it('are missing for anyone else, however the record is reached', async () => {
    const { page, others } = await furnish(await start())
    for (const client of Object.values(others)) {
      const seen = [
        await client.collection('pages').getOne(page.id),
        (await client.collection('pages').getFullList({ sort: 'title' }))[0]!,
        (await client.collection('marks').getFirstListItem('', { expand: 'page' })).expand!['page'],
        await client.collection('pages').update(page.id, { title: 'Hers' }),
      ] as object[]
      for (const record of seen) expect(Object.keys(record).toSorted()).toEqual(shown)
      const options = { expand: 'friend', fields: `*,expand.*,${hidden.join()}` }
      const { expand, ...rest } = await client.collection('pages').getOne(page.id, options)
      expect(expand).toEqual({})
      expect(Object.keys(rest).toSorted()).toEqual(shown)
    }
  })

  it.each(filters)('answer their owner and say nothing to others: %s', async (filter) => {
    const { ann, others } = await furnish(await start())
    const { bob, visitor, robot } = others
    expect(await titles(ann, { filter })).toEqual(['Hers'])
    expect(await titles(bob, { filter })).not.toContain('Hers')
    const through = (client: PocketBase) =>
      client.collection('marks').getList(1, 1, { filter: filter.replace(/^(\w)/, 'page.$1') })
    expect((await through(ann)).totalItems).toBe(1)
    expect((await through(bob)).totalItems).toBe(0)
    for (const client of [visitor, robot])
      expect((await rejection(titles(client, { filter }))).status).toBe(400)
  })

  it('put the records of others in no order', async () => {
    const { ann, others } = await furnish(await start())
    for (const field of ['memo', 'score', 'done', 'data']) {
      expect(await titles(ann, { sort: `-${field}` })).toEqual(['Hers', 'His'])
      const ids = await others.bob.collection('pages').getFullList({ sort: 'id' })
      const sorted = await others.bob.collection('pages').getFullList({ sort: `-${field},id` })
      const his = (record: Record<string, unknown>) => record['title'] === 'His'
      expect(sorted.filter((one) => !his(one))).toEqual(ids.filter((one) => !his(one)))
      for (const client of [others.visitor, others.robot])
        expect((await rejection(titles(client, { sort: field }))).status).toBe(400)
    }
  })

  it('order what a filter keeps to the viewer’s own, and nothing of others', async () => {
    const { ann, others } = await furnish(await start())
    const pages = ann.collection('pages')
    for (const score of [3, 11]) await pages.create({ title: `Of ${score}`, score })
    const mine = 'owner = "ann000000000000"'
    for (const filter of [mine, `title != "x" && (${mine} && id != "x")`])
      expect(await titles(ann, { filter, sort: '-score' })).toEqual(['Of 11', 'Hers', 'Of 3'])
    const ids = await titles(others.bob, { filter: mine, sort: 'id' })
    const theirs = `(${mine} || owner = "bob000000000000") && title != "His"`
    for (const filter of [mine, theirs, `owner != "bob000000000000"`, `owner ~ "bob" || ${mine}`])
      expect(
        (await titles(others.bob, { filter, sort: '-score,id' })).filter((one) => one !== 'His'),
      ).toEqual(ids)
  })

  it('R61: send their events to the owner alone, and are left out of others', async () => {
    const fixture = await start()
    const { ann, page, others } = await furnish(fixture)
    const url = await serveFixture(fixture)
    const hers = await collectEvents(realtimeClient(url, ann), 'pages', '*')
    const his = await collectEvents(realtimeClient(url, others.bob), 'pages', page.id)
    const expectEvent = async (event: string) => {
      expect(await hers.next()).toBe(event)
      expect(await his.next()).toBe(event)
    }
    await ann.collection('pages').update(page.id, { memo: 'another' })
    expect(await hers.next()).toBe('update Hers')
    await ann.collection('pages').update(page.id, { title: 'Still hers' })
    // On PostgreSQL an update is only sent while the record is there to be read.
    await expectEvent('update Still hers')
    await ann.collection('pages').delete(page.id)
    await expectEvent('delete Still hers')
    expect(hers.records.map(({ memo }): unknown => memo)).toEqual(Array(3).fill('another'))
    for (const record of his.records) expect(Object.keys(record).toSorted()).toEqual(shown)
  })
})

it('are refused where nothing names an owner', () => {
  const memo = { name: 'memo', type: 'text', readable: 'owner' } as const
  expect(() => new Schema([collection({ name: 'pages', fields: [memo], rules: open })])).toThrow(
    'pages.memo is for the owner, but no field names the owner',
  )
})
