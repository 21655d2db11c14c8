import { expect, it, vi } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { collection, Schema, type Rule } from '#records/index.ts'
import {
  errorCodes,
  nextMail,
  openFixture,
  password,
  rejection,
  statusAndBody,
  type Fixture,
} from './fixture.ts'

const auth = {
  tokenLife: 3600,
  sessionIdle: 3600,
  sessionLife: 3600,
  otp: { digits: 6, life: 180, tries: 5 },
  mfa: { life: 0 },
}
const own = 'id = @request.auth.id'
const rules = { list: own, view: own, create: '', update: own, delete: own }
const forRobots: Rule = '@request.auth.collectionName = "robots"'

/** People and robots both sign in; what is on the belt is for robots. */
const schema = new Schema([
  collection({ name: 'people', type: 'auth', fields: [], rules, auth }),
  collection({ name: 'robots', type: 'auth', fields: [], rules, auth }),
  collection({
    name: 'belt',
    fields: [{ name: 'part', type: 'text' }],
    rules: {
      list: forRobots,
      view: '@request.auth.collectionId = "pbc_nothing"',
      create: forRobots,
      update: forRobots,
      delete: forRobots,
    },
  }),
])

const email = 'r2@example.org'
const id = 'r2d200000000000'

async function signedIn(fixture: Fixture, kind: 'people' | 'robots', more: object = {}) {
  const client = fixture.client()
  const form = { email, password, passwordConfirm: password, ...more }
  await client.collection(kind).create(form)
  await client.collection(kind).authWithPassword(email, password)
  return client
}

describeDatabases('accounts of two kinds', (open) => {
  it('are told apart by rules, and each is a stranger among the other kind', async () => {
    const fixture = await openFixture(open, { schema, hooks: {} })
    const robot = await signedIn(fixture, 'robots', { id })
    const person = await signedIn(fixture, 'people')
    const { id: bolt } = await robot.collection('belt').create({ part: 'bolt' })
    expect((await robot.collection('belt').getList()).totalItems).toBe(1)
    expect((await person.collection('belt').getList()).totalItems).toBe(0)
    expect((await rejection(person.collection('belt').create({ part: 'nut' }))).status).toBe(400)
    expect((await rejection(person.collection('belt').delete(bolt))).status).toBe(404)
    expect((await rejection(robot.collection('belt').getOne(bolt))).status).toBe(404)
    expect((await rejection(robot.collection('people').getOne(id))).status).toBe(404)
  })

  it('have ids of their own, and addresses by kind', async () => {
    const fixture = await openFixture(open, { schema, hooks: {} })
    await signedIn(fixture, 'robots', { id })
    const form = { email, password, passwordConfirm: password }
    const people = fixture.client().collection('people')
    expect(await errorCodes(people.create({ ...form, id }))).toEqual({
      id: 'validation_invalid_auth_id',
    })
    expect((await people.create(form)).collectionName).toBe('people')
    expect(await errorCodes(people.create(form))).toEqual({ email: 'validation_not_unique' })
  })

  it('use only tokens of their own kind', async () => {
    const fixture = await openFixture(open, { schema, hooks: {} })
    const robot = await signedIn(fixture, 'robots')
    const person = await signedIn(fixture, 'people')
    const wrong = 'The request requires auth record from robots collection.'
    const foreign = { data: {}, message: wrong, status: 403 }
    expect(await statusAndBody(robot.collection('people').authRefresh())).toEqual([403, foreign])
    expect(
      await statusAndBody(robot.collection('people').requestEmailChange('a@example.org')),
    ).toEqual([403, foreign])
    await person.collection('people').requestPasswordReset(email)
    const { token } = await nextMail(fixture, 'passwordReset')
    const reset = (kind: string) =>
      fixture
        .client()
        .collection(kind)
        .confirmPasswordReset(token, 'another horse', 'another horse')
    expect(await errorCodes(reset('robots'))).toEqual({
      token: 'validation_token_collection_mismatch',
    })
    expect(await reset('people')).toBe(true)
    expect((await rejection(person.collection('people').authRefresh())).status).toBe(401)
    expect((await robot.collection('robots').authRefresh()).record.collectionName).toBe('robots')
  })

  it('of which nobody proved the address belong, with a code alone, to who reads its mail', async () => {
    const fixture = await openFixture(open, { schema, hooks: {} })
    const robots = (await signedIn(fixture, 'robots')).collection('robots')
    const enter = async () => {
      const { otpId } = await robots.requestOTP(email)
      const { code } = await vi.waitUntil(() => fixture.mails.find((mail) => mail.otpId === otpId))
      return robots.authWithOTP(otpId, code)
    }
    expect((await enter()).record).toMatchObject({ email, verified: true })
    // Who chose the password had not shown to own the address.
    expect((await rejection(robots.authWithPassword(email, password))).status).toBe(400)
    expect((await enter()).record).toMatchObject({ email, verified: true })
    // Once the address is proved, a code leaves the password as it is.
    await robots.requestPasswordReset(email)
    const { token } = await nextMail(fixture, 'passwordReset')
    await robots.confirmPasswordReset(token, 'another horse', 'another horse')
    await enter()
    const { record } = await robots.authWithPassword(email, 'another horse')
    expect(record).toMatchObject({ email })
  })
})
