import { beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { linesOf, openSubscribers, type Subscribers } from './subscribers.ts'
import { idsIn, id, openFixture, type Fixture, type Caller } from './fixture.ts'

const unread =
  '{"data":{},"message":"Something went wrong while processing your request.","status":400}'
const invalid = (data: string) =>
  `{"data":${data},"message":"An error occurred while validating the submitted data.","status":400}`
const badBatch = (data: string) =>
  `{"data":{"requests":${data}},"message":"Invalid batch request data.","status":400}`
const required = '{"code":"validation_required","message":"Cannot be blank."}'
const notOneOf = '{"code":"validation_in_invalid","message":"Must be a valid value."}'
const badFormat = '{"code":"validation_invalid_format","message":"Invalid value format."}'
const tooLong = (max: number) =>
  `{"code":"validation_length_too_long","message":"The length must be no more than ${max}.","params":{"max":${max},"min":0}}`
const outOf = (max: number) =>
  `{"code":"validation_length_out_of_range","message":"The length must be between 1 and ${max}.","params":{"max":${max},"min":1}}`

const people = 'POST /collections/people'
const drop = (n: number) => ({ method: 'DELETE', url: `/api/collections/notes/records/${n}` })

/** What is wrong with what was asked, to the letter; nothing of it is done. */
describeDatabases('in whole words', (open) => {
  let fixture: Fixture
  let subscribers: Subscribers
  beforeAll(async () => {
    fixture = await openFixture(await open())
    subscribers = await openSubscribers(fixture)
    return () => fixture.records.close()
  })

  test.each<[Caller, string, unknown, string]>([
    ['', 'POST /realtime', {}, invalid(`{"clientId":${required}}`)],
    ['', 'POST /realtime', { clientId: 5 }, invalid(`{"clientId":${required}}`)],
    ['', 'POST /realtime', { clientId: 'x'.repeat(256) }, invalid(`{"clientId":${tooLong(255)}}`)],
    [
      '',
      'POST /realtime',
      { clientId: 'x', subscriptions: Array<string>(1001).fill('a') },
      invalid(`{"subscriptions":${tooLong(1000)}}`),
    ],
    [
      '',
      'POST /realtime',
      { clientId: 'x', subscriptions: ['a', 'é'.repeat(1251)] },
      invalid(`{"subscriptions":{"1":${tooLong(2500)}}}`),
    ],
    [
      '',
      'POST /realtime',
      { clientId: 'x', subscriptions: ['a', 5, 'a\nevent:x'] },
      invalid(`{"subscriptions":{"1":${badFormat},"2":${badFormat}}}`),
    ],
    ['', `${people}/auth-with-password`, { password: 'x' }, invalid(`{"identity":${required}}`)],
    [
      '',
      `${people}/auth-with-password`,
      { identity: 'x'.repeat(256), password: 'x' },
      invalid(`{"identity":${outOf(255)}}`),
    ],
    [
      '',
      `${people}/auth-with-password`,
      { identity: 'ann@example.org', password: 'x', identityField: 'name' },
      invalid(`{"identityField":${notOneOf}}`),
    ],
    [
      '',
      `${people}/auth-with-otp`,
      { otpId: 'x', password: 'x'.repeat(72) },
      invalid(`{"password":${outOf(71)}}`),
    ],
    [
      '',
      `${people}/request-otp`,
      { email: `${'x'.repeat(250)}@example.org` },
      invalid(`{"email":${outOf(255)}}`),
    ],
    [
      'ann',
      `${people}/request-email-change`,
      { newEmail: 'ann@example.org' },
      invalid('{"newEmail":{"code":"validation_not_in_invalid","message":"Must not be in list."}}'),
    ],
    [
      'ann',
      `${people}/request-email-change`,
      { newEmail: 'none' },
      invalid(
        '{"newEmail":{"code":"validation_is_email","message":"Must be a valid email address."}}',
      ),
    ],
    [
      '',
      `${people}/confirm-password-reset`,
      { token: 'x', password: 'a new horse', passwordConfirm: 'a new horse' },
      invalid(
        '{"token":{"code":"validation_invalid_token","message":"Invalid or expired token."}}',
      ),
    ],
    ['ann', 'POST /batch', {}, badBatch(required)],
    ['ann', 'POST /batch', { requests: [] }, badBatch(required)],
    [
      'ann',
      'POST /batch',
      { requests: Array.from({ length: 51 }, (_, n) => drop(n)) },
      badBatch(tooLong(50)),
    ],
    [
      'ann',
      'POST /batch',
      { requests: [null] },
      badBatch(`{"0":{"method":${required},"url":${required}}}`),
    ],
    [
      'ann',
      'POST /batch',
      { requests: [{ method: 'get', url: '/x' }] },
      badBatch(`{"0":{"method":${notOneOf}}}`),
    ],
    [
      'ann',
      'POST /batch',
      { requests: [drop(1), { method: 'POST', url: 'x'.repeat(2001) }] },
      badBatch(`{"1":{"url":${tooLong(2000)}}}`),
    ],
    [
      'ann',
      'POST /batch',
      { requests: 'x' },
      '{"data":{},"message":"Failed to read the submitted batch data.","status":400}',
    ],
  ])('as "%s" %s %j', async (who, line, send, expected) => {
    const answer = await fixture.ask(who, line, send)
    expect([answer.status, answer.text]).toEqual([400, `${expected}\n`])
  })

  test.each<[string, string, number, string]>([
    ['auth-refresh', '', 401, 'The request requires valid record authorization token.'],
    ['request-email-change', '', 401, 'The request requires valid record authorization token.'],
    [
      'auth-with-oauth2',
      '',
      403,
      'The collection is not configured to allow OAuth2 authentication.',
    ],
    ['auth-with-otp', '{"otpId":"x","password":"123456"}', 400, 'Invalid or expired MFA session.'],
    ['auth-with-password', '{', 400, 'An error occurred while loading the submitted data.'],
    ['request-otp', '[]', 400, 'An error occurred while loading the submitted data.'],
  ])('%s with %j is answered %i', async (call, send, status, message) => {
    const json = { 'Content-Type': 'application/json' }
    const { text } = await fixture.ask('', `${people}/${call}`, send, json)
    expect(text).toBe(`{"data":{},"message":"${message}","status":${status}}\n`)
  })

  test('nobody subscribes for a client that is not there', async () => {
    const { text } = await fixture.ask('ann', 'POST /realtime', {
      clientId: 'x',
      subscriptions: [],
    })
    expect(text).toBe('{"data":{},"message":"Missing or invalid client id.","status":404}\n')
  })

  describe('a list', () => {
    test.each([
      'filter=title:isset = 1',
      'filter=title:changed = true',
      'filter=title:length = 1',
      'filter=title:each = "x"',
      'filter=kinds:each:lower = "a"',
      'filter=@now',
      'filter=@now:lower = ""',
      'filter=score > - 5',
      'filter=1 = 1 ||',
      'filter=notes_via_next = "x"',
      'filter=notes_via_next:length > 0',
      'filter=#title = 1',
      'filter=strftime("%Q", due) = ""',
      'filter=geoDistance(strftime("%Y"), 1, 1, 1) > 0',
      'filter=geoDistance(title, 1, 1, 1) > 0',
      'filter=strftime(strftime(strftime(strftime("%Y"))))  = ""',
      'sort=-',
      'sort=--title',
      'sort=@now',
      'sort=collectionName',
      'fields=*:shout',
    ])('with %s is refused', async (query) => {
      const answer = await fixture.ask('', `GET notes?${query}`)
      expect([answer.status, answer.text]).toEqual([400, `${unread}\n`])
    })

    test.each([
      ['filter=score > -5', 'n1 n2 n4'],
      ['filter=title = "Alpha"\r\n', 'n1'],
      ['filter=strftime("%Y", // the year\n due) = "2026"', 'n1'],
      ['filter=data:each = "word"', 'n2'],
      ['filter=kind:each = "a"', 'n1'],
      ['filter=title ?= "Alpha"', 'n1'],
      ['filter=title ?~ "alph"', 'n1 n2'],
      ['filter=tags.id ?= "{red}"', 'n1 n2'],
      ['filter=tags.id = "{red}"', 'n2'],
      ['filter=stars > "abc"', ''],
      ['filter=due > 2026', 'n1'],
      ['filter=null != title', 'n1 n2 n4'],
      ['filter=@now = @now', 'n1 n2 n4'],
      ['filter=notes_via_next.id ?= "{n2}"', 'n1'],
      ['filter=next.next.next.next.next.next.title = ""', 'n1 n2 n4'],
      ['filter=geoDistance(place.lon, place.lat, place.lon, place.lat) = 0', 'n1 n2 n4'],
      ['filter=strftime("%Y-%m", due, "+1 month", "start of month", "-1 day") = "2026-01"', 'n1'],
      ['filter=strftime("%s", due) > 0', 'n1'],
      ['sort=kinds:length,-id', 'n4 n2 n1'],
      ['sort=notes_via_next.title,id', 'n2 n4 n1'],
      ['sort=place.lon,id', 'n2 n4 n1'],
    ])('with %s is %s', async (query, expected) => {
      const more = query.startsWith('sort') ? '' : '&sort=id'
      expect(idsIn(await fixture.ask('', `GET notes?${query}${more}`))).toBe(expected)
    })

    test.each([
      ['folder,,tags', ['folder', 'tags']],
      ['folder.', ['folder']],
      ['folder..owner', ['folder']],
      ['folder, folder.owner ,FOLDER', ['folder']],
      ['.folder', undefined],
      [',', undefined],
      ['__proto__,constructor,expand,id,collectionId', undefined],
    ])('with expand=%s includes %j', async (expand, keys) => {
      const { json } = await fixture.ask('', `GET notes/{n1}?expand=${expand}`)
      expect(json['expand'] && Object.keys(json['expand'])).toEqual(keys)
    })
  })

  test('what was signed in to answers in the form that is asked for', async () => {
    const line = `${people}/auth-refresh?fields=record.id,record.expand&expand=folders_via_owner`
    const { json } = await fixture.ask('ann', line)
    expect(json).toMatchObject({
      record: { id: id('ann'), expand: { folders_via_owner: [{ name: 'Open' }, {}] } },
    })
    expect(Object.keys(json)).toEqual(['record'])
  })

  test.each<[Caller, string, object | undefined, string]>([
    ['', 'GET /health?fields=code', undefined, '{"code":200}'],
    [
      '',
      'GET /collections/people/auth-methods?fields=otp.enabled',
      undefined,
      '{"otp":{"enabled":true}}',
    ],
    ['', `${people}/request-otp?fields=none`, { email: 'nobody@example.org' }, '{}'],
    ['ann', 'POST /files/token?fields=none', {}, '{}'],
  ])('as "%s", %s takes the form that is asked for', async (who, line, body, expected) => {
    const { text } = await fixture.ask(who, line, body)
    expect(text).toBe(`${expected}\n`)
    const refused = await fixture.ask(who, line.replace(/fields=.*/, 'fields=*:shout'), body)
    expect(refused.status).toBe(400)
  })

  test('none of it is anybody’s news', async () => {
    expect(linesOf(await subscribers.received())).toEqual({ '': [], ann: [], bob: [] })
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
