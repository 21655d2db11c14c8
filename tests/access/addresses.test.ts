import { beforeAll, describe, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { askAs, openFixture, path, type Reader, type Fixture } from './fixture.ts'

const auth = '/api/collections/users'
const nobody = 'stranger@example.org'

/** Who has an account is told by no answer; how long answers take is measured by `npm run bench -- timing`. */
describeMigratedDatabases('whether an address has an account', (open) => {
  let fixture: Fixture
  let known: Reader
  let hidden: Reader
  let another: Reader

  beforeAll(async () => {
    fixture = await openFixture(await open())
    known = await fixture.reader('known-one')
    hidden = await fixture.reader('hidden-one')
    another = await fixture.reader('another-one')
    const [settings] = await hidden.client.collection('settings').getFullList()
    await hidden.client.collection('settings').update(settings!.id, { isPrivate: true })
    return () => fixture.close()
  })

  /** Everything of an answer; ids that are made anew each time are all the same. */
  async function answerTo(method: string, address: string, body?: object, reader?: Reader) {
    const answer = await fixture.fetch(address, {
      method,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(reader && { Authorization: reader.client.authStore.token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      text: text.replace(/"otpId":"[a-z0-9]{15}"/, '"otpId":"ID"'),
      headers: [...answer.headers],
    }
  }

  const wrong = 'not the right words'
  const calls: [string, (email: string) => [address: string, body: object]][] = [
    [
      'a wrong password',
      (identity) => [`${auth}/auth-with-password`, { identity, password: wrong }],
    ],
    ['a request for a code', (email) => [`${auth}/request-otp`, { email }]],
    [
      'a request for a code in a sign-in of one’s own making',
      (email) => [`${auth}/request-otp`, { email, mfaId: 'aaaaaaaaaaaaaaa' }],
    ],
    ['a forgotten password', (email) => [`${auth}/request-password-reset`, { email }]],
    ['a request to verify', (email) => [`${auth}/request-verification`, { email }]],
  ]
  test.each(calls)('is not told by the answer to %s', async (_, call) => {
    const ask = (email: string) => answerTo('POST', ...call(email))
    const unknown = await ask(nobody)
    expect(unknown.status).toBeLessThan(401)
    for (const email of [known.email, hidden.email, known.email.toUpperCase(), another.email])
      expect(await ask(email), email).toEqual(unknown)
  })

  test('is not told to who wants the address for their own', async () => {
    const ask = (newEmail: string) =>
      answerTo('POST', `${auth}/request-email-change`, { newEmail }, another)
    const free = await ask(nobody)
    expect(free.status).toBe(204)
    for (const email of [known.email, hidden.email]) expect(await ask(email)).toEqual(free)
  })

  test('is not told to who signs in somewhere else', async () => {
    const ask = (email: string) =>
      answerTo('POST', `${auth}/auth-with-oauth2`, {
        provider: 'google',
        code: 'x',
        codeVerifier: 'x',
        redirectURL: 'http://localhost:3000/login',
        createData: { email },
      })
    const unknown = await ask(nobody)
    expect(unknown.status).toBeGreaterThanOrEqual(400)
    expect(await ask(known.email)).toEqual(unknown)
  })

  describe('is found by no', () => {
    test.each([
      (email: string) => `email = "${email}"`,
      (email: string) => `email ~ "${email.slice(0, 4)}"`,
      (email: string) => `email != "${email}"`,
      (email: string) => `email:lower > "${email.slice(0, 2)}"`,
      (email: string) => `username != "" && email ?= "${email}"`,
    ])('filter %#', async (filter) => {
      for (const reader of [undefined, another]) {
        const found = (email: string) =>
          answerTo(
            'GET',
            `${path('users')}?filter=${encodeURIComponent(filter(email))}`,
            undefined,
            reader,
          )
        expect(await found(known.email)).toEqual(await found(nobody))
      }
    })

    test('order', async () => {
      for (const sort of ['email', '-email', 'verified', 'user.email']) {
        const { status } = await askAs(fixture, another, 'GET', `${path('users')}?sort=${sort}`)
        expect([sort, status]).toEqual([sort, 400])
      }
    })
  })

  // Nobody could sign up otherwise; five times an hour and network, see tests/wire/limits.test.ts.
  test('is told at sign-up alone', async () => {
    const account = { password: wrong, passwordConfirm: wrong }
    const taken = await answerTo('POST', path('users'), { ...account, email: hidden.email })
    expect(taken.status).toBe(400)
    expect(JSON.parse(taken.text)).toMatchObject({
      data: { email: { code: 'validation_not_unique' } },
    })
  })
})
