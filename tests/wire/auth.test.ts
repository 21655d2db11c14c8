import { decodeJwt } from 'jose'
import { expect, it, vi } from 'vitest'
import type { OtpMail } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { duringWrite } from './during-write.ts'
import {
  appUrl,
  errorCodes,
  passwordStep,
  openFixture,
  password,
  statusAndBody,
  rejection,
  schema,
  signIn,
  type Fixture,
} from './fixture.ts'

const failed = { data: {}, message: 'Failed to authenticate.', status: 400 }
const wrongCode = { data: {}, message: 'Invalid or expired OTP.', status: 400 }
const noMfa = { data: {}, message: 'Invalid or expired MFA session.', status: 400 }

const email = 'ann@example.org'

async function withAnn(fixture: Fixture): Promise<void> {
  await fixture
    .client()
    .collection('members')
    .create({ email, password, passwordConfirm: password, name: 'Ann' })
}

/** The first step and the mailed code, ready for the second. */
async function halfway(fixture: Fixture) {
  const client = fixture.client()
  const mfaId = await passwordStep(client, email)
  const { otpId } = await client.collection('members').requestOTP(email, { mfaId })
  return { client, mfaId, otpId, code: fixture.mails.findLast((m) => m.otpId === otpId)!.code }
}

/** The mail of a code that was asked for without naming the first step, once it is there. */
function mailOf(fixture: Fixture, otpId: string) {
  const found = () => fixture.mails.find((mail) => mail.otpId === otpId)
  return vi.waitUntil(found, { interval: 5, timeout: 30_000 })
}

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describeDatabases('signing up', (open) => {
  it('shows the account to itself alone', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const [shown] = await fixture.client().collection('members').getFullList()
    expect(Object.keys(shown!).toSorted()).toEqual([
      'collectionId',
      'collectionName',
      'created',
      'id',
      'name',
      'updated',
    ])
    const client = fixture.client()
    const { record } = await signIn(fixture, client, email)
    expect(record).toMatchObject({ email, verified: true, name: 'Ann' })
    for (const hidden of ['password', 'tokenKey', 'isAdmin', 'emailVisibility'])
      expect(record).not.toHaveProperty(hidden)
  })

  it('checks the account before the other fields', async () => {
    const members = (await openFixture(open)).client().collection('members')
    const long = 'x'.repeat(21)
    expect(await errorCodes(members.create({ email: 'no', password: '', name: long }))).toEqual({
      password: 'validation_required',
      passwordConfirm: 'validation_required',
    })
    expect(
      await errorCodes(
        members.create({ email, password, passwordConfirm: 'other', verified: true }),
      ),
    ).toEqual({
      passwordConfirm: 'validation_values_mismatch',
      verified: 'validation_values_mismatch',
    })
    const short = { password: '1234567', passwordConfirm: '1234567' }
    expect(await errorCodes(members.create({ email: 'no', ...short, name: long }))).toEqual({
      email: 'validation_is_email',
      password: 'validation_min_text_constraint',
      name: 'validation_max_text_constraint',
    })
  })

  it('takes a password of digits that a form sent as a number', async () => {
    const fixture = await openFixture(open)
    const members = fixture.client().collection('members')
    await members.create({ email, password: 12345678, passwordConfirm: 12345678 })
    expect(await passwordStep(fixture.client(), email, '12345678')).toMatch(/^[a-z0-9]{15}$/)
  })

  it('takes an address once, however it is written', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const again = { email: 'Ann@Example.ORG', password, passwordConfirm: password }
    expect(await errorCodes(fixture.client().collection('members').create(again))).toEqual({
      email: 'validation_not_unique',
    })
  })

  it('never stores fields that only the server can set', async () => {
    const fixture = await openFixture(open, { passwordCost: undefined })
    const record = await fixture
      .client()
      .collection('members')
      .create({
        email,
        password,
        passwordConfirm: password,
        isAdmin: true,
        tokenKey: 'x'.repeat(50),
        emailVisibility: true,
      })
    const stored = await fixture.records.find('members', record.id)
    expect(stored).toMatchObject({ isAdmin: false, emailVisibility: false, verified: false })
    expect(stored!['tokenKey']).not.toBe('x'.repeat(50))
    expect(stored!['tokenKey']).toMatch(/^[a-zA-Z0-9]{50}$/)
    expect(stored!['password']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describeDatabases('signing in', (open) => {
  it('asks for a code after the password, and for nothing else', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const error = await rejection(
      fixture.client().collection('members').authWithPassword(email, password),
    )
    expect([error.status, Object.keys(error.response)]).toEqual([401, ['mfaId']])
    const { client, mfaId, otpId, code } = await halfway(fixture)
    expect(code).toMatch(/^\d{6}$/)
    const { record, token } = await client
      .collection('members')
      .authWithOTP(otpId, code, { mfaId, expand: 'albums_via_owner' })
    expect(record).toMatchObject({ email, verified: true })
    expect(token.split('.')).toHaveLength(3)
    expect(client.authStore.isValid).toBe(true)
    expect(await client.collection('albums').create({ name: 'Sea' })).toMatchObject({
      owner: record.id,
    })
  })

  it('answers in the form that was asked for, or refuses before the code is used', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const { mfaId, otpId, code } = await halfway(fixture)
    const submit = (query: string) =>
      fixture.fetch(`/api/collections/members/auth-with-otp?${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ otpId, password: code, mfaId }),
      })
    expect((await submit('fields=record.name:nonsense(1)')).status).toBe(400)
    const answer = await submit('fields=record.name')
    expect(await answer.text()).toBe('{"record":{"name":"Ann"}}\n')
  })

  it('answers a wrong password as it answers an unknown address', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const members = fixture.client().collection('members')
    for (const [who, what] of [
      [email, 'wrong password'],
      [email, password.toUpperCase()],
      [email, `${password} `],
      [email, `${password}\0x`.replace('\0', '')],
      ['nobody@example.org', password],
    ] as const)
      expect(await statusAndBody(members.authWithPassword(who, what))).toEqual([400, failed])
    expect(await errorCodes(members.authWithPassword('', ''))).toEqual({
      identity: 'validation_required',
      password: 'validation_required',
    })
    const body = { identity: email, password, identityField: 'name' }
    expect(await errorCodes(members.authWithPassword(email, password, { body }))).toEqual({
      identityField: 'validation_in_invalid',
    })
    expect(
      (await rejection(fixture.client().collection('albums').authWithPassword('a', 'b'))).status,
    ).toBe(404)
  })

  it.each([true, false])(
    'refuses a password that is replaced while it is compared (before a code: %s)',
    async (isHalf) => {
      const fixture = await openFixture(open)
      const ann = await fixture.member('ann')
      const { mfa } = schema.get('members').auth!
      const { life } = mfa
      if (!isHalf) mfa.life = 0
      try {
        for (const change of [{ password: 'another' }, { tokenKey: 'x'.repeat(50) }]) {
          if (isHalf && 'tokenKey' in change) continue
          const entering = await duringWrite(
            fixture,
            (tx) => tx.update('members', ann.me.id, change),
            () =>
              statusAndBody(
                fixture.client().collection('members').authWithPassword(email, password),
              ),
          )
          expect(entering).toEqual([400, failed])
        }
      } finally {
        mfa.life = life
      }
      expect(await fixture.database.query('SELECT id FROM _mfas')).toEqual([])
      expect(await fixture.database.query('SELECT id FROM _sessions')).toEqual([])
      expect(fixture.errors).toEqual([])
    },
  )

  it('sends a code only after the right password', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const members = fixture.client().collection('members')
    for (const who of [email, 'nobody@example.org'])
      expect((await members.requestOTP(who)).otpId).toMatch(/^[a-z0-9]{15}$/)
    expect(fixture.mails).toEqual([])
    const mfaId = await passwordStep(fixture.client(), email)
    const { otpId } = await members.requestOTP(email)
    const { code } = await mailOf(fixture, otpId)
    expect(fixture.mails).toMatchObject([{ to: email, code: expect.stringMatching(/^\d{6}$/) }])
    await members.authWithOTP(otpId, code, { mfaId })
    expect(await errorCodes(members.requestOTP('no address'))).toEqual({
      email: 'validation_is_email',
    })
  })

  it('sends three codes in ten minutes, each in place of the one before', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const members = fixture.client().collection('members')
    const mfaId = await passwordStep(fixture.client(), email)
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push((await members.requestOTP(email, { mfaId })).otpId)
    expect(fixture.mails.map((mail) => mail.otpId)).toEqual(ids)
    expect(new Set(ids).size).toBe(3)
    const error = await rejection(members.requestOTP(email, { mfaId }))
    expect([error.status, error.message]).toEqual([
      429,
      'Too many codes were sent. Please try again in 10 minutes.',
    ])
    const submit = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const body = JSON.stringify({ email, mfaId })
    const answer = await fixture.fetch('/api/collections/members/request-otp', { ...submit, body })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(590)
    expect(Number(answer.headers.get('Retry-After'))).toBeLessThanOrEqual(600)
    // The newest code stays good, and its id is all that others are told.
    expect((await members.requestOTP(email)).otpId).toBe(ids[2])
    expect(fixture.mails).toHaveLength(3)
    const [first, , third] = fixture.mails
    expect(await statusAndBody(members.authWithOTP(first!.otpId, first!.code, { mfaId }))).toEqual([
      400,
      wrongCode,
    ])
    await members.authWithOTP(third!.otpId, third!.code, { mfaId })
    fixture.wait(601)
    await halfway(fixture)
    expect(fixture.mails).toHaveLength(4)
  })

  it('lets nobody without the password cancel a code, have more sent or use up what may be', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const bob = { email: 'bob@example.org', password, passwordConfirm: password }
    await fixture.client().collection('members').create(bob)
    const bobsMfa = await passwordStep(fixture.client(), bob.email)
    const stranger = fixture.client().collection('members')
    const { client, mfaId, otpId, code } = await halfway(fixture)
    const strangers = async () => {
      for (const named of ['', 'nothing', 'no id', bobsMfa])
        expect((await stranger.requestOTP(email, { mfaId: named })).otpId).toBe(otpId)
    }
    await strangers()
    const members = client.collection('members')
    expect(await statusAndBody(members.authWithOTP(otpId, wrong(code), { mfaId }))).toEqual([
      400,
      wrongCode,
    ])
    await strangers()
    await members.authWithOTP(otpId, code, { mfaId })
    // Nor once a code has run out.
    const again = await halfway(fixture)
    fixture.wait(181)
    for (let i = 0; i < 5; i++)
      expect((await stranger.requestOTP(email)).otpId).not.toBe(again.otpId)
    const last = await members.requestOTP(email, { mfaId: again.mfaId })
    await fixture.records.close()
    expect(fixture.mails.map((mail) => mail.otpId)).toEqual([otpId, again.otpId, last.otpId])
    expect(fixture.errors).toEqual([])
  })

  it('does not count a code that could not be sent, and leaves other readers’ codes valid', async () => {
    const mails: OtpMail[] = []
    let isDown = false
    const fixture = await openFixture(open, {
      onOtp(mail) {
        if (isDown) throw new Error('no mail today')
        mails.push(mail)
      },
    })
    fixture.mails = mails
    await withAnn(fixture)
    const bob = { email: 'bob@example.org', password, passwordConfirm: password }
    await fixture.client().collection('members').create(bob)
    const members = fixture.client().collection('members')
    const bobsMfa = await passwordStep(fixture.client(), bob.email)
    const bobs = await members.requestOTP(bob.email, { mfaId: bobsMfa })
    const mfaId = await passwordStep(fixture.client(), email)
    isDown = true
    for (let n = 0; n < 3; n++) await members.requestOTP(email, { mfaId })
    await fixture.records.close()
    expect(fixture.errors).toHaveLength(3)
    isDown = false
    const { otpId } = await members.requestOTP(email, { mfaId })
    await fixture.records.close()
    expect(mails.map((mail) => mail.otpId)).toEqual([bobs.otpId, otpId])
    await members.authWithOTP(otpId, mails[1]!.code, { mfaId })
    const { record } = await members.authWithOTP(bobs.otpId, mails[0]!.code, { mfaId: bobsMfa })
    expect(record).toMatchObject({ email: bob.email })
  })

  it('makes one code for parallel requests', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const members = fixture.client().collection('members')
    const mfaId = await passwordStep(fixture.client(), email)
    const asked = await Promise.all(Array.from({ length: 20 }, () => members.requestOTP(email)))
    const [otpId, ...others] = new Set(asked.map((answer) => answer.otpId))
    expect(others).toEqual([])
    const { code } = await mailOf(fixture, otpId!)
    await members.authWithOTP(otpId!, code, { mfaId })
    expect(fixture.mails).toHaveLength(1)
    expect(fixture.errors).toEqual([])
  })

  it('answers before it writes, so that the time does not tell who is signing in', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const members = fixture.client().collection('members')
    await passwordStep(fixture.client(), email)
    const free = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const [ann] = await members.getFullList()
    // No code can be made while somebody else writes the account.
    const writing = fixture.records.write(async (tx) => {
      await tx.update('members', ann!.id, { name: 'Anna' })
      held.resolve()
      await free.promise
    })
    await held.promise
    const { otpId } = await members.requestOTP(email)
    expect(fixture.mails).toEqual([])
    free.resolve()
    await writing
    expect(await mailOf(fixture, otpId)).toMatchObject({ to: email })
  })

  it('R33: burns a code after five wrong tries, even for the right one', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const { client, mfaId, otpId, code } = await halfway(fixture)
    const members = client.collection('members')
    for (let i = 0; i < 5; i++)
      expect(await statusAndBody(members.authWithOTP(otpId, wrong(code), { mfaId }))).toEqual([
        400,
        wrongCode,
      ])
    expect(await statusAndBody(members.authWithOTP(otpId, code, { mfaId }))).toEqual([
      400,
      wrongCode,
    ])
    const next = await members.requestOTP(email, { mfaId })
    const mail = fixture.mails.at(-1)!
    expect(mail.otpId).toBe(next.otpId)
    await members.authWithOTP(next.otpId, mail.code, { mfaId })
  })

  it('nobody without the password can use up the owner’s tries', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const bob = { email: 'bob@example.org', password, passwordConfirm: password }
    await fixture.client().collection('members').create(bob)
    const bobsMfa = await passwordStep(fixture.client(), bob.email)
    const { client, mfaId, otpId, code } = await halfway(fixture)
    const stranger = fixture.client().collection('members')
    for (let i = 0; i < 6; i++) {
      expect(await statusAndBody(stranger.authWithOTP(otpId, wrong(code)))).toEqual([400, noMfa])
      expect(await statusAndBody(stranger.authWithOTP(otpId, code, { mfaId: bobsMfa }))).toEqual([
        400,
        wrongCode,
      ])
    }
    await client.collection('members').authWithOTP(otpId, code, { mfaId })
  })

  it('R33: takes a code once, also from fifty at the same time', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const { mfaId, otpId, code } = await halfway(fixture)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        fixture.fetch('/api/collections/members/auth-with-otp', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ otpId, password: code, mfaId }),
        }),
      ),
    )
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(49)
    const sessions = await fixture.database.query('SELECT COUNT(*) FROM _sessions')
    expect(Number(sessions[0]![0])).toBe(1)
  })

  it('R33: counts fifty wrong tries at the same time as five', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const { client, mfaId, otpId, code } = await halfway(fixture)
    const members = client.collection('members')
    await Promise.all(
      Array.from({ length: 50 }, () =>
        statusAndBody(members.authWithOTP(otpId, wrong(code), { mfaId })),
      ),
    )
    const [row] = await fixture.database.query('SELECT tries FROM _otps')
    expect(Number(row![0])).toBe(5)
    expect(await statusAndBody(members.authWithOTP(otpId, code, { mfaId }))).toEqual([
      400,
      wrongCode,
    ])
  })

  it('forgets a code after three minutes and a password after ten', async () => {
    const fixture = await openFixture(open)
    await withAnn(fixture)
    const { client, mfaId, otpId, code } = await halfway(fixture)
    const members = client.collection('members')
    fixture.wait(181)
    expect(await statusAndBody(members.authWithOTP(otpId, code, { mfaId }))).toEqual([
      400,
      wrongCode,
    ])
    const later = await members.requestOTP(email, { mfaId })
    fixture.wait(420)
    expect(
      await statusAndBody(members.authWithOTP(later.otpId, fixture.mails.at(-1)!.code, { mfaId })),
    ).toEqual([400, noMfa])
    // What has run out isn't kept for ever.
    fixture.wait(601)
    await halfway(fixture)
    for (const table of ['_mfas', '_otps'])
      expect(await fixture.database.query(`SELECT id FROM ${table}`)).toHaveLength(1)
  })
})

describeDatabases('a session', (open) => {
  it('is prolonged by a refresh, and ends where it must', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const members = ann.collection('members')
    const first = ann.authStore.token
    fixture.wait(4 * 86_400)
    const { token, record } = await members.authRefresh()
    expect(token).not.toBe(first)
    expect(record).toMatchObject({ id: ann.me.id, email: 'ann@example.org' })
    fixture.wait(86_400 + 1)
    // The first token has run out, the second has not.
    await members.authRefresh()
    ann.authStore.save(first)
    expect((await rejection(members.authRefresh())).response).toMatchObject({
      message: 'The request requires valid record authorization token.',
      status: 401,
    })
    // From refresh to refresh until the thirtieth day, and no further.
    ann.authStore.save(token)
    await members.authRefresh()
    for (let i = 0; i < 6; i++) {
      fixture.wait(4 * 86_400)
      await members.authRefresh()
    }
    fixture.wait(86_400)
    expect((await rejection(members.authRefresh())).status).toBe(401)
  })

  it('gets no new token when it ends while it asks for one', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const end = (tx: { query: (sql: string) => Promise<unknown> }) =>
      tx.query('DELETE FROM _sessions')
    const status = await duringWrite(fixture, end, async () => {
      const error = await rejection(ann.collection('members').authRefresh())
      return error.status
    })
    expect(status).toBe(401)
  })

  it('ends unused for two weeks, or on the server’s word', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const asked = () =>
      fixture.records.authenticate(
        new Request(appUrl, { headers: { Authorization: `Bearer ${ann.authStore.token}` } }),
      )
    const viewer = await asked()
    expect(viewer).toMatchObject({ id: ann.me.id, collectionName: 'members' })
    await fixture.records.endSession(viewer!)
    expect(await asked()).toBeNull()
    await signIn(fixture, ann, 'ann@example.org')
    expect(await asked()).not.toBeNull()
    await fixture.records.endSessions(ann.me.id)
    expect(await asked()).toBeNull()
  })

  it('ends by itself, before its token does, where it is not used or has lasted', async () => {
    const fixture = await openFixture(open)
    const [often, seldom] = [await fixture.member('ann'), fixture.client()]
    await signIn(fixture, seldom, email)
    const open_ = async ({ authStore }: typeof seldom) => {
      const headers = { Authorization: authStore.token }
      const answer = await fixture.fetch('/api/collections/members/sessions', { headers })
      // Waits until it is noted as used.
      await fixture.records.close()
      return answer.status === 200
        ? ((await answer.json()) as { sessions: unknown[] }).sessions.length
        : answer.status
    }
    const auth = schema.get('members').auth!
    const { sessionIdle, sessionLife } = auth
    const day = 86_400
    Object.assign(auth, { sessionIdle: 2 * day, sessionLife: 4 * day })
    try {
      fixture.wait(1.2 * day)
      expect(await open_(often)).toBe(2)
      fixture.wait(1.2 * day)
      expect(await open_(often)).toBe(1)
      expect(await open_(seldom)).toBe(401)
      fixture.wait(1.2 * day)
      expect(await open_(often)).toBe(1)
      const later = fixture.client()
      await signIn(fixture, later, email)
      expect(await fixture.database.query('SELECT id FROM _sessions')).toHaveLength(2)
      expect(await open_(later)).toBe(2)
      fixture.wait(0.6 * day)
      expect(await open_(later)).toBe(1)
      expect(await open_(often)).toBe(401)
    } finally {
      Object.assign(auth, { sessionIdle, sessionLife })
    }
  })

  it('of a damaged, foreign or unsigned token is a visitor’s', async () => {
    const fixture = await openFixture(open)
    const [ann, bob] = [await fixture.member('ann'), await fixture.member('bob')]
    const [head, body, signature] = ann.authStore.token.split('.') as [string, string, string]
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const bobsBody = bob.authStore.token.split('.')[1]
    const nul = Buffer.from(
      JSON.stringify({ type: 'auth', id: 'a\0', collectionId: 'members', sid: '\0', exp: 1e10 }),
    ).toString('base64url')
    const elsewhere = ['nothing', 'pbc_nothing', schema.get('albums').id].map((collectionId) => {
      const claims = { ...decodeJwt(ann.authStore.token), collectionId }
      return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
    })
    for (const token of [
      ...elsewhere,
      `${head}.${body}.`,
      `${head}.${body}.${signature.slice(0, -2)}xx`,
      `${none}.${body}.`,
      `${head}.${bobsBody}.${signature}`,
      `${head}.${nul}.${signature}`,
      'x',
      'Bearer',
    ])
      expect(
        await fixture.records.authenticate(
          new Request(appUrl, { headers: { Authorization: token } }),
        ),
        token,
      ).toBeNull()
  })

  it('R32: and every other of the account ends with a new password', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const members = ann.collection('members')
    const changed = { password: 'another horse', passwordConfirm: 'another horse' }
    expect(await errorCodes(members.update(ann.me.id, changed))).toEqual({
      oldPassword: 'validation_required',
    })
    expect(await errorCodes(members.update(ann.me.id, { ...changed, oldPassword: 'no' }))).toEqual({
      oldPassword: 'validation_invalid_old_password',
    })
    expect(await errorCodes(members.update(ann.me.id, { oldPassword: password }))).toEqual({
      password: 'validation_required',
      passwordConfirm: 'validation_required',
    })
    expect(await errorCodes(members.update(ann.me.id, { password: 'another horse' }))).toEqual({
      passwordConfirm: 'validation_required',
      oldPassword: 'validation_required',
    })
    expect(
      await errorCodes(members.update(ann.me.id, { passwordConfirm: 'another horse' })),
    ).toEqual({
      password: 'validation_required',
      passwordConfirm: 'validation_values_mismatch',
      oldPassword: 'validation_required',
    })
    const short = { password: '1234567', passwordConfirm: '1234567', oldPassword: password }
    expect(await errorCodes(members.update(ann.me.id, short))).toEqual({
      password: 'validation_min_text_constraint',
    })
    await members.authRefresh()
    const before = await fixture.records.find('members', ann.me.id)
    await members.update(ann.me.id, { ...changed, oldPassword: password })
    const after = await fixture.records.find('members', ann.me.id)
    expect(after!['tokenKey']).not.toBe(before!['tokenKey'])
    expect((await rejection(members.authRefresh())).status).toBe(401)
    expect(await statusAndBody(members.authWithPassword('ann@example.org', password))).toEqual([
      400,
      failed,
    ])
  })

  it('cannot change its address or call itself verified', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const members = ann.collection('members')
    expect(
      await errorCodes(members.update(ann.me.id, { email: 'other@example.org', verified: false })),
    ).toEqual({ email: 'validation_values_mismatch', verified: 'validation_values_mismatch' })
    const same = { email: 'ann@example.org', verified: true, name: 'Anna', isAdmin: true }
    expect(await members.update(ann.me.id, same)).toMatchObject({ name: 'Anna' })
    expect(await fixture.records.find('members', ann.me.id)).toMatchObject({ isAdmin: false })
  })
})

describeDatabases('the session cookie', (open) => {
  const json = { 'Content-Type': 'application/json' }
  const own = { Origin: appUrl }

  async function byCookie(fixture: Fixture, origin = appUrl) {
    await withAnn(fixture)
    const { mfaId, otpId, code } = await halfway(fixture)
    const answer = await fixture.fetch('/api/collections/members/auth-with-otp', {
      method: 'POST',
      headers: { ...json, Origin: origin, 'X-Session': 'cookie' },
      body: JSON.stringify({ otpId, password: code, mfaId }),
    })
    const header = answer.headers.get('set-cookie') ?? ''
    return { answer, header, cookie: header.split(';')[0]! }
  }

  it('holds the token, so the body does not', async () => {
    const fixture = await openFixture(open)
    const { answer, header } = await byCookie(fixture)
    expect(await answer.json()).toMatchObject({ record: { email }, token: '' })
    expect(header).toMatch(/^pb_auth=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=432000$/)
    expect(header.length).toBeLessThan(4096)
    const client = fixture.client()
    client.authStore.loadFromCookie(header)
    expect(client.authStore.isValid).toBe(true)
    expect(Object.keys(client.authStore.record!).toSorted()).toEqual([
      'collectionId',
      'collectionName',
      'email',
      'id',
      'verified',
    ])
  })

  it('is sent over HTTPS only if the application is', async () => {
    const fixture = await openFixture(open, { appUrl: 'https://app.test' })
    const { header } = await byCookie(fixture, 'https://app.test')
    expect(header).toMatch(/; Max-Age=432000; Secure$/)
  })

  it('signs requests in, but writes only from the application’s own pages', async () => {
    const fixture = await openFixture(open)
    const { cookie } = await byCookie(fixture)
    const create = (headers: Record<string, string>) =>
      fixture.fetch('/api/collections/albums/records', {
        method: 'POST',
        headers: { ...json, Cookie: cookie, ...headers },
        body: JSON.stringify({ name: `Sea ${Math.random()}` }),
      })
    expect((await create(own)).status).toBe(200)
    expect((await create({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
    for (const headers of [
      {},
      { Origin: 'http://evil.test' },
      { Origin: 'null' },
      { Origin: `${appUrl}.evil.test` },
      { 'Sec-Fetch-Site': 'same-site' },
    ])
      expect((await create(headers)).status).toBe(403)
    const read = await fixture.fetch('/api/collections/members/records', {
      headers: { Cookie: cookie },
    })
    expect(await read.json()).toMatchObject({ items: [{ email }] })
  })

  it('is renewed by a refresh that never shows the token', async () => {
    const fixture = await openFixture(open)
    const { cookie } = await byCookie(fixture)
    const refresh = (headers: Record<string, string>) =>
      fixture.fetch('/api/collections/members/auth-refresh', {
        method: 'POST',
        headers: { Cookie: cookie, ...headers },
      })
    const answer = await refresh(own)
    expect(await answer.json()).toMatchObject({ token: '', record: { email } })
    expect(answer.headers.get('set-cookie')).toContain('HttpOnly')
    expect((await refresh({})).status).toBe(403)
  })
})

describeDatabases('the ways to sign in', (open) => {
  it('are told as the client expects them', async () => {
    const fixture = await openFixture(open)
    expect(await fixture.client().collection('members').listAuthMethods()).toMatchObject({
      mfa: { enabled: true, duration: 600 },
      otp: { enabled: true, duration: 180 },
      password: { enabled: true, identityFields: ['email'] },
      oauth2: { enabled: false, providers: [] },
    })
    const some = await fixture.fetch('/api/collections/members/auth-methods?fields=mfa.enabled')
    expect(await some.text()).toBe('{"mfa":{"enabled":true}}\n')
    expect(await fixture.client().health.check()).toEqual({
      message: 'API is healthy.',
      code: 200,
      data: {},
    })
  })
})
