import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { linesOf, openSubscribers, type Subscribers } from './subscribers.ts'
import { codesOf, id, openFixture, password, type Fixture, type Caller } from './fixture.ts'

const auth = '/collections/people'
const invalid = 'An error occurred while validating the submitted data.'

describeDatabases('signing in', (open) => {
  let fixture: Fixture
  let ask: Fixture['ask']
  let subscribers: Subscribers
  beforeAll(async () => {
    fixture = await openFixture(await open())
    subscribers = await openSubscribers(fixture)
    ask = fixture.ask
    return () => fixture.records.close()
  })
  // Signing in is nobody's news, and neither is what was refused.
  afterEach(() => expectTold([]))

  async function expectTold(lines: string[]): Promise<void> {
    expect(linesOf(await subscribers.received())).toEqual({ '': lines, ann: lines, bob: lines })
  }

  const ann = 'ann@example.org'
  const form = { identity: ann, password }

  test.each<[string, unknown, number, string, unknown]>([
    ['auth-with-password', {}, 400, invalid, { identity: 'required', password: 'required' }],
    ['auth-with-password', undefined, 400, invalid, { identity: 'required', password: 'required' }],
    ['auth-with-password', { identity: ann }, 400, invalid, { password: 'required' }],
    ['auth-with-password', { identity: '', password }, 400, invalid, { identity: 'required' }],
    ['auth-with-password', { ...form, identity: ['x'] }, 400, invalid, { identity: 'required' }],
    [
      'auth-with-password',
      { ...form, identity: 'x'.repeat(256) },
      400,
      invalid,
      { identity: 'length_out_of_range' },
    ],
    [
      'auth-with-password',
      { ...form, password: 'x'.repeat(256) },
      400,
      invalid,
      { password: 'length_out_of_range' },
    ],
    [
      'auth-with-password',
      { ...form, identityField: 'name' },
      400,
      invalid,
      { identityField: 'in_invalid' },
    ],
    ['auth-with-password', { ...form, identityField: 'email' }, 401, '', 401],
    ['auth-with-password', form, 401, '', 401],
    [
      'auth-with-password',
      { ...form, password: `${password} ` },
      400,
      'Failed to authenticate.',
      400,
    ],
    [
      'auth-with-password',
      { ...form, password: password.toUpperCase() },
      400,
      'Failed to authenticate.',
      400,
    ],
    [
      'auth-with-password',
      { ...form, identity: 'nobody@example.org' },
      400,
      'Failed to authenticate.',
      400,
    ],
    ['auth-with-password', { ...form, identity: 'ann' }, 400, 'Failed to authenticate.', 400],
    ['request-otp', {}, 400, invalid, { email: 'required' }],
    ['request-otp', { email: 'no address' }, 400, invalid, { email: 'is_email' }],
    [
      'request-otp',
      { email: `${'x'.repeat(250)}@example.org` },
      400,
      invalid,
      { email: 'length_out_of_range' },
    ],
    ['request-otp', { email: ann }, 200, '', 200],
    ['request-otp', { email: 'nobody@example.org' }, 200, '', 200],
    ['auth-with-otp', {}, 400, invalid, { otpId: 'required', password: 'required' }],
    ['auth-with-otp', { otpId: 'x' }, 400, invalid, { password: 'required' }],
    [
      'auth-with-otp',
      { otpId: 'x', password: 'x'.repeat(72) },
      400,
      invalid,
      { password: 'length_out_of_range' },
    ],
    [
      'auth-with-otp',
      { otpId: 'x', password: '123456' },
      400,
      'Invalid or expired MFA session.',
      400,
    ],
    [
      'auth-with-otp',
      { otpId: 'x', password: '123456', mfaId: 'x' },
      400,
      'Invalid or expired MFA session.',
      400,
    ],
    ['auth-refresh', undefined, 401, 'The request requires valid record authorization token.', 401],
    ['request-password-reset', {}, 400, invalid, { email: 'required' }],
    ['request-password-reset', { email: ann }, 204, '', 204],
    ['request-password-reset', { email: 'nobody@example.org' }, 204, '', 204],
    ['request-verification', { email: 'nobody@example.org' }, 204, '', 204],
    ['confirm-verification', {}, 400, invalid, { token: 'required' }],
    ['confirm-verification', { token: 'x' }, 400, invalid, { token: 'invalid_token' }],
    [
      'confirm-password-reset',
      { token: 'x', password, passwordConfirm: password },
      400,
      invalid,
      { token: 'invalid_token' },
    ],
    [
      'confirm-email-change',
      { token: 'x', password },
      400,
      invalid,
      { token: 'invalid_token', password: 'invalid_password' },
    ],
    [
      'confirm-email-change',
      { token: 'x' },
      400,
      invalid,
      { token: 'invalid_token', password: 'required' },
    ],
    ['impersonate/x', {}, 404, "The requested resource wasn't found.", 404],
    ['auth-with-nothing', {}, 404, "The requested resource wasn't found.", 404],
  ])('%s %j: %i', async (call, send, status, message, codes) => {
    const answer = await ask('', `POST ${auth}/${call}`, send)
    expect(answer.status, answer.text).toBe(status)
    expect(answer.json['message'] ?? '').toBe(message)
    expect(codesOf(answer)).toEqual(codes)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test.each<[string, string]>([
    ['notes', 'Missing or invalid auth collection context.'],
    ['digest', 'Missing or invalid auth collection context.'],
    ['nothing', 'Missing or invalid collection context.'],
    ['_superusers', 'Missing or invalid collection context.'],
  ])('nobody signs in to %s', async (name, message) => {
    for (const line of ['POST auth-with-password', 'POST request-otp', 'GET auth-methods']) {
      const answer = await ask('', line.replace(' ', ` /collections/${name}/`))
      expect([answer.status, answer.json['message']]).toEqual([404, message])
    }
  })

  test.each(['auth-refresh', 'request-email-change'])(
    '%s is for an account of the collection',
    async (call) => {
      const answerTo = async (who: Caller, name: string) => {
        const { status, json } = await ask(who, `POST /collections/${name}/${call}`, {})
        return [status, json['message']]
      }
      const visitor = [401, 'The request requires valid record authorization token.']
      const stranger = [403, 'The request requires auth record from people collection.']
      for (const name of ['notes', 'digest']) {
        expect(await answerTo('', name)).toEqual(visitor)
        expect(await answerTo('ann', name)).toEqual(stranger)
      }
      expect(await answerTo('', 'people')).toEqual(visitor)
      for (const who of ['', 'ann'] as const)
        expect(await answerTo(who, 'nothing')).toEqual([
          404,
          'Missing or invalid collection context.',
        ])
    },
  )

  test.each(['{', '[]', '{"a":"\\u0000"}'])('%s is no form', async (send) => {
    const headers = { 'Content-Type': 'application/json' }
    const { json } = await ask('', `POST ${auth}/auth-with-password`, send, headers)
    expect(json).toEqual({
      data: {},
      message: 'An error occurred while loading the submitted data.',
      status: 400,
    })
  })

  test('the first step gives an id and nothing else', async () => {
    const { text, json } = await ask('', `POST ${auth}/auth-with-password`, form)
    expect(text).toBe(`{"mfaId":"${String(json['mfaId'])}"}\n`)
    expect(json['mfaId']).toMatch(/^[a-z0-9]{15}$/)
  })

  test('a password is no second step', async () => {
    const first = await ask('', `POST ${auth}/auth-with-password`, form)
    const other = await ask('', `POST ${auth}/auth-with-password`, {
      identity: 'bob@example.org',
      password,
    })
    const again = async (mfaId: unknown, place = '') => {
      const { status, json } = await ask('', `POST ${auth}/auth-with-password${place}`, {
        ...form,
        mfaId,
      })
      return [status, json['message']]
    }
    const another = [400, 'A different authentication method is required.']
    expect(await again(first.json['mfaId'])).toEqual(another)
    expect(await again(undefined, `?mfaId=${String(first.json['mfaId'])}`)).toEqual(another)
    expect(await again(other.json['mfaId'])).toEqual([400, 'Invalid MFA session.'])
    expect(await again('nothing')).toEqual([400, 'Invalid or expired MFA session.'])
    expect(await again('')).toEqual([401, undefined])
    // Who does not know the password is told nothing of sessions.
    const wrong = { identity: ann, password: 'wrong', mfaId: first.json['mfaId'] }
    const refused = await ask('', `POST ${auth}/auth-with-password`, wrong)
    expect(refused.json['message']).toBe('Failed to authenticate.')
  })

  test('a code alone signs nobody in, and neither does a step of somebody else', async () => {
    const first = await ask('', `POST ${auth}/auth-with-password`, form)
    const other = await ask('', `POST ${auth}/auth-with-password`, {
      identity: 'bob@example.org',
      password,
    })
    const named = { email: ann, mfaId: first.json['mfaId'] }
    const { otpId } = (await ask('', `POST ${auth}/request-otp`, named)).json
    const code = { otpId, password: fixture.codes.get(ann) }
    for (const mfaId of [undefined, '', 'nothing', other.json['mfaId']])
      expect((await ask('', `POST ${auth}/auth-with-otp`, { ...code, mfaId })).status).toBe(400)
    // Clients send it in the query.
    const mfaId = String(first.json['mfaId'])
    const done = await ask(
      '',
      `POST ${auth}/auth-with-otp?mfaId=${mfaId}&fields=record.email`,
      code,
    )
    expect([done.status, done.json]).toEqual([200, { record: { email: ann } }])
    expect((await ask('', `POST ${auth}/auth-with-otp?mfaId=${mfaId}`, code)).status).toBe(400)
  })

  describe('a token', () => {
    let isThere = false
    async function bare(): Promise<string> {
      const token = await fixture.signIn('eve')
      // Made once; the first code proves the address.
      await expectTold(isThere ? [] : ['create people/eve', 'update people/eve'])
      isThere = true
      return token
    }
    test('is good with and without Bearer, and in any case of it', async () => {
      const token = await bare()
      for (const header of [token, `Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`]) {
        const { json } = await ask('', 'GET people/{eve}', undefined, { Authorization: header })
        expect(json['email']).toBe('eve@example.org')
      }
    })

    test('that is none is a visitor’s, and no error', async () => {
      const token = await bare()
      const [head, claims, sign] = token.split('.') as [string, string, string]
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
      const later = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
      const forged = Buffer.from(JSON.stringify({ ...later, exp: 9e9 })).toString('base64url')
      for (const bad of [
        'x',
        'Bearer',
        `${head}.${claims}.`,
        `${head}.${claims}.${sign.slice(1)}x`,
        `${none}.${claims}.`,
        `${head}.${forged}.${sign}`,
        `Basic ${token}`,
        `${token}.x`,
        `Bearer Bearer ${token}`,
      ]) {
        const headers = { Authorization: bad }
        const { status, json } = await ask('', 'GET people/{eve}', undefined, headers)
        expect([status, json['email']], bad).toEqual([200, undefined])
        expect((await ask('', `POST ${auth}/auth-refresh`, {}, headers)).status).toBe(401)
      }
    })

    test('says who, until when, and nothing secret', async () => {
      const claims = (await bare()).split('.')[1]!
      const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
      expect(Object.keys(said).toSorted()).toEqual([
        'collectionId',
        'exp',
        'gen',
        'id',
        'refreshable',
        'sid',
        'type',
      ])
      expect(said).toMatchObject({ id: id('eve'), type: 'auth' })
    })
  })

  test('a refresh gives the account with its address and a new token', async () => {
    const { status, json } = await ask('ann', `POST ${auth}/auth-refresh`, {})
    expect(status).toBe(200)
    expect(json).toMatchObject({ record: { id: id('ann'), email: ann, verified: true } })
    expect(String(json['token']).split('.')).toHaveLength(3)
  })

  test('the ways to sign in', async () => {
    const { json } = await ask('', `GET ${auth}/auth-methods?fields=mfa,otp,password`)
    expect(json).toEqual({
      mfa: { duration: 600, enabled: true },
      otp: { duration: 180, enabled: true },
      password: { enabled: true, identityFields: ['email'] },
    })
  })

  describe('an account', () => {
    const whole = { email: 'new@example.org', password, passwordConfirm: password }
    test.each<[object, unknown]>([
      [{}, { password: 'required', passwordConfirm: 'required' }],
      [{ password, passwordConfirm: password }, { email: 'required' }],
      [{ ...whole, email: '' }, { email: 'required' }],
      [{ ...whole, email: 'no address' }, { email: 'is_email' }],
      [{ ...whole, email: 'a@b' }, { email: 'is_email' }],
      [{ ...whole, email: ann }, { email: 'not_unique' }],
      [{ ...whole, email: 'ANN@Example.ORG' }, { email: 'not_unique' }],
      [
        { ...whole, password: 'short', passwordConfirm: 'short' },
        { password: 'min_text_constraint' },
      ],
      [
        { ...whole, password: 'x'.repeat(72), passwordConfirm: 'x'.repeat(72) },
        { password: 'max_text_constraint' },
      ],
      [{ ...whole, passwordConfirm: 'other words' }, { passwordConfirm: 'values_mismatch' }],
      [{ ...whole, passwordConfirm: undefined }, { passwordConfirm: 'required' }],
      [{ ...whole, verified: true }, { verified: 'values_mismatch' }],
      [{ ...whole, name: 'x'.repeat(21) }, { name: 'max_text_constraint' }],
      [{ ...whole, id: id('ann') }, { id: 'not_unique' }],
    ])('is not made of %j', async (send, expected) => {
      expect(codesOf(await ask('', 'POST people', send))).toEqual(expected)
    })

    test.each<[Caller, object, unknown]>([
      [
        'ann',
        { password: 'another one', passwordConfirm: 'another one' },
        { oldPassword: 'required' },
      ],
      ['ann', { oldPassword: password }, { password: 'required', passwordConfirm: 'required' }],
      [
        'ann',
        { oldPassword: 'wrong', password: 'another one', passwordConfirm: 'another one' },
        { oldPassword: 'invalid_old_password' },
      ],
      [
        'ann',
        { oldPassword: password, password: 'another one', passwordConfirm: 'else' },
        { passwordConfirm: 'values_mismatch' },
      ],
      ['ann', { email: 'else@example.org' }, { email: 'values_mismatch' }],
      ['ann', { email: ann }, 200],
      ['ann', { verified: false }, { verified: 'values_mismatch' }],
      ['ann', { verified: true }, 200],
      ['ann', { tokenKey: 'x'.repeat(50), code: 'x', emailVisibility: true }, 200],
      ['bob', { name: 'x' }, 404],
      ['', { name: 'x' }, 404],
    ])('as "%s" is not changed by %j', async (who, send, expected) => {
      const before = await fixture.records.find('people', id('ann'))
      expect(codesOf(await ask(who, 'PATCH people/{ann}', send))).toEqual(expected)
      expect(await fixture.records.find('people', id('ann'))).toEqual(before)
    })
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
