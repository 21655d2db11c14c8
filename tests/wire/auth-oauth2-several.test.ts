import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { OAuth2Provider } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import { appUrl, openFixture, rejection, type Fixture, type OpenDatabase } from './fixture.ts'

const redirectUrl = `${appUrl}/auth/return`
const ann = { sub: '1', email: 'ann@example.org', email_verified: true, name: 'Ann' }

/** Three providers at once; the last one tells addresses from its userinfo endpoint only. */
let home: OpenIdProvider
let work: OpenIdProvider
let club: OpenIdProvider
beforeAll(async () => {
  home = await openProvider([redirectUrl])
  work = await openProvider([redirectUrl])
  club = await openProvider([redirectUrl], { inToken: false })
})
afterAll(() => Promise.all([home, work, club].map((one) => one.close())))
beforeEach(() => {
  for (const one of [home, work, club]) {
    one.people.clear()
    one.people.set(ann.sub, ann)
    one.forge = undefined
    one.forgesKey = false
  }
})

const named = (at: OpenIdProvider, name: string, displayName: string): OAuth2Provider => ({
  ...at.provider,
  name,
  displayName,
})

const three = () => [
  named(home, 'oidc', 'Home'),
  named(work, 'oidc2', 'Work'),
  named(club, 'oidc3', 'Club'),
]

const enter = (open: OpenDatabase, providers = three()) =>
  openFixture(open, { oauth2: { members: { providers, redirectUrls: [redirectUrl] } } })

async function signIn(client: PocketBase, name: string, at: OpenIdProvider, sub = ann.sub) {
  const members = client.collection('members')
  const { oauth2 } = await members.listAuthMethods()
  const provider = oauth2.providers.find((one) => one.name === name)!
  const back = await at.visit(provider.authURL + encodeURIComponent(redirectUrl), sub)
  const code = back.searchParams.get('code') ?? ''
  return members.authWithOAuth2Code(name, code, provider.codeVerifier, redirectUrl)
}

const accounts = (fixture: Fixture) => fixture.database.query('SELECT id FROM members')

describeDatabases('several providers', (open) => {
  it('are listed with a visit each, and each signs in', async () => {
    const fixture = await enter(open)
    const { oauth2 } = await fixture.client().collection('members').listAuthMethods()
    expect(oauth2.providers.map(({ name, displayName }) => [name, displayName])).toEqual([
      ['oidc', 'Home'],
      ['oidc2', 'Work'],
      ['oidc3', 'Club'],
    ])
    expect(new Set(oauth2.providers.map(({ codeVerifier }) => codeVerifier)).size).toBe(3)
    const first = await signIn(fixture.client(), 'oidc', home)
    // The address is proved, so it is one account with three links.
    for (const [name, at] of [
      ['oidc2', work],
      ['oidc3', club],
    ] as const)
      expect((await signIn(fixture.client(), name, at)).record.id).toBe(first.record.id)
    expect(fixture.accountMails).toMatchObject([
      { kind: 'linked', to: ann.email, provider: 'Work' },
      { kind: 'linked', to: ann.email, provider: 'Club' },
    ])
  })

  it('may use the same id for different people', async () => {
    const fixture = await enter(open)
    work.people.set(ann.sub, { ...ann, email: 'ben@example.org', name: 'Ben' })
    const { record } = await signIn(fixture.client(), 'oidc', home)
    const other = await signIn(fixture.client(), 'oidc2', work)
    expect(other.record.id).not.toBe(record.id)
    expect(other.record).toMatchObject({ email: 'ben@example.org' })
  })

  it('take no visit that began at another', async () => {
    const fixture = await enter(open)
    const members = fixture.client().collection('members')
    const { oauth2 } = await members.listAuthMethods()
    const [atHome, atWork] = oauth2.providers
    const back = await home.visit(atHome!.authURL + encodeURIComponent(redirectUrl), ann.sub)
    const code = back.searchParams.get('code') ?? ''
    for (const { codeVerifier } of [atHome!, atWork!]) {
      const swapped = members.authWithOAuth2Code('oidc2', code, codeVerifier, redirectUrl)
      expect((await rejection(swapped)).status).toBe(400)
    }
    expect(await accounts(fixture)).toEqual([])
  })

  it.each([
    ['oidc', () => home],
    ['oidc3', () => club],
  ] as const)('%s links and signs up nobody by an unverified address', async (name, at) => {
    const fixture = await enter(open)
    const reader = await fixture.member('ann')
    at().people.set('eve', { ...ann, sub: 'eve', email_verified: false })
    at().people.set('new', { ...ann, sub: 'new', email: 'new@example.org', email_verified: false })
    for (const sub of ['eve', 'new']) {
      const error = await rejection(signIn(fixture.client(), name, at(), sub))
      expect(error).toMatchObject({
        status: 400,
        response: {
          message: expect.stringContaining('has not verified the e-mail address of this account.'),
          data: { email: { code: 'validation_unverified' } },
        },
      })
    }
    // Not even to the account that is signed in.
    expect((await rejection(signIn(reader, name, at(), 'eve'))).status).toBe(400)
    expect(await accounts(fixture)).toHaveLength(1)
    expect(await fixture.database.query('SELECT id FROM "_externalAuths"')).toEqual([])
  })

  it('whose addresses the operator trusts need not say that they are verified', async () => {
    const [first, second, third] = three()
    const fixture = await enter(open, [first!, { ...second!, trustsEmail: true }, third!])
    const reader = await fixture.member('ann')
    for (const at of [home, work]) at.people.set('ann', { ...ann, email_verified: false })
    expect((await signIn(fixture.client(), 'oidc2', work, 'ann')).record.id).toBe(reader.me.id)
    expect((await rejection(signIn(fixture.client(), 'oidc', home, 'ann'))).status).toBe(400)
    work.people.set('none', { sub: 'none', email: '', email_verified: false })
    expect((await rejection(signIn(fixture.client(), 'oidc2', work, 'none'))).status).toBe(400)
  })

  it.each<[string, () => void]>([
    ['names another issuer', () => (home.forge = (claims) => ({ ...claims, iss: 'http://other' }))],
    ['signs with another key', () => (home.forgesKey = true)],
    ['answers another visit', () => (home.forge = (claims) => ({ ...claims, nonce: 'other' }))],
  ])('go on signing in beside one that %s', async (_, misbehave) => {
    const fixture = await enter(open)
    misbehave()
    const error = await rejection(signIn(fixture.client(), 'oidc', home))
    expect([error.status, error.response['message']]).toEqual([
      400,
      'Failed to fetch OAuth2 token.',
    ])
    expect(await accounts(fixture)).toEqual([])
    expect((await signIn(fixture.client(), 'oidc2', work)).record['email']).toBe(ann.email)
  })

  it('are listed without those that are down, hang, or are not who they say', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.close()
      silent.closeAllConnections()
    })
    const { port } = silent.address() as AddressInfo
    const [first, second, third] = three()
    const fixture = await enter(open, [
      { ...first!, issuer: `http://127.0.0.1:${port}` },
      { ...second!, issuer: second!.issuer.replace('127.0.0.1', 'localhost') },
      third!,
      { ...first!, name: 'oidc4', issuer: 'http://127.0.0.1:1' },
    ])
    const { oauth2 } = await fixture.client().collection('members').listAuthMethods()
    expect(oauth2.providers.map(({ name }) => name)).toEqual(['oidc3'])
    expect(fixture.errors.map(String).toSorted()).toEqual([
      'Error: Home at http://127.0.0.1:1 is not available',
      `Error: Home at http://127.0.0.1:${port} is not available`,
      expect.stringMatching(/^Error: Work at http:\/\/localhost:\d+ is not available$/),
    ])
    expect((await signIn(fixture.client(), 'oidc3', club)).record['email']).toBe(ann.email)
  })
})
