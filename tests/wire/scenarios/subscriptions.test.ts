import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { id, openFixture, schema, type Answer, type Fixture, type Caller } from './fixture.ts'

/** What follows `?options=`, as text or as what becomes JSON. */
const options = (sent: unknown) =>
  `?options=${encodeURIComponent(typeof sent === 'string' ? sent : JSON.stringify(sent))}`
const query = (sent: unknown) => options({ query: sent })
const headers = (sent: unknown) => options({ headers: sent })
const proto = (inner: string) => `{"__proto__":${inner}}`

/** In a form that reports cut short. */
const named = (topics: readonly string[]) => topics.map((topic) => ({ topic }))

/** Of a client that can send anything: what it asks to hear, and whether it hears of a change then. */
describeDatabases('a subscription', (open) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture(await open())
    return () => fixture.records.close()
  })
  beforeEach(() => fixture.reset())

  async function connect(lastEventId = '') {
    const { body } = await fixture.request('/realtime', {
      headers: { 'Last-Event-ID': lastEventId },
    })
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (mark: RegExp) => {
      for (;;) {
        const found = mark.exec(text)
        if (found) return found
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream has ended')
        text += value
      }
    }
    const clientId = (await until(/^id:(\w{40})\n/))[1]!
    const subscribe = (who: Caller, subscriptions: unknown): Promise<Answer> =>
      fixture.ask(who, 'POST /realtime', { clientId, subscriptions })
    let rung = 0
    /** @returns the names of what was heard before the bell, which must be among the topics */
    async function heard(): Promise<string[]> {
      await fixture.ask('', 'PATCH bells/{bell}', { rung: ++rung })
      const { index } = await until(new RegExp(`event:bells/\\*\\ndata:.*"rung":${rung}\\b.*\\n`))
      const names = [...text.slice(0, index).matchAll(/^event:(.*)$/gm)].map(([, name]) => name!)
      text = text.slice(index).replace(/^[^]*?\n\n/, '')
      return names.filter((name) => name !== 'PB_CONNECT')
    }
    return { clientId, subscribe, heard, close: () => reader.cancel() }
  }

  /** Subscribes, has a note changed and both doors opened, and tells which topics were heard of. */
  async function hears(topics: readonly string[], who: Caller = ''): Promise<string[]> {
    const client = await connect()
    expect((await client.subscribe(who, [...topics, 'bells/*'])).status).toBe(204)
    await fixture.ask('ann', 'PATCH notes/{n1}', { title: 'Changed' })
    await fixture.ask('', 'PATCH doors/{door}', { opened: 1 })
    await fixture.ask('ann', 'DELETE notes/{n2}')
    await fixture.ask('', 'DELETE doors/{door}')
    const events = await client.heard()
    await client.close()
    return [...new Set(events)].toSorted()
  }

  test.each(
    named([
      'notes/*',
      'notes',
      'notes/*?',
      'notes/*?x=1',
      'notes/*?options',
      'notes/*?options=',
      'notes/*?options=%ZZ',
      'notes/*?options=%00',
      'notes/*?options=%ff',
      `notes/*${options('{}')}`,
      `notes/*${options('null')}`,
      `notes/*${options('5')}`,
      `notes/*${options('true')}`,
      `notes/*${options('"query"')}`,
      `notes/*${options('[]')}`,
      `notes/*${options('[[{"query":{"filter":"x"}}]]')}`,
      `notes/*${options('{broken')}`,
      `notes/*${options('{"query":')}`,
      `notes/*${options(proto('{"query":{"filter":"x"}}'))}`,
      `notes/*${options(`{"query":${proto('{"filter":"x"}')}}`)}`,
      `notes/*${options(`{"query":${proto('"x"')},"headers":${proto('5')}}`)}`,
      `notes/*${options('{"constructor":{"query":{"filter":"x"}},"toString":1}')}`,
      `notes/*${query({ constructor: 'x', toString: 'x', hasOwnProperty: 5, valueOf: null })}`,
      `notes/*${query(null)}`,
      `notes/*${query(5)}`,
      `notes/*${query('filter')}`,
      `notes/*${query(['filter'])}`,
      `notes/*${query({ filter: '' })}`,
      `notes/*${query({ filter: null, expand: null, fields: null })}`,
      `notes/*${query({ expand: 5, fields: 7 })}`,
      `notes/*${query({ expand: { a: [] }, page: {}, sort: 'nothing', '': '' })}`,
      `notes/*${query({ expand: 'nothing,owner.email,__proto__', fields: '__proto__,id' })}`,
      `notes/*${query({ filter: 'title != "\u{1F989}"', ключ: 'значение' })}`,
      `notes/*${query({ other: 'x'.repeat(2000) })}`,
      `notes/*${query({ expand: 'next.'.repeat(400) })}`,
      `notes/*${options(`{"query":{"a":${'['.repeat(380)}${']'.repeat(380)}}}`)}`,
      `notes/*${headers({ 'X-A': { b: [1] }, x_a: null, '': 5, 'x\ny': 'x\ny' })}`,
      `notes/*${headers(Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`h${i}`, i])))}`,
      `notes/*${query({ filter: 'title != "x"' })}&options=${encodeURIComponent('{broken')}`,
      `${schema.get('notes').id}/*${options('{"query":{},"headers":{}}')}`,
    ]),
  )('$topic hears what everybody may', async ({ topic }) => {
    expect(await hears([topic])).toEqual([topic])
  })

  test.each(
    named([
      '',
      '/',
      '?',
      '*',
      '*/*',
      'NOTES/*',
      'notes/',
      'notes/**',
      'notes/*/*',
      'notes/%2A',
      'notes/nothing',
      'notes#/*',
      ' notes/*',
      'nothing/*',
      '__proto__/*',
      'constructor/*',
      '_sessions/*',
      '_superusers/*',
      'vault/*',
      `vault/${id('v')}`,
      'digest/*',
      `digest/${id('open')}`,
      `notes/${id('n3')}`,
      `notes/*${query({ filter: 5 })}`,
      `notes/*${query({ filter: true })}`,
      `notes/*${query({ filter: [] })}`,
      `notes/*${query({ filter: ['title != ""'] })}`,
      `notes/*${query({ filter: { $ne: '' } })}`,
      `notes/*${query({ filter: 'title = ' })}`,
      `notes/*${query({ filter: ' ' })}`,
      `notes/*${query({ filter: 'hint = "canary"' })}`,
      `notes/*${query({ filter: 'folder.owner.email != "x"' })}`,
      `notes/*${query({ filter: 'folder.owner.tokenKey != "x"' })}`,
      `notes/*${query({ filter: '@request.auth.id = ""' })}`,
      `notes/*${query({ filter: '@collection.vault.word != ""' })}`,
      `notes/*${query({ filter: '__proto__ != ""' })}`,
      `notes/*${query({ filter: 'constructor.name != ""' })}`,
      `notes/*${query({ filter: 'title = "\u0000"' })}`,
      `notes/*${query({ filter: 'title = "\uD83E"' })}`,
      `notes/*${query({ filter: `${'('.repeat(1000)}1=1${')'.repeat(1000)}` })}`,
      `notes/*${query({ filter: `1=1${'||1=1'.repeat(220)}` })}`,
      `notes/*${query({ filter: `title ~ "${'%_'.repeat(450)}"` })}`,
      `notes/*${query({ fields: 'title:shout()' })}`,
      `notes/*${query({ fields: 'title:excerpt(-1)' })}`,
      `doors/*`,
      `doors/*${query({ word: ['k'] })}`,
      `doors/*${query({ word: { toString: 'k' } })}`,
      `doors/*${query({ WORD: 'k' })}`,
      `doors/*${headers({ word: 'k', 'X-Word': 'k' })}`,
      `doors/*${options(`{"query":${proto('{"word":"k"}')}}`)}`,
      `doors/*${options(proto('{"query":{"word":"k"}}'))}`,
      `doors/${id('door')}${query({ word: 'k', 'X-Word': 'k' })}`,
      `doors/${id('door')}${headers({ 'X-Word': ['k'] })}`,
      `doors/${id('door')}${headers({ 'X Word': 'k' })}`,
    ]),
  )('$topic hears nothing, and nothing goes wrong', async ({ topic }) => {
    expect(await hears([topic])).toEqual([])
  })

  test.each(
    named([
      `doors/*${query({ word: 'k' })}`,
      `doors/*${options({ query: { word: 'k' }, headers: { 'X-Word': 'other' } })}`,
      `doors/${id('door')}${headers({ 'X-Word': 'k' })}`,
      `doors/${id('door')}${headers({ x_word: 'k' })}`,
    ]),
  )('$topic hears what the rule lets those hear who say so', async ({ topic }) => {
    expect(await hears([topic])).toEqual([topic])
  })

  test('is the viewer’s by its token, whatever its options call themselves', async () => {
    const claims = [
      headers({ Authorization: 'x', Cookie: 'pb_auth=x' }),
      options({ auth: { id: id('ann') }, query: {}, body: {} }),
      query({ '@request.auth.id': id('ann') }),
    ]
    const topics = claims.map((claim) => `notes/${id('n3')}${claim}`)
    const subscriber = await connect()
    await subscriber.subscribe('', [...topics, 'bells/*'])
    await fixture.ask('ann', 'PATCH notes/{n3}', { title: 'canary again' })
    expect(await subscriber.heard()).toEqual([])
    await subscriber.subscribe('ann', [...topics, 'bells/*'])
    await fixture.ask('ann', 'PATCH notes/{n3}', { title: 'canary still' })
    expect((await subscriber.heard()).toSorted()).toEqual(topics.toSorted())
    await subscriber.close()
  })

  describe('that cannot be', () => {
    const [long, format] = ['length_too_long', 'invalid_format']
    test.each<[string, unknown, string]>([
      ['ten thousand', Array.from({ length: 10_000 }, (_, i) => `notes/${i}`), long],
      ['one too many', Array<string>(1001).fill('notes/*'), long],
      ['no text', { 0: 'notes/*' }, format],
      ['a number', 5, format],
      ['texts and others', ['notes/*', null, ['notes/*'], {}], format],
      ['half a character', ['notes/\uD83E'], format],
      ['half a character in its options', [`notes/*?options={"query":{"a":"\uDD89"}}`], format],
      ['a line of its own', ['notes/*\ndata:x'], format],
      ['a NUL', ['notes/\0'], 'invalid_json'],
    ])('%s, is refused and leaves what was there', async (_, subscriptions, code) => {
      const subscriber = await connect()
      await subscriber.subscribe('', ['notes/*', 'bells/*'])
      const answer = await subscriber.subscribe('', subscriptions)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(`"code":"validation_${code}"`)
      await fixture.ask('ann', 'PATCH notes/{n1}', { title: 'Changed' })
      expect(await subscriber.heard()).toEqual(['notes/*'])
      await subscriber.close()
    })

    test('keeps nobody else from subscribing at the same moment', async () => {
      const [bad, good] = [await connect(), await connect()]
      const [refused, taken] = await Promise.all([
        bad.subscribe('', ['notes/\uD83E', 'notes/*']),
        good.subscribe('', ['notes/*', 'bells/*']),
      ])
      expect([refused.status, taken.status]).toEqual([400, 204])
      await fixture.ask('ann', 'PATCH notes/{n1}', { title: 'Changed' })
      expect(await good.heard()).toEqual(['notes/*'])
      await Promise.all([bad.close(), good.close()])
    })
  })

  test('begins anew with every connection: nothing is told of before, to nobody', async () => {
    const before = await connect()
    await before.subscribe('ann', ['notes/*', 'bells/*'])
    await fixture.ask('ann', 'PATCH notes/{n3}', { title: 'canary again' })
    const after = await connect(before.clientId)
    expect(after.clientId).not.toBe(before.clientId)
    await after.subscribe('', ['notes/*', 'bells/*'])
    expect(await after.heard()).toEqual([])
    await Promise.all([before.close(), after.close()])
  })

  test('of somebody else is refused in the words of PocketBase', async () => {
    const subscriber = await connect()
    await subscriber.subscribe('ann', ['notes/*', 'bells/*'])
    for (const who of ['bob', ''] as const) {
      const { text } = await subscriber.subscribe(who, [])
      expect(text).toBe(
        `{"data":{},"message":"The current and the previous request authorization don't match.","status":403}\n`,
      )
    }
    await fixture.ask('ann', 'PATCH notes/{n3}', { title: 'canary again' })
    expect(await subscriber.heard()).toEqual(['notes/*'])
    await subscriber.close()
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
