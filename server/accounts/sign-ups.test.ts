import { Hono } from 'hono'
import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createRecords, type AuthMail, type Database } from '#records/index.ts'
import { createSchema } from '#server/collections/schema.ts'
import { createHooks } from '#server/open/hooks.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import rules from '#shared/sentences/rules.json' with { type: 'json' }
import type { SignUps } from '#shared/sign-up.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { inProcess } from '#tests/in-process.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import { passwordCost } from '#tests/password-cost.ts'
import { signInProviders } from './sign-in-providers.ts'
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts'

const appUrl = 'http://octavo.test'
const returnUrl = `${appUrl}/auth/google`
const password = 'the long way round'

let provider: OpenIdProvider
beforeAll(async () => void (provider = await openProvider([returnUrl])))
afterAll(() => provider.close())

let time: number
beforeEach(() => void (time = Date.parse('2026-03-01T12:00:00Z')))
const now = () => new Date(time)

interface Site {
  signUps?: SignUps
  signInCode?: boolean
}

async function openSite(database: Database, { signUps = 'open', signInCode = true }: Site) {
  const mails: AuthMail[] = []
  const records = createRecords({
    database,
    schema: createSchema('free', signInCode),
    secret: 'a secret for tests that is long enough',
    passwordCost,
    hooks: createHooks({ planDefault: 'free', signUps, now }),
    appUrl,
    onOtp: () => undefined,
    onMail: (mail) => void mails.push(mail),
    oauth2: signInProviders({ providers: [provider.provider], appUrl }),
    now,
  })
  onTestFinished(() => records.close())
  const app = new Hono().route('/', records.routes)
  return { records, mails, visitor: () => inProcess(app, appUrl) }
}

const form = (name: string, more: object = {}) => ({
  email: `${name}@example.org`,
  password,
  passwordConfirm: password,
  ...more,
})

const signUp = (client: PocketBase, name: string, more?: object) =>
  client.collection('users').create(form(name, more))

async function withGoogle(client: PocketBase, name: string, createData?: object) {
  const email = `${name}@example.org`
  provider.people.set(name, { sub: name, email, email_verified: true, name })
  const users = client.collection('users')
  const [google] = (await users.listAuthMethods()).oauth2.providers
  const back = await provider.visit(google!.authURL + returnUrl, name)
  const code = back.searchParams.get('code') ?? ''
  return users.authWithOAuth2Code('google', code, google!.codeVerifier, returnUrl, createData)
}

async function inBatch(client: PocketBase, ...forms: object[]) {
  const batch = client.createBatch()
  for (const one of forms) batch.collection('users').create(one)
  return batch.send()
}

const refusal = (status: number, message: string) => ({ status, response: { message } })
const uninvited = refusal(400, rules.invitationRequired)
const spent = refusal(400, rules.invitationSpent)
const closed = refusal(403, answers.signUpsClosed)

/** @returns how many accounts there are */
async function countOf(database: Database): Promise<number> {
  return Number((await database.query('SELECT COUNT(*) FROM users'))[0]?.[0])
}

describeMigratedDatabases('sign-ups', (open) => {
  test('need no invitation where they are open', async () => {
    const database = await open()
    const { visitor } = await openSite(database, {})
    await signUp(visitor(), 'ann')
    await signUp(visitor(), 'bea', { invitation: 'whatever' })
    await withGoogle(visitor(), 'cid')
    expect(await countOf(database)).toBe(3)
  })

  test('by invitation let one person in for each', async () => {
    const database = await open()
    const { visitor } = await openSite(database, { signUps: 'invitation' })
    await expect(signUp(visitor(), 'ann')).rejects.toMatchObject(uninvited)
    await expect(signUp(visitor(), 'ann', { invitation: '' })).rejects.toMatchObject(uninvited)
    await expect(signUp(visitor(), 'ann', { invitation: ['x'] })).rejects.toMatchObject(uninvited)
    await expect(signUp(visitor(), 'ann', { invitation: 'x' })).rejects.toMatchObject(spent)
    const { id, key: invitation } = await createInvitation(database, 7, now())
    await expect(signUp(visitor(), 'ann', { invitation: id })).rejects.toMatchObject(spent)
    // What is wrong with the form uses nothing up.
    await expect(signUp(visitor(), 'ann', { invitation, username: 'admin' })).rejects.toMatchObject(
      { status: 400, response: { data: { username: {} } } },
    )
    expect(await listInvitations(database, now())).toMatchObject([{ id }])
    await signUp(visitor(), 'ann', { invitation })
    await expect(signUp(visitor(), 'bea', { invitation })).rejects.toMatchObject(spent)
    expect(await listInvitations(database, now())).toEqual([])
    expect(await countOf(database)).toBe(1)
  })

  test('are refused with an invitation that has expired or was withdrawn', async () => {
    const database = await open()
    const { visitor } = await openSite(database, { signUps: 'invitation' })
    const week = await createInvitation(database, 7, now())
    const day = await createInvitation(database, 1, now())
    expect(await listInvitations(database, now())).toMatchObject([{ id: day.id }, { id: week.id }])
    time += 24 * 60 * 60 * 1000
    await expect(signUp(visitor(), 'ann', { invitation: day.key })).rejects.toMatchObject(spent)
    expect(await revokeInvitation(database, day.id, now())).toBe(false)
    expect(await revokeInvitation(database, week.id, now())).toBe(true)
    expect(await revokeInvitation(database, week.id, now())).toBe(false)
    await expect(signUp(visitor(), 'ann', { invitation: week.key })).rejects.toMatchObject(spent)
    expect(await countOf(database)).toBe(0)
  })

  test('let in exactly one of many who use an invitation at once', async () => {
    const database = await open()
    const { visitor } = await openSite(database, { signUps: 'invitation' })
    const { key: invitation } = await createInvitation(database, 7, now())
    const names = ['ann', 'bea', 'cid', 'dan']
    const all = await Promise.allSettled([
      ...names.map((name) => signUp(visitor(), name, { invitation })),
      inBatch(visitor(), form('eve', { invitation })),
      withGoogle(visitor(), 'fay', { invitation }),
    ])
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countOf(database)).toBe(1)
  })

  test('by invitation hold for batches, of which all or nothing is done', async () => {
    const database = await open()
    const { visitor } = await openSite(database, { signUps: 'invitation' })
    const { key: invitation } = await createInvitation(database, 7, now())
    const refused = {
      status: 400,
      response: { data: { requests: { 1: { response: { message: rules.invitationSpent } } } } },
    }
    const both = [form('ann', { invitation }), form('bea', { invitation })]
    await expect(inBatch(visitor(), ...both)).rejects.toMatchObject(refused)
    await expect(inBatch(visitor(), form('ann'))).rejects.toMatchObject({ status: 400 })
    expect(await countOf(database)).toBe(0)
    await inBatch(visitor(), both[0]!)
    expect(await countOf(database)).toBe(1)
  })

  test('by invitation hold for Google, which still signs in whoever is known', async () => {
    const database = await open()
    const { visitor } = await openSite(database, { signUps: 'invitation' })
    await expect(withGoogle(visitor(), 'ann')).rejects.toMatchObject(uninvited)
    const wrong = { invitation: 'x' }
    await expect(withGoogle(visitor(), 'ann', wrong)).rejects.toMatchObject(spent)
    const { key: invitation } = await createInvitation(database, 7, now())
    const { record } = await withGoogle(visitor(), 'ann', { invitation })
    expect(record).toMatchObject({ email: 'ann@example.org', verified: true })
    await expect(withGoogle(visitor(), 'bea', { invitation })).rejects.toMatchObject(spent)
    const next = await createInvitation(database, 7, now())
    await withGoogle(visitor(), 'ann', { invitation: next.key })
    expect(await listInvitations(database, now())).toHaveLength(1)
  })

  test('R35: through Google make no administrator', async () => {
    const { visitor, records } = await openSite(await open(), {})
    const { record } = await withGoogle(visitor(), 'ann', { isAdmin: true, username: 'annie' })
    expect(record).toMatchObject({ username: 'annie', isAdmin: false })
    expect(await records.find('users', record.id)).toMatchObject({ isAdmin: false })
  })

  test('that are closed still let existing readers sign in', async () => {
    const database = await open()
    const { key: invitation } = await openSite(database, {}).then(async ({ visitor }) => {
      await signUp(visitor(), 'ann')
      await withGoogle(visitor(), 'bea')
      return createInvitation(database, 7, now())
    })
    const { visitor, records } = await openSite(database, { signUps: 'closed' })
    await expect(signUp(visitor(), 'cid', { invitation })).rejects.toMatchObject(closed)
    await expect(withGoogle(visitor(), 'cid', { invitation })).rejects.toMatchObject(closed)
    await expect(inBatch(visitor(), form('cid'))).rejects.toMatchObject({ status: 400 })
    expect(await countOf(database)).toBe(2)
    const halfway = visitor().collection('users').authWithPassword('ann@example.org', password)
    await expect(halfway).rejects.toMatchObject({
      status: 401,
      response: { mfaId: expect.any(String) },
    })
    expect((await withGoogle(visitor(), 'bea')).token).toBeTruthy()
    // The server itself, such as the demo, still makes accounts.
    await records.write((tx) =>
      tx.create('users', { email: 'dan@example.org', username: 'dan', password }),
    )
  })
})

describeMigratedDatabases('a site without sign-in codes', (open) => {
  test('signs in with the password alone', async () => {
    const { visitor } = await openSite(await open(), { signInCode: false })
    const users = visitor().collection('users')
    expect(await users.listAuthMethods()).toMatchObject({
      mfa: { enabled: false },
      otp: { enabled: false },
      password: { enabled: true },
    })
    await signUp(visitor(), 'ann')
    const { token, record } = await users.authWithPassword('ann@example.org', password)
    expect(token).toBeTruthy()
    expect(record).toMatchObject({ email: 'ann@example.org', verified: false })
    const wrong = users.authWithPassword('ann@example.org', 'something else')
    await expect(wrong).rejects.toMatchObject({ status: 400 })
    const noCodes = 'The collection is not configured to allow OTP authentication.'
    await expect(users.requestOTP('ann@example.org')).rejects.toMatchObject(refusal(403, noCodes))
    await expect(users.authWithOTP('x', '123456')).rejects.toMatchObject(refusal(403, noCodes))
  })

  test('still gives an account to the owner of its email', async () => {
    const { visitor, mails } = await openSite(await open(), { signInCode: false })
    await signUp(visitor(), 'ann')
    const squatter = visitor()
    await squatter.collection('users').authWithPassword('ann@example.org', password)
    const users = visitor().collection('users')
    await users.requestPasswordReset('ann@example.org')
    await expect.poll(() => mails).toMatchObject([{ kind: 'passwordReset' }])
    const [mail] = mails
    const token = mail && 'token' in mail ? mail.token : ''
    await users.confirmPasswordReset(token, 'a new beginning', 'a new beginning')
    await expect(squatter.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
    await expect(users.authWithPassword('ann@example.org', password)).rejects.toMatchObject({
      status: 400,
    })
    const { record } = await users.authWithPassword('ann@example.org', 'a new beginning')
    expect(record).toMatchObject({ verified: true })
  })

  test('leaves nothing to someone who signed up with the email of a Google account', async () => {
    const { visitor } = await openSite(await open(), { signInCode: false })
    const squatter = visitor()
    await signUp(squatter, 'ann')
    await squatter.collection('users').authWithPassword('ann@example.org', password)
    const { record } = await withGoogle(visitor(), 'ann')
    expect(record).toMatchObject({ email: 'ann@example.org', verified: true })
    await expect(squatter.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
    const again = squatter.collection('users').authWithPassword('ann@example.org', password)
    await expect(again).rejects.toMatchObject({ status: 400 })
  })
})
