import { UnsecuredJWT } from 'jose'
import PocketBase026 from 'pocketbase-0.26'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { duringWrite } from './during-write.ts'
import {
  errorCodes,
  attachFixture,
  passwordStep,
  openFixture,
  password,
  rejection,
  schema,
  signIn,
  type Fixture,
  nextMail,
} from './fixture.ts'

const email = 'ann@example.org'
const changed = 'another horse'

async function withAnn(fixture: Fixture): Promise<void> {
  await fixture
    .client()
    .collection('members')
    .create({ email, password, passwordConfirm: password, name: 'Ann' })
}

const members = (fixture: Fixture) => fixture.client().collection('members')

async function post(
  fixture: Fixture,
  call: string,
  body: object,
): Promise<[number, string, string[]]> {
  const answer = await fixture.fetch(`/api/collections/members/${call}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [answer.status, await answer.text(), [...answer.headers].map((pair) => pair.join(': '))]
}

const badToken = { token: 'validation_invalid_token' }

describeDatabases('verification', (open) => {
  it('is proved by a link that works once', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    expect(await members(fixture).requestVerification('ANN@example.org')).toBe(true)
    const { to, token, record, expires } = await nextMail(fixture, 'verification')
    expect(to).toBe(email)
    expect(expires.getTime()).toBeGreaterThan(Date.now() + 29 * 60_000)
    expect(await members(fixture).confirmVerification(token)).toBe(true)
    expect(await fixture.records.find('members', record.id)).toMatchObject({ verified: true })
    expect(await errorCodes(members(fixture).confirmVerification(token))).toEqual(badToken)
  })

  it('leaves the session that waits for it signed in', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    await fixture.records.write((tx) => tx.update('members', ann.me.id, { verified: false }))
    const client = Object.assign(new PocketBase026('http://app.test'), {
      beforeSend: ann.beforeSend,
    })
    client.authStore.save(ann.authStore.token, { ...ann.me, verified: false })
    await client.collection('members').requestVerification(email)
    await client
      .collection('members')
      .confirmVerification((await nextMail(fixture, 'verification')).token)
    // The client flips its own copy by what the token says.
    expect(client.authStore.record).toMatchObject({ verified: true })
    await client.collection('members').authRefresh()
  })

  it('works half an hour, once in two minutes, and for none but an unproved account', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    await members(fixture).requestVerification('nobody@example.org')
    await members(fixture).requestVerification(email)
    const first = await nextMail(fixture, 'verification')
    fixture.wait(100)
    await members(fixture).requestVerification(email)
    fixture.wait(21)
    await members(fixture).requestVerification(email)
    const second = await nextMail(fixture, 'verification')
    expect(second.token).not.toBe(first.token)
    fixture.wait(31 * 60)
    for (const { token } of [first, second])
      expect(await errorCodes(members(fixture).confirmVerification(token))).toEqual(badToken)
    await members(fixture).requestVerification(email)
    await members(fixture).confirmVerification((await nextMail(fixture, 'verification')).token)
    fixture.wait(121)
    await members(fixture).requestVerification(email)
    await fixture.records.close()
    expect(fixture.accountMails).toEqual([])
    expect(fixture.errors).toEqual([])
  })

  it('is mailed once in two minutes by all processes together, after a restart too', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    await members(fixture).requestVerification(email)
    await nextMail(fixture, 'verification')
    for (let n = 0; n < 2; n++) {
      const other = attachFixture(fixture.database)
      await members(other).requestVerification(email)
      await other.records.close()
      expect(other.accountMails).toEqual([])
    }
    const later = attachFixture(fixture.database)
    later.wait(121)
    await members(later).requestVerification(email)
    expect((await nextMail(later, 'verification')).to).toBe(email)
  })

  it('is mailed though the last one was while the clock was ahead', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    await members(fixture).requestVerification(email)
    await nextMail(fixture, 'verification')
    fixture.wait(-86_400)
    await members(fixture).requestVerification(email)
    expect((await nextMail(fixture, 'verification')).to).toBe(email)
  })

  it('is asked for and confirmed in good form only', async () => {
    const fixture = await openFixture(open)
    expect(await errorCodes(members(fixture).requestVerification(''))).toEqual({
      email: 'validation_required',
    })
    expect(await errorCodes(members(fixture).requestVerification('no address'))).toEqual({
      email: 'validation_is_email',
    })
    expect(await errorCodes(members(fixture).confirmVerification(''))).toEqual({
      token: 'validation_required',
    })
    const claims = { type: 'verification', id: 'x', email: '' }
    const elsewhere = ['', 'nothing', schema.get('albums').id].map((collectionId) =>
      new UnsecuredJWT({ ...claims, collectionId }).encode(),
    )
    for (const token of ['x', 'a.b.c', 'x'.repeat(4000), 'eyJhbGciOiJub25lIn0.e30.', ...elsewhere])
      expect(await errorCodes(members(fixture).confirmVerification(token)), token).toEqual(badToken)
    for (const call of ['requestVerification', 'confirmVerification'] as const)
      expect((await rejection(fixture.client().collection('albums')[call]('x'))).status).toBe(404)
  })
})

describeDatabases('a forgotten password', (open) => {
  it('is replaced through a link that works once and signs everybody out', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    await members(fixture).requestPasswordReset(email)
    const { token, to } = await nextMail(fixture, 'passwordReset')
    expect(to).toBe(email)
    expect(await members(fixture).confirmPasswordReset(token, changed, changed)).toBe(true)
    expect((await rejection(ann.collection('members').authRefresh())).status).toBe(401)
    expect(
      await errorCodes(members(fixture).confirmPasswordReset(token, changed, changed)),
    ).toEqual(badToken)
    // The new password is a first step like the old one was: the code is asked for still.
    expect((await rejection(members(fixture).authWithPassword(email, password))).status).toBe(400)
    const half = await rejection(members(fixture).authWithPassword(email, changed))
    expect([half.status, Object.keys(half.response)]).toEqual([401, ['mfaId']])
  })

  it('proves the address, and ends a sign-in that was half done', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const mfaId = await passwordStep(fixture.client(), email)
    const { otpId } = await members(fixture).requestOTP(email, { mfaId })
    await members(fixture).requestPasswordReset(email)
    const { token, record } = await nextMail(fixture, 'passwordReset')
    await members(fixture).confirmPasswordReset(token, changed, changed)
    expect(await fixture.records.find('members', record.id)).toMatchObject({ verified: true })
    const code = fixture.mails.at(-1)!.code
    expect((await rejection(members(fixture).authWithOTP(otpId, code, { mfaId }))).status).toBe(400)
  })

  it('is replaced by one of the right length, written twice', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    await members(fixture).requestPasswordReset(email)
    const { token } = await nextMail(fixture, 'passwordReset')
    const confirm = (one: string, two: string) =>
      errorCodes(members(fixture).confirmPasswordReset(token, one, two))
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
    expect(
      await errorCodes(members(fixture).confirmPasswordReset(damaged, 'short', 'other')),
    ).toEqual({
      token: 'validation_invalid_token',
      password: 'validation_min_text_constraint',
      passwordConfirm: 'validation_values_mismatch',
    })
    expect(await errorCodes(members(fixture).confirmPasswordReset('x', '', changed))).toEqual({
      token: 'validation_invalid_token',
      password: 'validation_required',
      passwordConfirm: 'validation_values_mismatch',
    })
    expect(await errorCodes(members(fixture).confirmPasswordReset('', 'short', 'short'))).toEqual({
      token: 'validation_required',
      password: 'validation_min_text_constraint',
    })
    // None of that used the link up.
    await members(fixture).confirmPasswordReset(token, changed, changed)
  })

  it('is replaced once, also by twenty at the same time', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    await members(fixture).requestPasswordReset(email)
    const { token } = await nextMail(fixture, 'passwordReset')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const typed = `another horse ${i}`
        const body = { token, password: typed, passwordConfirm: typed }
        return post(fixture, 'confirm-password-reset', body)
      }),
    )
    expect(answers.filter(([status]) => status === 204)).toHaveLength(1)
    expect(answers.filter(([status]) => status === 400)).toHaveLength(19)
  })

  it('is not replaced through a link that dies while the new one is hashed', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    await members(fixture).requestPasswordReset(email)
    const { token } = await nextMail(fixture, 'passwordReset')
    const found = await duringWrite(
      fixture,
      (tx) => tx.update('members', ann.me.id, { tokenKey: 'x'.repeat(50) }),
      () => errorCodes(members(fixture).confirmPasswordReset(token, changed, changed)),
    )
    expect(found).toEqual(badToken)
    await passwordStep(fixture.client(), email)
  })

  it('dies with the account, the address and the password it was for', async () => {
    const fixture = await openFixture(open)
    const [ann, bob] = [await fixture.member('ann'), await fixture.member('bob')]
    const carol = await fixture.member('carol')
    await members(fixture).requestPasswordReset(String(carol.me['email']))
    const carols = await nextMail(fixture, 'passwordReset')
    for (const who of [ann, bob])
      await members(fixture).requestPasswordReset(String(who.me['email']))
    const tokens = [
      await nextMail(fixture, 'passwordReset'),
      await nextMail(fixture, 'passwordReset'),
    ]
    const passwords = { password: changed, passwordConfirm: changed, oldPassword: password }
    await ann.collection('members').update(ann.me.id, passwords)
    await bob.collection('members').delete(bob.me.id)
    for (const { token } of tokens)
      expect(
        await errorCodes(members(fixture).confirmPasswordReset(token, changed, changed)),
      ).toEqual(badToken)
    const [left] = await fixture.database.query(
      `SELECT COUNT(*) FROM "_mailLinks" WHERE record = '${bob.me.id}'`,
    )
    expect(Number(left![0])).toBe(0)
    await members(fixture).confirmPasswordReset(carols.token, changed, changed)
  })
})

describeDatabases('a new address', (open) => {
  const next = 'anna@example.org'

  it('is taken by a link that goes there, and the password', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const own = ann.collection('members')
    expect(await own.requestEmailChange(' Anna@Example.org'.trim())).toBe(true)
    const { to, token } = await nextMail(fixture, 'emailChange')
    expect(to).toBe(next)
    expect(await errorCodes(own.confirmEmailChange(token, 'wrong password'))).toEqual({
      password: 'validation_invalid_password',
    })
    expect(await own.confirmEmailChange(token, password)).toBe(true)
    expect(ann.authStore.token).toBe('')
    expect(await fixture.records.find('members', ann.me.id)).toMatchObject({
      email: next,
      verified: true,
    })
    expect(fixture.accountMails).toMatchObject([
      { kind: 'emailChanged', to: email, newEmail: next },
    ])
    // A link that isn't good any more has no account to compare a password with.
    expect(await errorCodes(own.confirmEmailChange(token, password))).toEqual({
      ...badToken,
      password: 'validation_invalid_password',
    })
    expect((await signIn(fixture, fixture.client(), next)).record.id).toBe(ann.me.id)
  })

  it('is taken once by two who confirm it at the same time', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    await ann.collection('members').requestEmailChange(next)
    await fixture.records.close()
    expect(fixture.accountMails).toMatchObject([{ kind: 'emailChange', to: next }])
    const { token } = await nextMail(fixture, 'emailChange')
    const answers = await Promise.all(
      [1, 2].map(() => post(fixture, 'confirm-email-change', { token, password })),
    )
    const [taken, refused] = answers.toSorted(([a], [b]) => a - b)
    expect(taken![0]).toBe(204)
    expect(refused![0]).toBe(400)
    expect(JSON.parse(refused![1])).toMatchObject({ data: { token: { code: badToken.token } } })
  })

  it('bears five wrong passwords', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const own = ann.collection('members')
    const bob = await fixture.member('bob')
    await bob.collection('members').requestEmailChange('bobby@example.org')
    const bobs = await nextMail(fixture, 'emailChange')
    await own.requestEmailChange(next)
    const { token } = await nextMail(fixture, 'emailChange')
    for (let i = 0; i < 5; i++)
      expect(await errorCodes(own.confirmEmailChange(token, 'wrong'))).toHaveProperty('password')
    expect(await errorCodes(own.confirmEmailChange(token, password))).toEqual(badToken)
    expect(await fixture.records.find('members', ann.me.id)).toMatchObject({ email })
    // Another link bears its own.
    await bob.collection('members').confirmEmailChange(bobs.token, password)
  })

  it('is asked for by who is signed in, and none that is had already', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    expect((await rejection(members(fixture).requestEmailChange(next))).status).toBe(401)
    expect(await errorCodes(ann.collection('members').requestEmailChange(email))).toEqual({
      newEmail: 'validation_not_in_invalid',
    })
    expect(await errorCodes(ann.collection('members').requestEmailChange('none'))).toEqual({
      newEmail: 'validation_is_email',
    })
  })

  it('that is somebody’s is not said to be, and not mailed to', async () => {
    const fixture = await openFixture(open)
    const [ann] = [await fixture.member('ann'), await fixture.member('bob')]
    expect(await ann.collection('members').requestEmailChange('bob@example.org')).toBe(true)
    await ann.collection('members').requestEmailChange(next)
    const { to, token } = await nextMail(fixture, 'emailChange')
    expect(to).toBe(next)
    await members(fixture).create({ email: next, password, passwordConfirm: password })
    expect(await errorCodes(ann.collection('members').confirmEmailChange(token, password))).toEqual(
      {
        token: 'validation_invalid_token_email',
      },
    )
    expect(fixture.errors).toEqual([])
  })
})

describeDatabases('a mail', (open) => {
  it('is given the account’s address and what everyone may see, and no key to it', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    await fixture.records.write((tx) => tx.update('members', ann.me.id, { verified: false }))
    const own = ann.collection('members')
    await own.requestVerification(email)
    await own.requestPasswordReset(email)
    await own.requestEmailChange('anna@example.org')
    const { token } = await nextMail(fixture, 'emailChange')
    await own.confirmEmailChange(token, password)
    await fixture.records.close()
    const kinds = fixture.accountMails.map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['emailChanged', 'passwordReset', 'verification'])
    for (const { record } of [...fixture.accountMails, ...fixture.mails]) {
      expect(Object.keys(record).toSorted()).toEqual(['created', 'email', 'id', 'name', 'updated'])
      expect(record).toMatchObject({ id: ann.me.id, name: 'ann' })
    }
  })
})

describeDatabases('what a stranger learns', (open) => {
  it('is the same for an address with an account and one without', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    for (const call of ['request-verification', 'request-password-reset']) {
      const known = await post(fixture, call, { email })
      expect(known[0]).toBe(204)
      expect(await post(fixture, call, { email: 'nobody@example.org' })).toEqual(known)
      expect(await post(fixture, call, { email })).toEqual(known)
    }
  })

  it('of a mail that failed is nothing, and the next one is not held up by it', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const push = fixture.accountMails.push.bind(fixture.accountMails)
    fixture.accountMails.push = () => {
      fixture.accountMails.push = push
      throw new Error('no mail today')
    }
    await members(fixture).requestPasswordReset(email)
    await expect.poll(() => fixture.errors).toHaveLength(1)
    await vi.waitFor(
      async () => {
        await members(fixture).requestPasswordReset(email)
        expect(fixture.accountMails).toHaveLength(1)
      },
      { interval: 10, timeout: 30_000 },
    )
  })
})
