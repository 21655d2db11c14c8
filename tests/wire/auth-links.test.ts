import { UnsecuredJWT } from 'jose'
import PocketBase026 from 'pocketbase-0.26'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { overtaken } from './overtaken.ts'
import {
  codes,
  enterWorld,
  firstStep,
  openWorld,
  password,
  refusal,
  schema,
  signIn,
  type World,
  letter,
} from './world.ts'

const email = 'ann@example.org'
const changed = 'another horse'

async function withAnn(world: World): Promise<void> {
  await world
    .client()
    .collection('members')
    .create({ email, password, passwordConfirm: password, name: 'Ann' })
}

const members = (world: World) => world.client().collection('members')

async function post(world: World, call: string, body: object): Promise<[number, string, string[]]> {
  const answer = await world.fetch(`/api/collections/members/${call}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [answer.status, await answer.text(), [...answer.headers].map((pair) => pair.join(': '))]
}

const badToken = { token: 'validation_invalid_token' }

describeDatabases('verification', (open) => {
  it('is proved by a link that works once', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    expect(await members(world).requestVerification('ANN@example.org')).toBe(true)
    const { to, token, record, expires } = await letter(world, 'verification')
    expect(to).toBe(email)
    expect(expires.getTime()).toBeGreaterThan(Date.now() + 29 * 60_000)
    expect(await members(world).confirmVerification(token)).toBe(true)
    expect(await world.records.find('members', record.id)).toMatchObject({ verified: true })
    expect(await codes(members(world).confirmVerification(token))).toEqual(badToken)
  })

  it('leaves the session that waits for it signed in', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    await world.records.write((tx) => tx.update('members', ann.me.id, { verified: false }))
    const client = Object.assign(new PocketBase026('http://app.test'), {
      beforeSend: ann.beforeSend,
    })
    client.authStore.save(ann.authStore.token, { ...ann.me, verified: false })
    await client.collection('members').requestVerification(email)
    await client
      .collection('members')
      .confirmVerification((await letter(world, 'verification')).token)
    // The client flips its own copy by what the token says.
    expect(client.authStore.record).toMatchObject({ verified: true })
    await client.collection('members').authRefresh()
  })

  it('works half an hour, once in two minutes, and for none but an unproved account', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    await members(world).requestVerification('nobody@example.org')
    await members(world).requestVerification(email)
    const first = await letter(world, 'verification')
    world.wait(100)
    await members(world).requestVerification(email)
    world.wait(21)
    await members(world).requestVerification(email)
    const second = await letter(world, 'verification')
    expect(second.token).not.toBe(first.token)
    world.wait(31 * 60)
    for (const { token } of [first, second])
      expect(await codes(members(world).confirmVerification(token))).toEqual(badToken)
    await members(world).requestVerification(email)
    await members(world).confirmVerification((await letter(world, 'verification')).token)
    world.wait(121)
    await members(world).requestVerification(email)
    await world.records.close()
    expect(world.letters).toEqual([])
    expect(world.errors).toEqual([])
  })

  it('is mailed once in two minutes by all processes together, after a restart too', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    await members(world).requestVerification(email)
    await letter(world, 'verification')
    for (let n = 0; n < 2; n++) {
      const other = enterWorld(world.database)
      await members(other).requestVerification(email)
      await other.records.close()
      expect(other.letters).toEqual([])
    }
    const later = enterWorld(world.database)
    later.wait(121)
    await members(later).requestVerification(email)
    expect((await letter(later, 'verification')).to).toBe(email)
  })

  it('is asked for and confirmed in good form only', async () => {
    const world = await openWorld(open)
    expect(await codes(members(world).requestVerification(''))).toEqual({
      email: 'validation_required',
    })
    expect(await codes(members(world).requestVerification('no address'))).toEqual({
      email: 'validation_is_email',
    })
    expect(await codes(members(world).confirmVerification(''))).toEqual({
      token: 'validation_required',
    })
    const claims = { type: 'verification', id: 'x', email: '' }
    const elsewhere = ['', 'nothing', schema.get('albums').id].map((collectionId) =>
      new UnsecuredJWT({ ...claims, collectionId }).encode(),
    )
    for (const token of ['x', 'a.b.c', 'x'.repeat(4000), 'eyJhbGciOiJub25lIn0.e30.', ...elsewhere])
      expect(await codes(members(world).confirmVerification(token)), token).toEqual(badToken)
    for (const call of ['requestVerification', 'confirmVerification'] as const)
      expect((await refusal(world.client().collection('albums')[call]('x'))).status).toBe(404)
  })
})

describeDatabases('a forgotten password', (open) => {
  it('is replaced through a link that works once and signs everybody out', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    await members(world).requestPasswordReset(email)
    const { token, to } = await letter(world, 'passwordReset')
    expect(to).toBe(email)
    expect(await members(world).confirmPasswordReset(token, changed, changed)).toBe(true)
    expect((await refusal(ann.collection('members').authRefresh())).status).toBe(401)
    expect(await codes(members(world).confirmPasswordReset(token, changed, changed))).toEqual(
      badToken,
    )
    // The new password is a first step like the old one was: the code is asked for still.
    expect((await refusal(members(world).authWithPassword(email, password))).status).toBe(400)
    const half = await refusal(members(world).authWithPassword(email, changed))
    expect([half.status, Object.keys(half.response)]).toEqual([401, ['mfaId']])
  })

  it('proves the address, and ends a sign-in that was half done', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    const mfaId = await firstStep(world.client(), email)
    const { otpId } = await members(world).requestOTP(email, { mfaId })
    await members(world).requestPasswordReset(email)
    const { token, record } = await letter(world, 'passwordReset')
    await members(world).confirmPasswordReset(token, changed, changed)
    expect(await world.records.find('members', record.id)).toMatchObject({ verified: true })
    const code = world.mails.at(-1)!.code
    expect((await refusal(members(world).authWithOTP(otpId, code, { mfaId }))).status).toBe(400)
  })

  it('is replaced by one of the right length, written twice', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    await members(world).requestPasswordReset(email)
    const { token } = await letter(world, 'passwordReset')
    const confirm = (one: string, two: string) =>
      codes(members(world).confirmPasswordReset(token, one, two))
    expect(await confirm('', '')).toEqual({
      password: 'validation_required',
      passwordConfirm: 'validation_required',
    })
    expect(await confirm('1234567', '7654321')).toEqual({
      password: 'validation_min_text_constraint',
      passwordConfirm: 'validation_values_mismatch',
    })
    expect(await confirm('x'.repeat(72), 'x'.repeat(72))).toEqual({
      password: 'validation_max_text_constraint',
    })
    // A bad link is told along with the rest.
    const damaged = `${token}x`
    expect(await codes(members(world).confirmPasswordReset(damaged, 'short', 'other'))).toEqual({
      token: 'validation_invalid_token',
      password: 'validation_min_text_constraint',
      passwordConfirm: 'validation_values_mismatch',
    })
    expect(await codes(members(world).confirmPasswordReset('x', '', changed))).toEqual({
      token: 'validation_invalid_token',
      password: 'validation_required',
      passwordConfirm: 'validation_values_mismatch',
    })
    expect(await codes(members(world).confirmPasswordReset('', 'short', 'short'))).toEqual({
      token: 'validation_required',
      password: 'validation_min_text_constraint',
    })
    // None of that used the link up.
    await members(world).confirmPasswordReset(token, changed, changed)
  })

  it('is replaced once, also by twenty at the same time', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    await members(world).requestPasswordReset(email)
    const { token } = await letter(world, 'passwordReset')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const typed = `another horse ${i}`
        const body = { token, password: typed, passwordConfirm: typed }
        return post(world, 'confirm-password-reset', body)
      }),
    )
    expect(answers.filter(([status]) => status === 204)).toHaveLength(1)
    expect(answers.filter(([status]) => status === 400)).toHaveLength(19)
  })

  it('is not replaced through a link that dies while the new one is hashed', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    await members(world).requestPasswordReset(email)
    const { token } = await letter(world, 'passwordReset')
    const found = await overtaken(
      world,
      (tx) => tx.update('members', ann.me.id, { tokenKey: 'x'.repeat(50) }),
      () => codes(members(world).confirmPasswordReset(token, changed, changed)),
    )
    expect(found).toEqual(badToken)
    await firstStep(world.client(), email)
  })

  it('dies with the account, the address and the password it was for', async () => {
    const world = await openWorld(open)
    const [ann, bob] = [await world.member('ann'), await world.member('bob')]
    const carol = await world.member('carol')
    await members(world).requestPasswordReset(String(carol.me['email']))
    const carols = await letter(world, 'passwordReset')
    for (const who of [ann, bob]) await members(world).requestPasswordReset(String(who.me['email']))
    const tokens = [await letter(world, 'passwordReset'), await letter(world, 'passwordReset')]
    const passwords = { password: changed, passwordConfirm: changed, oldPassword: password }
    await ann.collection('members').update(ann.me.id, passwords)
    await bob.collection('members').delete(bob.me.id)
    for (const { token } of tokens)
      expect(await codes(members(world).confirmPasswordReset(token, changed, changed))).toEqual(
        badToken,
      )
    const [left] = await world.database.query(
      `SELECT COUNT(*) FROM "_mailLinks" WHERE record = '${bob.me.id}'`,
    )
    expect(Number(left![0])).toBe(0)
    await members(world).confirmPasswordReset(carols.token, changed, changed)
  })
})

describeDatabases('a new address', (open) => {
  const next = 'anna@example.org'

  it('is taken by a link that goes there, and the password', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const own = ann.collection('members')
    expect(await own.requestEmailChange(' Anna@Example.org'.trim())).toBe(true)
    const { to, token } = await letter(world, 'emailChange')
    expect(to).toBe(next)
    expect(await codes(own.confirmEmailChange(token, 'wrong password'))).toEqual({
      password: 'validation_invalid_password',
    })
    expect(await own.confirmEmailChange(token, password)).toBe(true)
    expect(ann.authStore.token).toBe('')
    expect(await world.records.find('members', ann.me.id)).toMatchObject({
      email: next,
      verified: true,
    })
    expect(world.letters).toMatchObject([{ kind: 'emailChanged', to: email, newEmail: next }])
    // A link that isn't good any more has no account to compare a password with.
    expect(await codes(own.confirmEmailChange(token, password))).toEqual({
      ...badToken,
      password: 'validation_invalid_password',
    })
    expect((await signIn(world, world.client(), next)).record.id).toBe(ann.me.id)
  })

  it('is taken once by two who confirm it at the same time', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    await ann.collection('members').requestEmailChange(next)
    await world.records.close()
    expect(world.letters).toMatchObject([{ kind: 'emailChange', to: next }])
    const { token } = await letter(world, 'emailChange')
    const answers = await Promise.all(
      [1, 2].map(() => post(world, 'confirm-email-change', { token, password })),
    )
    const [taken, refused] = answers.toSorted(([a], [b]) => a - b)
    expect(taken![0]).toBe(204)
    expect(refused![0]).toBe(400)
    expect(JSON.parse(refused![1])).toMatchObject({ data: { token: { code: badToken.token } } })
  })

  it('bears five wrong passwords', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const own = ann.collection('members')
    const bob = await world.member('bob')
    await bob.collection('members').requestEmailChange('bobby@example.org')
    const bobs = await letter(world, 'emailChange')
    await own.requestEmailChange(next)
    const { token } = await letter(world, 'emailChange')
    for (let i = 0; i < 5; i++)
      expect(await codes(own.confirmEmailChange(token, 'wrong'))).toHaveProperty('password')
    expect(await codes(own.confirmEmailChange(token, password))).toEqual(badToken)
    expect(await world.records.find('members', ann.me.id)).toMatchObject({ email })
    // Another link bears its own.
    await bob.collection('members').confirmEmailChange(bobs.token, password)
  })

  it('is asked for by who is signed in, and none that is had already', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    expect((await refusal(members(world).requestEmailChange(next))).status).toBe(401)
    expect(await codes(ann.collection('members').requestEmailChange(email))).toEqual({
      newEmail: 'validation_not_in_invalid',
    })
    expect(await codes(ann.collection('members').requestEmailChange('none'))).toEqual({
      newEmail: 'validation_is_email',
    })
  })

  it('that is somebody’s is not said to be, and not mailed to', async () => {
    const world = await openWorld(open)
    const [ann] = [await world.member('ann'), await world.member('bob')]
    expect(await ann.collection('members').requestEmailChange('bob@example.org')).toBe(true)
    await ann.collection('members').requestEmailChange(next)
    const { to, token } = await letter(world, 'emailChange')
    expect(to).toBe(next)
    await members(world).create({ email: next, password, passwordConfirm: password })
    expect(await codes(ann.collection('members').confirmEmailChange(token, password))).toEqual({
      token: 'validation_invalid_token_email',
    })
    expect(world.errors).toEqual([])
  })
})

describeDatabases('a mail', (open) => {
  it('is given the account’s address and what everyone may see, and no key to it', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    await world.records.write((tx) => tx.update('members', ann.me.id, { verified: false }))
    const own = ann.collection('members')
    await own.requestVerification(email)
    await own.requestPasswordReset(email)
    await own.requestEmailChange('anna@example.org')
    const { token } = await letter(world, 'emailChange')
    await own.confirmEmailChange(token, password)
    await world.records.close()
    const kinds = world.letters.map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['emailChanged', 'passwordReset', 'verification'])
    for (const { record } of [...world.letters, ...world.mails]) {
      expect(Object.keys(record).toSorted()).toEqual(['created', 'email', 'id', 'name', 'updated'])
      expect(record).toMatchObject({ id: ann.me.id, name: 'ann' })
    }
  })
})

describeDatabases('what a stranger learns', (open) => {
  it('is the same for an address with an account and one without', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    for (const call of ['request-verification', 'request-password-reset']) {
      const known = await post(world, call, { email })
      expect(known[0]).toBe(204)
      expect(await post(world, call, { email: 'nobody@example.org' })).toEqual(known)
      expect(await post(world, call, { email })).toEqual(known)
    }
  })

  it('of a mail that failed is nothing, and the next one is not held up by it', async () => {
    const world = await openWorld(open)
    await withAnn(world)
    const push = world.letters.push.bind(world.letters)
    world.letters.push = () => {
      world.letters.push = push
      throw new Error('no mail today')
    }
    await members(world).requestPasswordReset(email)
    await expect.poll(() => world.errors).toHaveLength(1)
    await vi.waitFor(
      async () => {
        await members(world).requestPasswordReset(email)
        expect(world.letters).toHaveLength(1)
      },
      { interval: 10, timeout: 30_000 },
    )
  })
})
