import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type PocketBase from 'pocketbase'
import { expect, it } from 'vitest'
import { Authenticator, type Ceremony } from '#tests/authenticator.ts'
import { describeDatabases } from '#tests/databases.ts'
import {
  appUrl,
  errorCodes,
  openFixture,
  password,
  passwordStep,
  rejection,
  type Fixture,
} from './fixture.ts'

const members = '/api/collections/members'
const here: Ceremony = { origin: appUrl }
const email = 'ann@example.org'

interface Listed {
  id: string
  name: string
  created: string
  used: string
}

const list = async (client: PocketBase) =>
  (await client.send<{ passkeys: Listed[] }>(`${members}/passkeys`, {})).passkeys

const begin = (client: PocketBase, body: object = { password }) =>
  client.send<PublicKeyCredentialCreationOptionsJSON>(`${members}/passkeys/options`, {
    method: 'POST',
    body,
  })

const finish = (client: PocketBase, response: RegistrationResponseJSON, name = 'Laptop') =>
  client.send<Listed>(`${members}/passkeys`, { method: 'POST', body: { name, response } })

async function add(client: PocketBase, name?: string): Promise<Authenticator> {
  const authenticator = new Authenticator()
  await finish(client, authenticator.create(await begin(client), here), name)
  return authenticator
}

const ask = (client: PocketBase, mfaId?: string) =>
  client.send<PublicKeyCredentialRequestOptionsJSON>(`${members}/request-passkey`, {
    method: 'POST',
    body: { ...(mfaId && { mfaId }) },
  })

const submit = (client: PocketBase, response: AuthenticationResponseJSON, mfaId?: string) =>
  client.send<{ token: string; record: { id: string; email: string } }>(
    `${members}/auth-with-passkey`,
    { method: 'POST', body: { response, ...(mfaId && { mfaId }) } },
  )

/** Signs in over what an account was doing. */
const submitAs = (client: PocketBase, account: string, response: AuthenticationResponseJSON) =>
  client.send<{ record: { id: string } }>(`${members}/auth-with-passkey`, {
    method: 'POST',
    body: { response, account },
  })

const refused = [400, 'This passkey was not accepted.']

async function refusal(work: Promise<unknown>): Promise<unknown[]> {
  const error = await rejection(work)
  return [error.status, error.response['message']]
}

const counter = async (fixture: Fixture) => {
  const [row] = await fixture.database.query('SELECT counter FROM _passkeys')
  return Number(row?.[0])
}

describeDatabases('passkeys', (open) => {
  it('are added with the password, named, listed with their last use, and removed', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const options = await begin(ann)
    expect(options).toMatchObject({
      rp: { id: new URL(appUrl).hostname },
      user: { name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
    const first = await add(ann)
    expect(fixture.accountMails).toMatchObject([
      { kind: 'passkeyAdded', to: email, name: 'Laptop' },
    ])
    const { excludeCredentials } = await begin(ann)
    expect(excludeCredentials).toMatchObject([{ id: Buffer.from(first.id).toString('base64url') }])
    fixture.wait(60)
    await submit(fixture.client(), first.get(await ask(fixture.client()), here))
    await add(ann, 'Phone')
    const [laptop, phone] = await list(ann)
    expect(Object.keys(laptop!).toSorted()).toEqual(['created', 'id', 'name', 'used'])
    expect([laptop!.name, phone!.name, phone!.used]).toEqual(['Laptop', 'Phone', ''])
    expect(Date.parse(laptop!.used) - Date.parse(laptop!.created)).toBeGreaterThan(59_000)
    const path = `${members}/passkeys/${laptop!.id}`
    await ann.send(path, { method: 'PATCH', body: { name: ' Old laptop ' } })
    expect((await list(ann))[0]!.name).toBe('Old laptop')
    for (const name of ['', ' ', 'x'.repeat(61)])
      expect(await errorCodes(ann.send(path, { method: 'PATCH', body: { name } }))).toHaveProperty(
        'name',
      )
    await ann.send(path, { method: 'DELETE' })
    expect(await list(ann)).toMatchObject([{ name: 'Phone' }])
    const gone = submit(fixture.client(), first.get(await ask(fixture.client()), here))
    expect(await refusal(gone)).toEqual(refused)
  })

  it('sign in to no other account than the one that is named', async () => {
    const fixture = await openFixture(open)
    const [ann, ben] = [await fixture.member('ann'), await fixture.member('ben')]
    const passkey = await add(ann)
    const visitor = fixture.client()
    const signed = async () => passkey.get(await ask(visitor), here)
    expect(await errorCodes(submitAs(visitor, ben.me.id, await signed()))).toEqual({
      account: 'validation_values_mismatch',
    })
    const { record } = await submitAs(visitor, ann.me.id, await signed())
    expect(record.id).toBe(ann.me.id)
  })

  it('are not added without the right password, which is not guessed for long', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    expect(await errorCodes(begin(ann, {}))).toEqual({ password: 'validation_required' })
    const { beforeSend } = ann
    ann.beforeSend = (url, options) =>
      beforeSend!(url, { ...options, headers: { ...options.headers, 'X-Address': '192.0.2.1' } })
    for (let tries = 0; tries < 5; tries++)
      expect(await errorCodes(begin(ann, { password: 'a guess' }))).toEqual({
        password: 'validation_invalid_old_password',
      })
    expect((await rejection(begin(ann))).status).toBe(429)
    expect(await list(ann)).toEqual([])
  })

  it('are nobody else’s to see, rename or remove, and up to 20', async () => {
    const fixture = await openFixture(open)
    const [ann, ben] = [await fixture.member('ann'), await fixture.member('ben')]
    await add(ann)
    const [mine] = await list(ann)
    const path = `${members}/passkeys/${mine!.id}`
    const rename = { method: 'PATCH', body: { name: 'Mine' } }
    expect(await list(ben)).toEqual([])
    expect((await rejection(ben.send(path, rename))).status).toBe(404)
    expect((await rejection(ben.send(path, { method: 'DELETE' }))).status).toBe(404)
    const visitor = fixture.client()
    for (const call of [
      () => list(visitor),
      () => begin(visitor),
      () => finish(visitor, {} as RegistrationResponseJSON),
      () => visitor.send<unknown>(path, rename),
      () => visitor.send<unknown>(path, { method: 'DELETE' }),
    ])
      expect((await rejection(call())).status).toBe(401)
    expect(await list(ann)).toMatchObject([{ name: 'Laptop' }])
    const late = new Authenticator().create(await begin(ann), here)
    for (let more = 1; more < 20; more++) await add(ann)
    expect((await rejection(begin(ann))).response['message']).toMatch(/20 passkeys/)
    expect((await rejection(finish(ann, late))).status).toBe(400)
    await ann.collection('members').delete(ann.me.id)
    expect(await fixture.database.query('SELECT id FROM _passkeys')).toEqual([])
  })

  it.each<[string, Partial<Ceremony>]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another port', { origin: `${appUrl}:8443` }],
    ['for another domain', { domain: 'evil.example' }],
    ['for a challenge of its own', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
  ])('%s are neither added nor let in', async (_, forged) => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const made = new Authenticator().create(await begin(ann), { ...here, ...forged })
    expect(await refusal(finish(ann, made))).toEqual(refused)
    expect(await list(ann)).toEqual([])
    const good = await add(ann)
    const client = fixture.client()
    const signed = good.get(await ask(client), { ...here, ...forged })
    expect(await refusal(submit(client, signed))).toEqual(refused)
  })

  it('are added for the account, and the moment, that a challenge is for, once', async () => {
    const fixture = await openFixture(open)
    const [ann, ben] = [await fixture.member('ann'), await fixture.member('ben')]
    const made = new Authenticator().create(await begin(ann), here)
    expect(await refusal(finish(ben, made))).toEqual(refused)
    await finish(ann, made)
    expect(await refusal(finish(ann, made))).toEqual(refused)
    const again = { ...(await begin(ann)) }
    const signIn = await ask(fixture.client())
    const swapped = new Authenticator().create({ ...again, challenge: signIn.challenge }, here)
    expect(await refusal(finish(ann, swapped))).toEqual(refused)
    const late = new Authenticator().create(again, here)
    fixture.wait(301)
    expect(await refusal(finish(ann, late))).toEqual(refused)
    for (const response of [undefined, null, 5, {}, { id: 'x', response: {} }])
      expect(
        await errorCodes(finish(ann, response as unknown as RegistrationResponseJSON)),
      ).toEqual({ response: 'validation_required' })
  })
})

describeDatabases('a passkey', (open) => {
  it('signs in alone, without a code, if it has verified its owner', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const key = await add(ann)
    const client = fixture.client()
    const options = await ask(client)
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [] })
    const { token, record } = await submit(client, key.get(options, here))
    expect(record).toMatchObject({ id: ann.me.id, email })
    client.authStore.save(token, record as never)
    await client.collection('members').authRefresh()
    const unverified = key.get(await ask(client), { ...here, verifies: false })
    expect(await refusal(submit(fixture.client(), unverified))).toEqual(refused)
  })

  it('signs a browser in by its cookie, from this site’s pages only', async () => {
    const fixture = await openFixture(open)
    const key = await add(await fixture.member('ann'))
    const post = async (headers: Record<string, string>) =>
      fixture.fetch(`${members}/auth-with-passkey`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie', ...headers },
        body: JSON.stringify({ response: key.get(await ask(fixture.client()), here) }),
      })
    expect((await post({ Origin: 'http://evil.test' })).status).toBe(403)
    const answer = await post({ Origin: appUrl })
    expect(answer.headers.get('set-cookie')).toMatch(/^pb_auth=.*HttpOnly/)
    expect(await answer.json()).toMatchObject({ token: '' })
  })

  it('signs in once with a challenge, and not for another account', async () => {
    const fixture = await openFixture(open)
    const [ann, ben] = [await fixture.member('ann'), await fixture.member('ben')]
    const [annes, bens] = [await add(ann), await add(ben)]
    const client = fixture.client()
    const signed = annes.get(await ask(client), here)
    await submit(client, signed)
    expect(await refusal(submit(client, signed))).toEqual(refused)
    // The passkey of one with the name of the other.
    const handle = Buffer.from(ben.me.id).toString('base64url')
    const posing = annes.get(await ask(client), here, handle)
    expect(await refusal(submit(client, posing))).toEqual(refused)
    // Signed by one, with the id of the other.
    const mixed = {
      ...annes.get(await ask(client), here),
      id: Buffer.from(bens.id).toString('base64url'),
    }
    expect(await refusal(submit(client, { ...mixed, rawId: mixed.id }))).toEqual(refused)
    const unknown = new Authenticator().get(await ask(client), here)
    expect(await refusal(submit(client, unknown))).toEqual(refused)
    const registering = annes.get({ ...(await ask(client)), ...(await begin(ann)) }, here)
    expect(await refusal(submit(client, registering))).toEqual(refused)
    const late = annes.get(await ask(client), here)
    fixture.wait(301)
    expect(await refusal(submit(client, late))).toEqual(refused)
  })

  it('whose counter goes back may be a copy, and is refused', async () => {
    const fixture = await openFixture(open)
    const key = await add(await fixture.member('ann'))
    const client = fixture.client()
    const use = async (count: number) =>
      submit(client, key.get(await ask(client), { ...here, counter: count }))
    await use(5)
    expect(await counter(fixture)).toBe(5)
    for (const count of [5, 4, 0]) expect(await refusal(use(count))).toEqual(refused)
    await use(6)
    expect(await counter(fixture)).toBe(6)
  })

  it('stands in for the code after the password, verified or not', async () => {
    const fixture = await openFixture(open)
    const key = await add(await fixture.member('ann'))
    const client = fixture.client()
    const mfaId = await passwordStep(client, email)
    const options = await ask(client, mfaId)
    expect(options).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: Buffer.from(key.id).toString('base64url') }],
    })
    const signed = key.get(options, { ...here, verifies: false })
    // Without the password's half it is the only step.
    expect(await refusal(submit(client, signed))).toEqual(refused)
    const { record } = await submit(client, signed, mfaId)
    expect(record).toMatchObject({ email })
    expect(await refusal(submit(client, signed, mfaId))).toEqual(refused)
    expect((await rejection(ask(client, mfaId))).response['message']).toBe(
      'Invalid or expired MFA session.',
    )
  })

  it('completes no sign-in but that of its own account', async () => {
    const fixture = await openFixture(open)
    await add(await fixture.member('ann'))
    const bens = await add(await fixture.member('ben'))
    await fixture.member('cat')
    const client = fixture.client()
    const mfaId = await passwordStep(client, email)
    const signed = bens.get(await ask(client, mfaId), here)
    expect(await refusal(submit(client, signed, mfaId))).toEqual([
      400,
      'Invalid or expired MFA session.',
    ])
    // Nothing of it counts: the first step is as it was.
    await ask(client, mfaId)
    const without = await passwordStep(client, 'cat@example.org')
    expect(await refusal(ask(client, without))).toEqual([400, 'This account has no passkey.'])
    for (const response of [undefined, {}, { id: 'x', response: { userHandle: 5 } }])
      expect(
        await errorCodes(submit(client, response as unknown as AuthenticationResponseJSON)),
      ).toEqual({ response: 'validation_required' })
  })

  it('cannot be guessed from one place for long', async () => {
    const fixture = await openFixture(open, {
      limits: { passwordAddress: { points: 2, seconds: 900 } },
    })
    const key = await add(await fixture.member('ann'))
    const from = fixture.client()
    const { beforeSend } = from
    from.beforeSend = (url, options) =>
      beforeSend!(url, { ...options, headers: { ...options.headers, 'X-Address': '192.0.2.1' } })
    const wrong = async () => submit(from, new Authenticator().get(await ask(from), here))
    expect(await refusal(wrong())).toEqual(refused)
    expect(await refusal(wrong())).toEqual(refused)
    expect((await rejection(wrong())).status).toBe(429)
    const elsewhere = fixture.client()
    await submit(elsewhere, key.get(await ask(elsewhere), here))
  })
})
