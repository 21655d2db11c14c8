import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import { appUrl, openFixture, rejection, type Fixture, type OpenDatabase } from './fixture.ts'

const redirectUrl = `${appUrl}/auth/return`
const ann = { sub: 'ann', email: 'ann@example.org', email_verified: true }
const ben = { sub: 'ben', email: 'ben@example.org', email_verified: true }

let home: OpenIdProvider
let work: OpenIdProvider
beforeAll(async () => {
  home = await openProvider([redirectUrl])
  work = await openProvider([redirectUrl])
  for (const one of [home, work])
    for (const person of [ann, ben]) one.people.set(person.sub, person)
})
afterAll(() => Promise.all([home.close(), work.close()]))
beforeEach(() => void (home.forgesKey = false))

const enter = (open: OpenDatabase) =>
  openFixture(open, {
    oauth2: {
      members: {
        providers: [
          { ...home.provider, name: 'oidc' },
          { ...work.provider, name: 'oidc2' },
        ],
        redirectUrls: [redirectUrl],
      },
    },
  })

interface SignedIn {
  client: PocketBase
  sid: string
}

async function signIn(fixture: Fixture, sub: string, name = 'oidc'): Promise<SignedIn> {
  const client = fixture.client()
  const members = client.collection('members')
  const at = name === 'oidc' ? home : work
  const { oauth2 } = await members.listAuthMethods()
  const provider = oauth2.providers.find((one) => one.name === name)!
  const back = await at.visit(provider.authURL + encodeURIComponent(redirectUrl), sub)
  const code = back.searchParams.get('code') ?? ''
  await members.authWithOAuth2Code(name, code, provider.codeVerifier, redirectUrl)
  return { client, sid: at.sessions.get(sub)! }
}

const isIn = async ({ client }: SignedIn) => {
  const { status } = await client
    .collection('members')
    .authRefresh()
    .then(
      () => ({ status: 200 }),
      (error: unknown) => error as { status: number },
    )
  return status === 200
}

function tell(fixture: Fixture, token: string, name = 'oidc'): Promise<Response> {
  return fixture.fetch(`/api/collections/members/backchannel-logout/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
}

describeDatabases('a provider that ends a session', (open) => {
  it('ends the one that came from it, and no other', async () => {
    const fixture = await enter(open)
    const [first, second] = [await signIn(fixture, 'ann'), await signIn(fixture, 'ann')]
    const other = await signIn(fixture, 'ben')
    expect(first.sid).not.toBe(second.sid)
    const answer = await tell(fixture, await home.logoutToken({ sub: 'ann', sid: first.sid }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await Promise.all([first, second, other].map(isIn))).toEqual([false, true, true])
    // Without the account, too.
    expect((await tell(fixture, await home.logoutToken({ sid: second.sid }))).status).toBe(200)
    expect(await Promise.all([second, other].map(isIn))).toEqual([false, true])
  })

  it('ends all of an account there, but those from elsewhere stay', async () => {
    const fixture = await enter(open)
    const byPassword = { client: await fixture.member('ann'), sid: '' }
    const mine = [await signIn(fixture, 'ann'), await signIn(fixture, 'ann')]
    const elsewhere = await signIn(fixture, 'ann', 'oidc2')
    expect((await tell(fixture, await home.logoutToken({ sub: 'ann' }))).status).toBe(200)
    expect(await Promise.all(mine.map(isIn))).toEqual([false, false])
    expect(await Promise.all([elsewhere, byPassword].map(isIn))).toEqual([true, true])
  })

  it('ends one whose session there was never named', async () => {
    const fixture = await enter(open)
    home.forge = (claims) => ({ ...claims, sid: undefined })
    const unnamed = await signIn(fixture, 'ann')
    home.forge = undefined
    await tell(fixture, await home.logoutToken({ sub: 'ben', sid: 'some' }))
    expect(await isIn(unnamed)).toBe(true)
    await tell(fixture, await home.logoutToken({ sub: 'ann', sid: 'some' }))
    expect(await isIn(unnamed)).toBe(false)
  })

  it('is answered the same if there was none, or it has ended before', async () => {
    const fixture = await enter(open)
    for (const about of [{ sub: 'nobody' }, { sid: 'nothing' }])
      expect((await tell(fixture, await home.logoutToken(about))).status).toBe(200)
  })

  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['of another issuer', (claims) => ({ ...claims, iss: 'http://other.example' })],
    ['for another application', (claims) => ({ ...claims, aud: 'other' })],
    ['with a nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['about nothing', (claims) => ({ ...claims, events: {} })],
    ['about another event', (claims) => ({ ...claims, events: { 'urn:other': {} } })],
    ['whose event is none', (claims) => ({ ...claims, events: 'backchannel-logout' })],
    ['that is an ID token', (claims) => ({ ...claims, events: undefined })],
    ['about nobody', (claims) => ({ ...claims, sub: undefined, sid: undefined })],
    ['about a number', (claims) => ({ ...claims, sub: 5 })],
    ['without an id', (claims) => ({ ...claims, jti: undefined })],
    ['that never ends', (claims) => ({ ...claims, exp: undefined })],
    ['that has run out', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 })],
    ['from long ago', (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1000) - 3600 })],
    ['from the future', (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1000) + 3600 })],
  ])('is refused with a token %s', async (_, change) => {
    const fixture = await enter(open)
    const mine = await signIn(fixture, 'ann')
    const token = await home.logoutToken({ sub: 'ann', sid: mine.sid }, change)
    const answer = await tell(fixture, token)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
    expect(await isIn(mine)).toBe(true)
    expect(fixture.errors).toEqual([])
  })

  it('is refused with a token that was used, or that somebody else signed', async () => {
    const fixture = await enter(open)
    const mine = await signIn(fixture, 'ann')
    const used = await home.logoutToken({ sid: 'other' })
    expect((await tell(fixture, used)).status).toBe(200)
    expect((await tell(fixture, used)).status).toBe(400)
    // The same id at another provider is another token.
    const about = { sub: 'ann', sid: mine.sid }
    const again = await home.logoutToken(about, (claims) => ({ ...claims, jti: 'one' }))
    const there = await work.logoutToken({ sid: 'x' }, (claims) => ({ ...claims, jti: 'one' }))
    expect((await tell(fixture, there, 'oidc2')).status).toBe(200)
    home.forgesKey = true
    const forged = await home.logoutToken(about)
    expect((await tell(fixture, forged)).status).toBe(400)
    const [header, body] = forged.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const token of [`${none}.${body}.`, `${header}.${body}.`, 'x', ''])
      expect((await tell(fixture, token)).status, token).toBe(400)
    expect((await tell(fixture, await work.logoutToken(about))).status).toBe(400)
    const typed = await work.logoutToken({ sub: 'ann' }, undefined, { typ: 'at+jwt' })
    expect((await tell(fixture, typed, 'oidc2')).status).toBe(400)
    expect(await isIn(mine)).toBe(true)
    expect((await tell(fixture, again)).status).toBe(200)
    expect(await isIn(mine)).toBe(false)
  })

  it('of which nothing is known here is not found', async () => {
    const fixture = await enter(open)
    for (const name of ['oidc3', 'google', '__proto__'])
      expect((await tell(fixture, await home.logoutToken({ sub: 'ann' }), name)).status).toBe(404)
  })
})

describeDatabases('the providers of an account', (open) => {
  const listed = (client: PocketBase) =>
    client.send<{ providers: { provider: string; created: string; used: string }[] }>(
      '/api/collections/members/providers',
      {},
    )
  const unlink = (client: PocketBase, name: string) =>
    client.send<unknown>(`/api/collections/members/providers/${name}`, { method: 'DELETE' })

  it('are listed with their last use, and unlinked one by one', async () => {
    const fixture = await enter(open)
    const { client } = await signIn(fixture, 'ann')
    fixture.wait(60)
    await signIn(fixture, 'ann', 'oidc2')
    fixture.wait(60)
    await signIn(fixture, 'ann')
    const { providers } = await listed(client)
    expect(providers.map(({ provider }) => provider)).toEqual(['oidc', 'oidc2'])
    const [first, second] = providers
    expect(Date.parse(first!.used) - Date.parse(first!.created)).toBeGreaterThan(119_000)
    expect(second!.used >= second!.created).toBe(true)
    await unlink(client, 'oidc2')
    expect((await listed(client)).providers).toMatchObject([{ provider: 'oidc' }])
    expect((await rejection(unlink(client, 'oidc2'))).status).toBe(404)
    expect(await isIn({ client, sid: '' })).toBe(true)
  })

  it('are nobody else’s to see or unlink, nor a program’s', async () => {
    const fixture = await enter(open)
    const { client } = await signIn(fixture, 'ann')
    const other = await signIn(fixture, 'ben', 'oidc2')
    const visitor = fixture.client()
    expect((await rejection(listed(visitor))).status).toBe(401)
    expect((await rejection(unlink(visitor, 'oidc'))).status).toBe(401)
    expect((await listed(other.client)).providers).toMatchObject([{ provider: 'oidc2' }])
    expect((await rejection(unlink(other.client, 'oidc'))).status).toBe(404)
    expect((await listed(client)).providers).toHaveLength(1)
  })
})
