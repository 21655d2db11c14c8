import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collection, Schema } from '#records/index.ts'
import { Authenticator } from '#tests/authenticator.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import {
  appUrl,
  openFixture,
  password,
  rejection,
  schema as usual,
  type OpenDatabase,
} from './fixture.ts'

const redirectUrl = `${appUrl}/auth/return`
const ann = { sub: 'ann', email: 'ann@example.org', email_verified: true }

let home: OpenIdProvider
beforeAll(async () => {
  home = await openProvider([redirectUrl])
  home.people.set(ann.sub, ann)
})
afterAll(() => home.close())

const { auth, ...members } = usual.get('members')
const schema = new Schema([
  ...usual.collections.filter(({ name }) => name !== 'members'),
  { ...members, ...(auth && { auth: { ...auth, passwords: false } }) },
  collection({ name: 'notes', fields: [], rules: usual.get('labels').rules }),
])

const enter = (open: OpenDatabase) =>
  openFixture(open, {
    schema,
    oauth2: {
      members: {
        providers: [{ ...home.provider, name: 'oidc' }],
        redirectUrls: [redirectUrl],
      },
    },
  })

const off = 'The collection is not configured to allow password authentication.'

describeDatabases('with passwords turned off', (open) => {
  it('the ways to sign in say so', async () => {
    const fixture = await enter(open)
    const { password, oauth2 } = await fixture.client().collection('members').listAuthMethods()
    expect(password).toEqual({ enabled: false, identityFields: [] })
    expect(oauth2).toMatchObject({ enabled: true, providers: [{ name: 'oidc' }] })
  })

  it('nobody signs in, signs up or resets one', async () => {
    const fixture = await enter(open)
    const users = fixture.client().collection('members')
    const form = { email: 'new@example.org', password, passwordConfirm: password }
    for (const [status, call] of [
      [403, () => users.authWithPassword(ann.email, password)],
      [403, () => users.create(form)],
      [400, () => users.requestPasswordReset(ann.email)],
      [400, () => users.confirmPasswordReset('token', password, password)],
      [400, () => users.confirmEmailChange('token', password)],
    ] as const) {
      const error = await rejection(call())
      expect([error.status, error.response['message'], error.response['data']]).toEqual([
        status,
        off,
        {},
      ])
    }
    expect(await fixture.database.query('SELECT id FROM members')).toEqual([])
    expect(fixture.accountMails).toEqual([])
  })

  it('a provider signs in, and its reader changes neither password nor email', async () => {
    const fixture = await enter(open)
    const client = fixture.client()
    const users = client.collection('members')
    const [provider] = (await users.listAuthMethods()).oauth2.providers
    const back = await home.visit(provider!.authURL + encodeURIComponent(redirectUrl), ann.sub)
    const code = back.searchParams.get('code') ?? ''
    const signedIn = await users.authWithOAuth2Code(
      'oidc',
      code,
      provider!.codeVerifier,
      redirectUrl,
    )
    const { id } = signedIn.record
    await users.update(id, { name: 'Ann' })
    const form = { password, passwordConfirm: password, oldPassword: password }
    for (const call of [
      () => users.update(id, form),
      () => users.requestEmailChange('other@example.org'),
    ]) {
      const error = await rejection(call())
      expect([error.status, error.response['message']]).toEqual([400, off])
    }
    // It would be locked out.
    const unlink = () =>
      client.send<unknown>('/api/collections/members/providers/oidc', { method: 'DELETE' })
    expect((await rejection(unlink())).response['message']).toMatch(/only way to sign in/)
    await expect(fixture.records.passwordResetToken('members', id)).rejects.toMatchObject({
      status: 400,
    })
    // A passkey is confirmed by a session that has just begun, and is another way in.
    const begin = () =>
      client.send<PublicKeyCredentialCreationOptionsJSON>(
        '/api/collections/members/passkeys/options',
        { method: 'POST', body: {} },
      )
    const response = new Authenticator().create(await begin(), { origin: appUrl })
    const body = { name: 'Laptop', response }
    const made = await client.send<{ id: string }>('/api/collections/members/passkeys', {
      method: 'POST',
      body,
    })
    await unlink()
    const remove = () =>
      client.send<unknown>(`/api/collections/members/passkeys/${made.id}`, { method: 'DELETE' })
    expect((await rejection(remove())).response['message']).toMatch(/only way to sign in/)
    await begin()
    // Ahead of a clock that was set back, it doesn't count as recent.
    for (const seconds of [16 * 60, -20 * 60]) {
      fixture.wait(seconds)
      expect((await rejection(begin())).response['message']).toMatch(/Sign out and in again/)
    }
    fixture.wait(20 * 60)
    await users.authRefresh()
  })

  it('signing in confirms a session, and nothing later does', async () => {
    const fixture = await enter(open)
    const { records } = fixture
    const client = fixture.client()
    const users = client.collection('members')
    const [provider] = (await users.listAuthMethods()).oauth2.providers
    const back = await home.visit(provider!.authURL + encodeURIComponent(redirectUrl), ann.sub)
    const code = back.searchParams.get('code') ?? ''
    await users.authWithOAuth2Code('oidc', code, provider!.codeVerifier, redirectUrl)
    const viewer = async () => {
      const headers = { Authorization: client.authStore.token }
      return (await records.authenticate(new Request(appUrl, { headers })))!
    }
    const began = await records.confirmedAt(await viewer())
    expect(Math.abs(began!.getTime() - Date.now())).toBeLessThan(60_000)
    fixture.wait(16 * 60)
    await users.authRefresh()
    await expect(records.confirmPassword(await viewer(), password, '')).rejects.toMatchObject({
      status: 400,
      message: off,
    })
    expect(await records.confirmedAt(await viewer())).toEqual(began)
  })
})
