import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collection, Schema } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import { appUrl, openFixture, schema as plain, type Fixture } from './fixture.ts'

const own = 'owner = @request.auth.id'
const feeds = collection({
  name: 'feeds',
  sessionOnly: true,
  fields: [
    {
      name: 'owner',
      type: 'relation',
      collection: 'members',
      required: true,
      cascadeDelete: true,
      fill: 'viewer',
    },
  ],
  rules: { list: own, view: own, create: own, update: null, delete: own },
})
const schema = new Schema([...plain.collections, feeds])

const redirectUrl = `${appUrl}/auth/return`
const email = 'ann@example.org'
const changed = 'nobody else knows this'

let google: OpenIdProvider
beforeAll(async () => {
  google = await openProvider([redirectUrl])
  google.people.set('g-1', { sub: 'g-1', email, email_verified: true, name: 'Ann' })
})
afterAll(() => google.close())

const members = (fixture: Fixture) => fixture.client().collection('members')

/** The ways in which an owner proves the address and ends the sessions. */
const proofs: [string, (fixture: Fixture, id: string) => Promise<unknown>][] = [
  [
    'a password set by mail',
    async (fixture) => {
      await members(fixture).requestPasswordReset(email)
      await expect.poll(() => fixture.accountMails.at(-1)?.kind).toBe('passwordReset')
      const mail = fixture.accountMails.at(-1)
      const token = mail?.kind === 'passwordReset' ? mail.token : ''
      await members(fixture).confirmPasswordReset(token, changed, changed)
    },
  ],
  [
    'a password set with the operator’s link',
    async (fixture, id) => {
      const { token } = await fixture.records.passwordResetToken('members', id)
      await members(fixture).confirmPasswordReset(token, changed, changed)
    },
  ],
  [
    'a provider',
    async (fixture) => {
      const { oauth2 } = await members(fixture).listAuthMethods()
      const [provider] = oauth2.providers
      const back = await google.visit(provider!.authURL + encodeURIComponent(redirectUrl), 'g-1')
      const code = back.searchParams.get('code') ?? ''
      const { name, codeVerifier } = provider!
      await members(fixture).authWithOAuth2Code(name, code, codeVerifier, redirectUrl)
    },
  ],
]

describeDatabases('R33: what gives access of its own', (open) => {
  /** A member with a feed and an album, who may not have proved the address. */
  async function start(verified: boolean) {
    const oauth2 = { members: { providers: [google.provider], redirectUrls: [redirectUrl] } }
    const fixture = await openFixture(open, { schema, oauth2 })
    const ann: PocketBase = await fixture.member('ann')
    const id = ann.authStore.record!.id
    await ann.collection('feeds').create({})
    await ann.collection('albums').create({ name: 'Kept' })
    await fixture.records.write((tx) => tx.update('members', id, { verified }))
    const counts = async () => {
      const names = ['feeds', 'albums']
      const found = names.map((name) => fixture.database.query(`SELECT COUNT(*) FROM ${name}`))
      return (await Promise.all(found)).map(([row]) => Number(row?.[0]))
    }
    return { fixture, id, counts }
  }

  it.each(proofs)('ends when %s first proves the address', async (_, prove) => {
    const { fixture, id, counts } = await start(false)
    expect(await counts()).toEqual([1, 1])
    await prove(fixture, id)
    expect(await counts()).toEqual([0, 1])
  })

  it.each(proofs)('stays with %s once the address is proved', async (_, prove) => {
    const { fixture, id, counts } = await start(true)
    await prove(fixture, id)
    expect(await counts()).toEqual([1, 1])
  })
})
