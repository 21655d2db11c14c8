import type PocketBase from 'pocketbase'
import type { RecordAuthResponse } from 'pocketbase'
import PocketBase026 from 'pocketbase-0.26'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LimitRules } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import {
  appUrl,
  errorCodes,
  passwordStep,
  openFixture,
  password,
  rejection,
  statusAndBody,
  schema,
  type Fixture,
  type OpenDatabase,
} from './fixture.ts'

const redirectUrl = `${appUrl}/auth/return`
const victim = { sub: 'g-1', email: 'Ann@example.org', email_verified: true, name: 'Ann Example' }
const attacker = { sub: 'g-2', email: 'eve@example.org', email_verified: true, name: 'Eve' }
const email = 'ann@example.org'

let google: OpenIdProvider
beforeAll(async () => void (google = await openProvider([redirectUrl])))
afterAll(() => google.close())
beforeEach(() => {
  google.forge = undefined
  google.forgesKey = false
  google.people.clear()
  for (const person of [victim, attacker]) google.people.set(person.sub, person)
})

const enter = (open: OpenDatabase, provider = google.provider, limits: Partial<LimitRules> = {}) =>
  openFixture(open, {
    limits,
    oauth2: { members: { providers: [provider], redirectUrls: [redirectUrl] } },
  })

interface Visit {
  provider: string
  code: string
  codeVerifier: string
  redirectURL: string
}

/** To the provider and back, up to the last call. */
async function visit(client: PocketBase, sub: string, at = google): Promise<Visit> {
  const { oauth2 } = await client.collection('members').listAuthMethods()
  const [provider] = oauth2.providers
  const back = await at.visit(provider!.authURL + encodeURIComponent(redirectUrl), sub)
  expect(back.searchParams.get('state')).toBe(provider!.state)
  return {
    provider: provider!.name,
    code: back.searchParams.get('code') ?? '',
    codeVerifier: provider!.codeVerifier,
    redirectURL: redirectUrl,
  }
}

function submit(
  client: PocketBase,
  { provider, code, codeVerifier, redirectURL }: Visit,
  createData = {},
): Promise<RecordAuthResponse> {
  const members = client.collection('members')
  return members.authWithOAuth2Code(provider, code, codeVerifier, redirectURL, createData)
}

async function continueWithGoogle(client: PocketBase, sub: string, createData = {}) {
  return submit(client, await visit(client, sub), createData)
}

const signUp = (fixture: Fixture, address: string) =>
  fixture
    .client()
    .collection('members')
    .create({ email: address, password, passwordConfirm: password })

async function links(fixture: Fixture): Promise<unknown[]> {
  return fixture.database.query(
    `SELECT record, provider, "providerId" FROM "_externalAuths" ORDER BY "providerId"`,
  )
}

describeDatabases('a provider', (open) => {
  it('is told with a visit to begin', async () => {
    const fixture = await enter(open)
    const { oauth2, mfa } = await fixture.client().collection('members').listAuthMethods()
    expect(mfa.enabled).toBe(true)
    expect(oauth2.enabled).toBe(true)
    const [provider] = oauth2.providers
    expect(Object.keys(provider!).toSorted()).toEqual([
      'authURL',
      'authUrl',
      'codeChallenge',
      'codeChallengeMethod',
      'codeVerifier',
      'displayName',
      'logo',
      'name',
      'state',
    ])
    expect(provider).toMatchObject({ name: 'google', displayName: 'Google' })
    expect(provider!.authURL).toMatch(/&redirect_uri=$/)
    expect(provider!.state).toMatch(/^\w{30}$/)
    expect(provider!.codeVerifier).toMatch(/^[\w-]{43}$/)
    const url = new URL(provider!.authURL)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'client',
      response_type: 'code',
      scope: 'openid email profile',
      state: provider!.state,
      code_challenge: provider!.codeChallenge,
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    const next = await fixture.client().collection('members').listAuthMethods()
    expect(next.oauth2.providers[0]!.codeVerifier).not.toBe(provider!.codeVerifier)
  })

  it('R18: that cannot be reached is left out, and the rest goes on', async () => {
    const gone = { ...google.provider, issuer: 'http://127.0.0.1:1' }
    const fixture = await enter(open, gone)
    const { oauth2, password: byPassword } = await fixture
      .client()
      .collection('members')
      .listAuthMethods()
    expect(oauth2).toEqual({ enabled: true, providers: [] })
    expect(byPassword.enabled).toBe(true)
    expect(fixture.errors).toHaveLength(1)
    // However often it is asked for.
    await fixture.client().collection('members').listAuthMethods()
    expect(fixture.errors).toHaveLength(1)
  })

  it('cannot sign anyone in where none is set up', async () => {
    const fixture = await openFixture(open)
    const visited = { provider: 'google', code: 'x', codeVerifier: 'x', redirectURL: redirectUrl }
    expect(await statusAndBody(submit(fixture.client(), visited))).toEqual([
      403,
      {
        data: {},
        message: 'The collection is not configured to allow OAuth2 authentication.',
        status: 403,
      },
    ])
  })
})

describeDatabases('who comes from a provider', (open) => {
  it('gets an account at the first visit and the same one ever after', async () => {
    const fixture = await enter(open)
    const client = fixture.client()
    const first = await continueWithGoogle(client, victim.sub)
    expect(first.record).toMatchObject({ email, verified: true, name: 'Ann Example' })
    expect(first.meta).toMatchObject({
      id: victim.sub,
      name: victim.name,
      username: '',
      email: victim.email,
      avatarURL: '',
      avatarUrl: '',
      isNew: true,
      refreshToken: '',
      accessToken: expect.stringMatching(/./) as string,
      expiry: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      rawUser: { sub: victim.sub, email_verified: true },
    })
    await client.collection('members').authRefresh()
    // The address there may change; who it is does not.
    google.people.set(victim.sub, { ...victim, email: 'ann@example.com' })
    const old = Object.assign(new PocketBase026(appUrl), { beforeSend: client.beforeSend })
    const again = await continueWithGoogle(old as unknown as PocketBase, victim.sub)
    expect(again.record).toMatchObject({ id: first.record.id, email })
    expect(again.meta).toMatchObject({ isNew: false })
    expect(await links(fixture)).toEqual([[first.record.id, 'google', victim.sub]])
    expect(fixture.accountMails).toEqual([])
    expect(fixture.errors).toEqual([])
  })

  it('may say its name, and nothing else of the account', async () => {
    const fixture = await enter(open)
    const { record } = await continueWithGoogle(fixture.client(), victim.sub, {
      name: 'Anna',
      email: attacker.email,
      verified: false,
      password: 'known to all',
      tokenKey: 'x'.repeat(50),
      isAdmin: true,
      id: 'abcdefghijklmno',
    })
    expect(record).toMatchObject({ email, verified: true, name: 'Anna' })
    expect(record.id).not.toBe('abcdefghijklmno')
    const stored = await fixture.records.find('members', record.id)
    expect(stored).toMatchObject({ isAdmin: false })
    expect(stored!['tokenKey']).not.toBe('x'.repeat(50))
    expect(
      (
        await rejection(
          fixture.client().collection('members').authWithPassword(email, 'known to all'),
        )
      ).status,
    ).toBe(400)
  })

  it('is named as the provider says where the client says nothing of use', async () => {
    const fixture = await enter(open)
    const { record } = await continueWithGoogle(fixture.client(), victim.sub, { name: 5 })
    expect(record).toMatchObject({ email, name: 'Ann Example' })
  })

  it.each([{ writable: 'never' }, { readable: 'nobody' }] as const)(
    'is not named where nobody may name an account (%o)',
    async (option) => {
      const fixture = await enter(open)
      const field: object = schema.get('members').fields.find(({ name }) => name === 'name')!
      const before = { writable: undefined, readable: undefined, ...field }
      Object.assign(field, option)
      try {
        const { record } = await continueWithGoogle(fixture.client(), victim.sub, { name: 'Eve' })
        const stored = await fixture.records.find('members', record.id)
        expect(stored).toMatchObject({ email, name: '' })
      } finally {
        Object.assign(field, before)
      }
    },
  )

  it('is refused by what refuses any new account', async () => {
    const fixture = await enter(open)
    const long = { name: 'x'.repeat(21) }
    expect(await errorCodes(continueWithGoogle(fixture.client(), victim.sub, long))).toEqual({
      name: 'validation_max_text_constraint',
    })
    const { rules } = schema.get('members')
    const { create } = rules
    try {
      rules.create = '@request.context != "oauth2"'
      expect((await rejection(continueWithGoogle(fixture.client(), victim.sub))).status).toBe(400)
      rules.create = null
      expect((await rejection(continueWithGoogle(fixture.client(), victim.sub))).status).toBe(403)
    } finally {
      rules.create = create
    }
    expect(await links(fixture)).toEqual([])
    google.people.set('long', { ...victim, sub: 'long', name: 'A name of more than twenty' })
    const { record } = await continueWithGoogle(fixture.client(), 'long')
    expect(record['name']).toBe('A name of more than ')
  })

  it('makes one account of two visits at the same time', async () => {
    const fixture = await enter(open)
    const clients = [fixture.client(), fixture.client(), fixture.client()]
    const visits = await Promise.all(clients.map((client) => visit(client, victim.sub)))
    const results = await Promise.all(clients.map((client, i) => submit(client, visits[i]!)))
    expect(new Set(results.map(({ record }) => record.id)).size).toBe(1)
    expect(results.filter(({ meta }) => meta?.['isNew'] === true)).toHaveLength(1)
  })

  it('is tied to a proved account of the same address, which is told', async () => {
    const fixture = await enter(open)
    const ann = await fixture.member('ann')
    const { record, meta } = await continueWithGoogle(fixture.client(), victim.sub)
    expect(record.id).toBe(ann.me.id)
    expect(meta).toMatchObject({ isNew: false })
    expect(fixture.accountMails).toMatchObject([{ kind: 'linked', to: email, provider: 'Google' }])
    // The password stays good, and so does the session.
    await ann.collection('members').authRefresh()
    await passwordStep(fixture.client(), email)
    // Another account there with the same address is another person.
    google.people.set('g-9', { ...victim, sub: 'g-9' })
    expect((await rejection(continueWithGoogle(fixture.client(), 'g-9'))).status).toBe(400)
    await ann.collection('members').delete(ann.me.id)
    expect(await links(fixture)).toEqual([])
  })

  it('is nobody of another provider, or of another kind of accounts', async () => {
    const fixture = await enter(open)
    const bob = await fixture.member('bob')
    const { id } = schema.get('members')
    await fixture.database.transaction(async (tx) => {
      for (const [collection, provider] of [
        [id, 'other'],
        ['pbc_others', 'google'],
      ])
        await tx.query(
          `INSERT INTO "_externalAuths" (id, collection, record, provider, "providerId", created)
            VALUES ('${provider}', '${collection}', '${bob.me.id}', '${provider}', '${victim.sub}', 0)`,
        )
    })
    const { record } = await continueWithGoogle(fixture.client(), victim.sub)
    expect(record).toMatchObject({ email })
    expect(record.id).not.toBe(bob.me.id)
  })

  it('is tied to the account that is signed in', async () => {
    const fixture = await enter(open)
    const ann = await fixture.member('ann')
    const { record } = await continueWithGoogle(ann, attacker.sub)
    expect(record.id).toBe(ann.me.id)
    expect(fixture.accountMails).toMatchObject([{ kind: 'linked', to: email }])
    expect((await continueWithGoogle(fixture.client(), attacker.sub)).record.id).toBe(ann.me.id)
    // One account there is one here.
    const bob = await fixture.member('bob')
    expect((await continueWithGoogle(bob, attacker.sub)).record.id).toBe(ann.me.id)
  })

  it('is refused without a trace where another account is meant', async () => {
    const fixture = await enter(open)
    const ann = await fixture.member('ann')
    const bob = await fixture.member('bob')
    const again = async (sub: string, account: unknown) => {
      const { provider, code, codeVerifier, redirectURL } = await visit(fixture.client(), sub)
      return fixture
        .client()
        .collection('members')
        .authWithOAuth2Code(provider, code, codeVerifier, redirectURL, {}, { query: { account } })
    }
    // A stranger's address, another reader's, and one that is tied to another already.
    expect((await rejection(again(attacker.sub, ann.me.id))).status).toBe(400)
    expect((await rejection(again(victim.sub, bob.me.id))).status).toBe(400)
    expect(await links(fixture)).toEqual([])
    expect(fixture.accountMails).toEqual([])
    expect((await again(victim.sub, ann.me.id)).record.id).toBe(ann.me.id)
    expect((await rejection(again(victim.sub, bob.me.id))).response).toMatchObject({
      data: { account: { message: expect.stringContaining('another account') as string } },
    })
    const members = await fixture.database.query('SELECT COUNT(*) FROM members')
    expect(Number(members[0]?.[0])).toBe(2)
  })

  it('counts as a sign-up once only, and is let in when there may be no more', async () => {
    const fixture = await enter(open, google.provider, { signUp: { points: 1, seconds: 3600 } })
    const from = () => {
      const client = fixture.client()
      const { beforeSend } = client
      client.beforeSend = (url, options) =>
        beforeSend!(url, { ...options, headers: { ...options.headers, 'X-Address': '192.0.2.1' } })
      return client
    }
    const first = await continueWithGoogle(from(), victim.sub)
    expect((await rejection(continueWithGoogle(from(), attacker.sub))).status).toBe(429)
    const again = await continueWithGoogle(from(), victim.sub)
    expect(again.record.id).toBe(first.record.id)
    fixture.wait(3601)
    expect((await continueWithGoogle(from(), attacker.sub)).meta).toMatchObject({ isNew: true })
  })

  it('is let in by the collection’s rule only', async () => {
    const fixture = await enter(open)
    const { auth } = schema.get('members')
    try {
      auth!.rule = '@request.context != "oauth2"'
      expect((await rejection(continueWithGoogle(fixture.client(), victim.sub))).status).toBe(403)
    } finally {
      delete auth!.rule
    }
    const stored = await fixture.database.query('SELECT id FROM members')
    expect(stored).toEqual([])
  })

  it('gets the session in the cookie, and never sees a token', async () => {
    const fixture = await enter(open)
    const visited = await visit(fixture.client(), victim.sub)
    const post = (headers: Record<string, string>) =>
      fixture.fetch('/api/collections/members/auth-with-oauth2', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie', ...headers },
        body: JSON.stringify(visited),
      })
    // Another site's page cannot sign a browser in to an account of its choice.
    expect((await post({ Origin: 'http://evil.test' })).status).toBe(403)
    expect((await post({})).status).toBe(403)
    const answer = await post({ Origin: appUrl })
    expect(answer.headers.get('set-cookie')).toMatch(/^pb_auth=.*HttpOnly/)
    expect(await answer.json()).toMatchObject({
      token: '',
      meta: { accessToken: '', refreshToken: '', isNew: true },
    })
  })
})

describeDatabases('R33: an account made before its owner came', (open) => {
  it('signs out everyone who did not prove the address: password, session, half a sign-in', async () => {
    const fixture = await enter(open)
    const client = fixture.client()
    await signUp(fixture, email)
    const mfaId = await passwordStep(client, email)
    const { otpId } = await client.collection('members').requestOTP(email, { mfaId })
    const { code } = fixture.mails.at(-1)!
    const { record, meta } = await continueWithGoogle(fixture.client(), victim.sub)
    expect(record).toMatchObject({ email, verified: true })
    expect(meta).toMatchObject({ isNew: false })
    const members = client.collection('members')
    expect((await rejection(members.authWithPassword(email, password))).status).toBe(400)
    expect((await rejection(members.authWithOTP(otpId, code, { mfaId }))).status).toBe(400)
    expect(fixture.accountMails).toEqual([])
  })

  it('loses the link that an attacker tied to it', async () => {
    const fixture = await enter(open)
    await signUp(fixture, email)
    const { id } = (await fixture.client().collection('members').getFullList())[0]!
    google.people.set('g-3', { ...attacker, sub: 'g-3', email: 'bob@example.org' })
    const bob = await continueWithGoogle(fixture.client(), 'g-3')
    // As a signed-in account of a collection without a second step could have done.
    await fixture.records.write((tx) =>
      tx.query(
        `INSERT INTO "_externalAuths" (id, collection, record, provider, "providerId", created)
          VALUES ('x', '${schema.get('members').id}', '${id}', 'google', '${attacker.sub}', 0)`,
      ),
    )
    await continueWithGoogle(fixture.client(), victim.sub)
    expect(await links(fixture)).toEqual([
      [id, 'google', victim.sub],
      [bob.record.id, 'google', 'g-3'],
    ])
    const eve = await continueWithGoogle(fixture.client(), attacker.sub)
    expect(eve.record).toMatchObject({ email: attacker.email })
    expect(eve.record.id).not.toBe(id)
  })

  it('cannot be made for another’s address by way of a provider', async () => {
    const fixture = await enter(open)
    const eve = await continueWithGoogle(fixture.client(), attacker.sub, { email })
    expect(eve.record).toMatchObject({ email: attacker.email })
    const ann = await continueWithGoogle(fixture.client(), victim.sub)
    expect(ann.record).toMatchObject({ email })
    expect(ann.record.id).not.toBe(eve.record.id)
    expect((await continueWithGoogle(fixture.client(), attacker.sub)).record.id).toBe(eve.record.id)
  })

  it('is not to be had once the owner came first', async () => {
    const fixture = await enter(open)
    const ann = await continueWithGoogle(fixture.client(), victim.sub)
    expect(await errorCodes(signUp(fixture, email))).toEqual({ email: 'validation_not_unique' })
    const eve = await continueWithGoogle(fixture.client(), attacker.sub, { email })
    expect(eve.record.id).not.toBe(ann.record.id)
    expect(await links(fixture)).toEqual([
      [ann.record.id, 'google', victim.sub],
      [eve.record.id, 'google', attacker.sub],
    ])
  })

  it('loses foreign links and every token when the address is proved by mail, too', async () => {
    const fixture = await enter(open)
    const { record } = await continueWithGoogle(fixture.client(), attacker.sub)
    await fixture.records.write((tx) => tx.update('members', record.id, { email, verified: false }))
    const eve = fixture.client()
    await continueWithGoogle(eve, attacker.sub)
    await eve.collection('members').authRefresh()
    await fixture.client().collection('members').requestVerification(email)
    await fixture.records.close()
    const mail = fixture.accountMails.find(({ kind }) => kind === 'verification')
    const token = mail?.kind === 'verification' ? mail.token : ''
    await fixture.client().collection('members').confirmVerification(token)
    expect(await links(fixture)).toEqual([])
    expect((await rejection(eve.collection('members').authRefresh())).status).toBe(401)
  })
})

describeDatabases('an answer of a provider', (open) => {
  const unverified = {
    email: { code: 'validation_unverified', message: expect.any(String) as unknown },
  }
  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another application', { aud: 'other' }],
    ['for two applications and not by us', { aud: ['client', 'other'], azp: 'other' }],
    ['that has run out', { exp: Math.floor(Date.now() / 1000) - 3600 }],
    ['of another visit', { nonce: 'x' }],
    ['without a visit', { nonce: undefined }],
    ['about nobody', { sub: undefined }],
    ['whose address is not proved', { email_verified: false }, unverified],
    ['whose address is called proved in other words', { email_verified: 'true' }, unverified],
    ['whose address is none', { email: 'none' }],
  ])('%s is refused', async (_, claims, data = {}) => {
    const fixture = await enter(open)
    google.forge = (signed) => ({ ...signed, ...claims })
    const error = await rejection(continueWithGoogle(fixture.client(), victim.sub))
    expect(error.status).toBe(400)
    expect(error.response['data']).toEqual(data)
    expect(await fixture.database.query('SELECT id FROM members')).toEqual([])
  })

  it('that somebody else signed is refused', async () => {
    const fixture = await enter(open)
    google.forgesKey = true
    const error = await rejection(continueWithGoogle(fixture.client(), victim.sub))
    expect([error.status, error.response['message']]).toEqual([
      400,
      'Failed to fetch OAuth2 token.',
    ])
  })

  it('is good for the browser that asked, at the place it asked for, once', async () => {
    const fixture = await enter(open)
    const client = fixture.client()
    const [mine, other] = [await visit(client, victim.sub), await visit(client, victim.sub)]
    const failed = { data: {}, message: 'Failed to fetch OAuth2 token.', status: 400 }
    const swapped = { ...mine, codeVerifier: other.codeVerifier }
    expect(await statusAndBody(submit(client, swapped))).toEqual([400, failed])
    for (const codeVerifier of ['', 'x', 'x'.repeat(43), `${mine.codeVerifier}A`])
      expect(await statusAndBody(submit(client, { ...mine, codeVerifier }))).toEqual([400, failed])
    for (const redirectURL of [
      '',
      `${redirectUrl}/`,
      `${redirectUrl}?x`,
      'http://evil.test/auth/return',
      redirectUrl.toUpperCase(),
    ])
      expect(await errorCodes(submit(client, { ...mine, redirectURL }))).toEqual({
        redirectURL: 'validation_in_invalid',
      })
    expect(await errorCodes(submit(client, { ...mine, provider: 'other' }))).toEqual({
      provider: 'validation_invalid_provider',
    })
    expect(await errorCodes(submit(client, { ...mine, provider: '', code: '' }))).toEqual({
      provider: 'validation_required',
      code: 'validation_required',
    })
    const late = await visit(client, victim.sub)
    await submit(client, late)
    expect(await statusAndBody(submit(client, late))).toEqual([400, failed])
    const slow = await visit(client, victim.sub)
    fixture.wait(901)
    expect(await statusAndBody(submit(client, slow))).toEqual([400, failed])
  })

  describe('that tells the address apart from the token', () => {
    let apart: OpenIdProvider
    beforeAll(async () => {
      apart = await openProvider([redirectUrl], { inToken: false })
      for (const person of [victim, attacker]) apart.people.set(person.sub, person)
    })
    afterAll(() => apart.close())
    beforeEach(() => void (apart.tellsNothing = false))

    async function signIn(fixture: Fixture, sub: string) {
      const client = fixture.client()
      return submit(client, await visit(client, sub, apart))
    }

    it('is good for the account that the token is about', async () => {
      const fixture = await enter(open, apart.provider)
      const { record } = await signIn(fixture, victim.sub)
      expect(record).toMatchObject({ email, name: 'Ann Example' })
    })

    it('is refused in words of its own when nothing is told', async () => {
      const fixture = await enter(open, apart.provider)
      apart.tellsNothing = true
      expect(await statusAndBody(signIn(fixture, victim.sub))).toEqual([
        400,
        { data: {}, message: 'Failed to fetch OAuth2 user.', status: 400 },
      ])
      expect(await fixture.database.query('SELECT id FROM members')).toEqual([])
      expect(await links(fixture)).toEqual([])
    })
  })
})
