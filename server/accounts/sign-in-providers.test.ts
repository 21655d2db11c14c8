import { Hono } from 'hono'
import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createRecords, type AuthMail, type Database } from '#records/index.ts'
import { createHooks } from '#server/open/hooks.ts'
import { schema } from '#server/collections/schema.ts'
import type { User } from '#shared/account.ts'
import { usernamePattern } from '#shared/username.ts'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { inProcess } from '#tests/in-process.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import { passwordCost } from '#tests/password-cost.ts'
import { signInProviders } from './sign-in-providers.ts'

const appUrl = 'http://octavo.test'
const returnUrl = `${appUrl}/auth/google`

let provider: OpenIdProvider
beforeAll(async () => void (provider = await openProvider([returnUrl])))
afterAll(() => provider.close())

const configured = () => signInProviders({ providers: [provider.provider], appUrl })

async function openApp(database: Database) {
  const mails: AuthMail[] = []
  const records = createRecords({
    database,
    schema,
    secret: 'a secret for tests that is long enough',
    passwordCost,
    hooks: createHooks({ planDefault: 'free' }),
    appUrl,
    onOtp: () => undefined,
    onMail: (mail) => void mails.push(mail),
    oauth2: configured(),
  })
  onTestFinished(() => records.close())
  const app = new Hono().route('/', records.routes)
  const client = inProcess(app, appUrl)
  return { client, records, mails }
}

async function continueWithGoogle(client: PocketBase, sub: string) {
  const users = client.collection<User>('users')
  const [google] = (await users.listAuthMethods()).oauth2.providers
  const back = await provider.visit(google!.authURL + returnUrl, sub)
  const code = back.searchParams.get('code') ?? ''
  return users.authWithOAuth2Code('google', code, google!.codeVerifier, returnUrl)
}

test('without a configuration there is no Google, and with one it comes back here only', () => {
  expect(signInProviders({ providers: [], appUrl })).toEqual({})
  expect(configured()['users']?.redirectUrls).toEqual([
    'http://octavo.test/auth/google',
    'http://octavo.test/api/oauth2-redirect',
  ])
})

describeMigratedSqlite('Continue with Google', (open) => {
  test('makes a reader with a name, a username and settings, without a second step', async () => {
    const { client, mails } = await openApp(await open())
    const email = 'Reader@Example.org'
    provider.people.set('g', { sub: 'g', email, email_verified: true, name: ' A Reader ' })
    const { record } = await continueWithGoogle(client, 'g')
    expect(record).toMatchObject({ email: 'reader@example.org', verified: true, name: 'A Reader' })
    expect(record.username).toMatch(usernamePattern)
    const settings = await client.collection('settings').getFullList()
    expect(settings).toMatchObject([{ user: record.id, isPrivate: false }])
    expect((await continueWithGoogle(client, 'g')).record.id).toBe(record.id)
    expect(mails).toEqual([])
  })

  test('is refused for an address that sign-up refuses', async () => {
    const { client } = await openApp(await open())
    provider.people.set('x', { sub: 'x', email: 'rеader@example.org', email_verified: true })
    await expect(continueWithGoogle(client, 'x')).rejects.toMatchObject({ status: 400 })
  })

  test('ends with the account, and is tied anew to the next', async () => {
    const { client, records } = await openApp(await open())
    const email = 'reader@example.org'
    provider.people.set('g', { sub: 'g', email, email_verified: true })
    const { record } = await continueWithGoogle(client, 'g')
    await client.collection('users').delete(record.id)
    expect(await records.find('users', record.id)).toBeNull()
    const next = await continueWithGoogle(client, 'g')
    expect(next.record.id).not.toBe(record.id)
    expect(next.meta).toMatchObject({ isNew: true })
  })
})
