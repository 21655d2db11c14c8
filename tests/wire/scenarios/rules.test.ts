import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientResponseError, RecordModel } from 'pocketbase'
import { expect, it, onTestFinished } from 'vitest'
import { collection, diskStorage, Schema } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { collectEvents, serveFixture, realtimeClient } from '../realtime-client.ts'
import { errorCodes, openFixture, password, rejection, statusAndBody } from '../fixture.ts'

const open = { list: '', view: '', create: '', update: '', delete: '' }
const within = (context: string) => `@request.context = "${context}"`
const email = 'ann@example.org'
const account = { email, password, passwordConfirm: password }

/** @returns the record, or with which status and which fields' errors it was refused */
async function statusOr(call: Promise<RecordModel>): Promise<Partial<RecordModel>> {
  return call.catch(({ status, response }: ClientResponseError) => ({
    status: String(status),
    wrong: response['data'] as unknown,
  }))
}

const signing = {
  tokenLife: 3600,
  sessionIdle: 3600,
  sessionLife: 3600,
  otp: { digits: 6, life: 180, tries: 5 },
}

/** Each collection can be got at by one way alone. */
const ways = new Schema([
  collection({
    name: 'people',
    type: 'auth',
    fields: [],
    rules: { ...open, create: 'verified = false' },
    auth: {
      ...signing,
      mfa: { life: 0 },
      rule: within('password'),
    },
  }),
  collection({
    name: 'robots',
    type: 'auth',
    fields: [],
    rules: open,
    auth: {
      ...signing,
      mfa: { life: 600 },
      rule: `${within('password')} || ${within('otp')}`,
    },
  }),
  collection({
    name: 'inner',
    fields: [{ name: 'word', type: 'text' }],
    rules: { ...open, view: within('expand') },
  }),
  collection({
    name: 'outer',
    fields: [{ name: 'to', type: 'relation', collection: 'inner' }],
    rules: open,
  }),
  collection({
    name: 'heard',
    fields: [{ name: 'word', type: 'text' }],
    rules: { ...open, list: within('realtime'), view: within('realtime') },
  }),
  collection({
    name: 'batched',
    fields: [{ name: 'word', type: 'text' }],
    rules: { ...open, create: within('batch'), update: within('batch'), delete: within('batch') },
  }),
  collection({
    name: 'shown',
    fields: [{ name: 'file', type: 'file' }],
    rules: { ...open, view: within('protectedFile') },
  }),
])

describeDatabases('a rule that asks by which way a request comes', (openDatabase) => {
  async function start() {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-rules-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const files = diskStorage(folder)
    return openFixture(openDatabase, { schema: ways, hooks: {}, limits: false, files })
  }

  it('knows what is included in another', async () => {
    const fixture = await start()
    const pb = fixture.client()
    const inner = await pb.collection('inner').create({ word: 'x' })
    await fixture.records.write((tx) => tx.create('outer', { to: inner.id }))
    expect((await rejection(pb.collection('inner').getOne(inner.id))).status).toBe(404)
    const [listed] = await pb.collection('outer').getFullList({ expand: 'to' })
    expect(listed?.expand).toEqual({ to: inner })
  })

  it('knows what is heard', async () => {
    const fixture = await start()
    const pb = fixture.client()
    const subscriber = realtimeClient(await serveFixture(fixture), pb)
    const [all, one] = [
      await collectEvents(subscriber, 'heard', '*'),
      await collectEvents(subscriber, 'heard', 'heard0000000000'),
    ]
    await pb.collection('heard').create({ id: 'heard0000000000', word: 'x' })
    expect(await all.next()).toBe('create heard0000000000')
    expect(await one.next()).toBe('create heard0000000000')
    expect((await pb.collection('heard').getList()).totalItems).toBe(0)
    expect((await rejection(pb.collection('heard').getOne('heard0000000000'))).status).toBe(404)
  })

  it('knows what is done together', async () => {
    const pb = (await start()).client()
    const batched = pb.collection('batched')
    const id = 'batched00000000'
    expect((await rejection(batched.create({ id }))).status).toBe(400)
    const write = (work: (of: ReturnType<typeof collectionOf>) => void) => {
      const batch = pb.createBatch()
      work(collectionOf(batch))
      return batch.send()
    }
    const collectionOf = (batch: ReturnType<typeof pb.createBatch>) => batch.collection('batched')
    await write((of) => of.create({ id }))
    expect((await rejection(batched.update(id, { word: 'x' }))).status).toBe(404)
    await write((of) => of.update(id, { word: 'x' }))
    expect((await rejection(batched.delete(id))).status).toBe(404)
    await write((of) => of.delete(id))
    expect((await batched.getList()).totalItems).toBe(0)
  })

  it('knows what only shows its file', async () => {
    const fixture = await start()
    const pb = fixture.client()
    const file = new File(['kept'], 'note.txt')
    const shown = await pb.collection('shown').create({ file })
    expect((await rejection(pb.collection('shown').getOne(shown.id))).status).toBe(404)
    const answer = await fixture.fetch(`/api/files/shown/${shown.id}/${String(shown['file'])}`)
    expect([answer.status, await answer.text()]).toEqual([200, 'kept'])
    expect(answer.headers.has('x-frame-options')).toBe(false)
  })

  it('knows how somebody signs in', async () => {
    const pb = (await start()).client()
    const people = pb.collection('people')
    await people.create(account)
    const { record } = await people.authWithPassword(email, password)
    expect(await people.getOne(record.id)).toMatchObject({ email })
    // To go on with a session is no way to sign in.
    expect(await statusAndBody(people.authRefresh())).toEqual([
      403,
      {
        data: {},
        message: "The request doesn't satisfy the collection requirements to authenticate.",
        status: 403,
      },
    ])
  })

  it('knows both steps of who needs a code', async () => {
    const fixture = await start()
    const robots = fixture.client().collection('robots')
    await robots.create(account)
    const { mfaId } = (await rejection(robots.authWithPassword(email, password))).response
    const { otpId } = await robots.requestOTP(email, { mfaId: String(mfaId) })
    const { code } = fixture.mails.at(-1)!
    const { record } = await robots.authWithOTP(otpId, code, { mfaId: String(mfaId) })
    expect(record).toMatchObject({ email })
    expect((await rejection(robots.authRefresh())).status).toBe(403)
  })

  it('takes every account that is made for not yet verified', async () => {
    const people = (await start()).client().collection('people')
    expect(await errorCodes(people.create({ ...account, verified: true }))).toEqual({
      verified: 'validation_values_mismatch',
    })
    expect((await people.create(account)).collectionName).toBe('people')
  })
})

const sent = new Schema([
  collection({
    name: 'steps',
    fields: [
      { name: 'level', type: 'number', max: 9 },
      { name: 'hint', type: 'text', readable: 'nobody' },
      { name: 'kinds', type: 'select', values: ['a', 'b', 'c'], maxSelect: 3 },
    ],
    rules: {
      ...open,
      create: 'level < 5 && @request.body.hint:isset = false',
      update: `@request.body.hint:isset = false && (@request.body.level = 3 ||
        @request.body.kinds:length = 2 || @request.body.kinds:each ?= "c")`,
    },
  }),
])

describeDatabases('a rule about what is sent', (openDatabase) => {
  const start = async () => {
    const fixture = await openFixture(openDatabase, { schema: sent, hooks: {}, limits: false })
    return fixture.client().collection('steps')
  }

  it.each([
    [{ level: 4 }, 4],
    [{ 'level+': 4 }, 4],
    [{ 'level+': 6 }, '400'],
    [{ level: 4, 'level+': 1 }, '400'],
    // What no client may set is not there for rules either.
    [{ hint: 'x' }, 0],
  ])('sees what would be made of %j', async (body, made) => {
    const record = await statusOr((await start()).create(body))
    expect(record.status ?? record['level']).toBe(made)
  })

  it.each<[object, object]>([
    [{ 'level+': 2 }, { level: 3 }],
    [{ 'level-': -2, hint: 'x' }, { level: 3 }],
    [{ 'level+': 1 }, { status: '404' }],
    [{ 'kinds+': 'b' }, { kinds: ['a', 'b'] }],
    [{ '+kinds': 'b' }, { kinds: ['b', 'a'] }],
    [{ 'kinds-': 'a' }, { status: '404' }],
    [{ 'kinds+': ['b', 'c'] }, { kinds: ['a', 'b', 'c'] }],
    // Refused by the rule before a field says what is wrong.
    [{ 'level+': 100 }, { status: '404' }],
    [{ level: 100, kinds: ['a', 'b'] }, { status: '400' }],
  ])('sees a stored record with %j applied', async (body, expected) => {
    const steps = await start()
    const { id } = await steps.create({ level: 1, kinds: ['a'] })
    expect(await statusOr(steps.update(id, body))).toMatchObject(expected)
  })
})

const toTags = { type: 'relation', collection: 'marks', maxSelect: 9 } as const
/** A collection with one rule of update; the body of an update need not say what it asks about. */
const bags = (update: string) =>
  new Schema([
    collection({
      name: 'people',
      type: 'auth',
      fields: [{ name: 'tags', ...toTags }],
      rules: open,
      auth: { ...signing, mfa: { life: 0 } },
    }),
    collection({ name: 'marks', fields: [{ name: 'name', type: 'text' }], rules: open }),
    collection({ name: 'bags', fields: [{ name: 'tags', ...toTags }], rules: open }),
    collection({
      name: 'things',
      fields: [
        { name: 'name', type: 'text' },
        { name: 'tags', ...toTags },
        { name: 'bag', type: 'relation', collection: 'bags' },
        { name: 'bags', type: 'relation', collection: 'bags', maxSelect: 3 },
      ],
      rules: { ...open, update },
    }),
  ])

describeDatabases('a rule that counts what a relation leads to', (openDatabase) => {
  const full = { bag: 'full', bags: ['full'] }
  const empty = { bag: 'empty', bags: ['empty'] }
  it.each<[string, object, boolean]>([
    ['@request.body.bag.tags:length < 4', full, true],
    ['@request.body.bag.tags:length < 4', empty, true],
    ['@request.body.bag.tags:length < 4', { name: 'x' }, false],
    ['@request.body.bag.tags:length < 4', { bag: '' }, false],
    ['@request.body.bag.tags:length = 0', { name: 'x' }, false],
    ['@request.body.bag.tags:length = 0', empty, true],
    ['@request.body.bag.tags:length != 3', { name: 'x' }, true],
    ['@request.body.bag.tags:length = ""', { name: 'x' }, true],
    ['@request.body.bags.tags:length < 4', full, true],
    ['@request.body.bags.tags:length < 4', { name: 'x' }, false],
    ['@request.body.bags.tags:length ?>= 0', { bags: [] }, false],
    ['@request.body.bag.tags:each != "x"', full, true],
    ['@request.body.bag.tags:each ~ "mark"', { name: 'x' }, false],
    ['@request.body.tags:length < 4', { name: 'x' }, true],
    ['@request.auth.tags:length < 4', { name: 'x' }, false],
    // What is stored is known, though it leads nowhere.
    ['bag.tags:length < 4', { name: 'x' }, true],
  ])('%s of %j', async (rule, body, isGranted) => {
    const fixture = await openFixture(openDatabase, {
      schema: bags(rule),
      hooks: {},
      limits: false,
    })
    const pb = fixture.client()
    const named = await Promise.all(
      ['one', 'two'].map((name) => pb.collection('marks').create({ name })),
    )
    const tags = named.map(({ id }) => id)
    await pb.collection('bags').create({ id: 'full00000000000', tags })
    await pb.collection('bags').create({ id: 'empty0000000000' })
    const { id } = await pb.collection('things').create({ name: 'thing' })
    const sent = JSON.parse(
      JSON.stringify(body).replaceAll(/full|empty/g, (name) => name.padEnd(15, '0')),
    ) as object
    const answer = await statusOr(pb.collection('things').update(id, sent))
    expect(answer.status ?? 'granted').toBe(isGranted ? 'granted' : '404')
  })
})

const odd = new Schema([
  collection({ name: 'marks', fields: [{ name: 'name', type: 'text' }], rules: open }),
  collection({
    name: 'drawers',
    fields: [
      { name: 'kinds', type: 'select', values: ['a', 'b'], maxSelect: 3 },
      { name: 'marks', type: 'relation', collection: 'marks', maxSelect: 3 },
      { name: 'kept', type: 'select', values: ['a', 'b'], maxSelect: 3, writable: 'never' },
      { name: 'data', type: 'json' },
      { name: 'place', type: 'geoPoint' },
    ],
    rules: {
      ...open,
      create: `kinds:each != "z" && marks.name != "z" && data.k != "z" && place.lon != 200 &&
        @request.body.kinds:each != "z" && @request.body.marks.name != "z" &&
        @request.body.kept:each != "z" && @request.body.data.k != "z"`,
    },
  }),
])

describeDatabases('a rule about what nobody expected', (openDatabase) => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ kept: 'no list' }, []],
    [{ kept: '[' }, []],
    [{ kept: [{ a: 1 }, null, '\uD800', ['\\ud800']] }, []],
    [{ kept: { length: 1 } }, []],
    [{ data: '[' }, []],
    [{ data: '\\u0000' }, []],
    [{ data: { k: { k: [] } } }, []],
    [{ data: ['\\ud800', '\\\\ud800'] }, []],
    [{ kinds: ['\uD800'] }, ['kinds']],
    [{ marks: ['\uDFFF'] }, ['marks']],
    [{ data: { k: '\uDC00' } }, ['data']],
    [{ data: { '\uD800': 1 } }, ['data']],
    [{ place: { lon: 'x', lat: {} } }, []],
    [{ place: [] }, []],
    [{ place: { lon: 1e300 } }, ['place']],
  ])('is asked all the same: %j', async (body, wrong) => {
    const fixture = await openFixture(openDatabase, { schema: odd, hooks: {}, limits: false })
    const made = await statusOr(fixture.client().collection('drawers').create(body))
    expect(Object.keys(made.wrong ?? {})).toEqual(wrong)
    expect(made.status).toBe(wrong.length ? '400' : undefined)
    expect(fixture.errors).toEqual([])
  })
})

const toMarks = { type: 'relation', collection: 'marks', maxSelect: 9 } as const
const toMark = { type: 'relation', collection: 'marks', required: true } as const
const linked = new Schema([
  collection({ name: 'marks', fields: [{ name: 'name', type: 'text' }], rules: open }),
  collection({
    name: 'lists',
    fields: [
      { name: 'pair', ...toMarks, minSelect: 2 },
      { name: 'needed', ...toMarks, required: true },
    ],
    rules: open,
  }),
  collection({
    name: 'heaps',
    fields: [{ name: 'all', ...toMarks, cascadeDelete: true }],
    rules: open,
  }),
  collection({ name: 'pins', fields: [{ name: 'mark', ...toMark }], rules: open }),
])

describeDatabases('what names what is deleted', (openDatabase) => {
  async function start() {
    const fixture = await openFixture(openDatabase, { schema: linked, hooks: {}, limits: false })
    const pb = fixture.client()
    const ids: string[] = []
    for (const name of ['x', 'y', 'z']) ids.push((await pb.collection('marks').create({ name })).id)
    const [x, y, z] = ids as [string, string, string]
    return { fixture, pb, x, y, z }
  }

  it('loses an id, however many it should name, until the last that it must', async () => {
    const { pb, x, y, z } = await start()
    const lists = pb.collection('lists')
    const list = await lists.create({ pair: [x, y], needed: [x, z] })
    await pb.collection('marks').delete(x)
    expect(await lists.getOne(list.id)).toMatchObject({ pair: [y], needed: [z] })
    const last = await rejection(pb.collection('marks').delete(z))
    expect([last.status, last.response['message']]).toEqual([
      400,
      'Failed to delete record. Make sure that the record is not part of a required relation reference.',
    ])
    await pb.collection('marks').delete(y)
    expect(await lists.getOne(list.id)).toMatchObject({ pair: [], needed: [z] })
  })

  it('goes along with the last that it names', async () => {
    const { pb, x, y } = await start()
    const heaps = pb.collection('heaps')
    const heap = await heaps.create({ all: [x, y] })
    await pb.collection('marks').delete(x)
    expect(await heaps.getOne(heap.id)).toMatchObject({ all: [y] })
    await pb.collection('marks').delete(y)
    expect((await rejection(heaps.getOne(heap.id))).status).toBe(404)
  })

  it('is included up to a thousand times', async () => {
    const { fixture, pb, x } = await start()
    await fixture.records.write(async (tx) => {
      for (let i = 0; i < 1001; i++) await tx.create('pins', { mark: x })
    })
    const mark = await pb.collection('marks').getOne(x, { expand: 'pins_via_mark' })
    expect(mark.expand?.['pins_via_mark']).toHaveLength(1000)
  })
})

const broken = (rules: object, manage?: string) =>
  new Schema([
    collection({
      name: 'people',
      type: 'auth',
      fields: [{ name: 'name', type: 'text' }],
      rules: { ...open, ...rules },
      auth: {
        tokenLife: 3600,
        sessionIdle: 3600,
        sessionLife: 3600,
        otp: { digits: 6, life: 180, tries: 5 },
        mfa: { life: 600 },
        ...(manage === undefined ? {} : { manage }),
      },
    }),
  ])

describeDatabases('a rule that cannot be followed', (openDatabase) => {
  it.each([
    ['gone = "x"', { list: 'gone = "x"' }],
    ['name.first = "x"', { view: 'name.first = "x"' }],
    ['name =', { create: 'name =' }],
    ['@collection.gone.id != ""', { update: '@collection.gone.id != ""' }],
    ['pets_via_owner.id != ""', { delete: 'pets_via_owner.id != ""' }],
  ])('is told before anything starts: %s', async (rule, rules) => {
    const start = openFixture(openDatabase, { schema: broken(rules), hooks: {} })
    await expect(start).rejects.toThrow(`the rule ${rule} of people is invalid`)
  })

  it('and so is one that lets everybody run accounts', async () => {
    const start = openFixture(openDatabase, { schema: broken({}, ''), hooks: {} })
    await expect(start).rejects.toThrow(
      'the manage rule of people would let everyone manage its accounts',
    )
  })
})
