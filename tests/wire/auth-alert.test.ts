import { expect, it, onTestFinished, vi } from 'vitest'
import type { AuthMail, Collection, OtpMail } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import {
  openFixture,
  password,
  rejection,
  statusAndBody,
  schema,
  signIn,
  type Fixture,
} from './fixture.ts'

const email = 'ann@example.org'

describeDatabases('a sign-in', (open) => {
  it('from where there was none before is told to the owner', async () => {
    const fixture = await openFixture(open)
    await fixture
      .client()
      .collection('members')
      .create({ email, password, passwordConfirm: password })
    const firefox = 'Mozilla/5.0 Firefox/140.0'
    await from(fixture, '192.0.2.1', firefox)
    await from(fixture, '192.0.2.1', firefox)
    // The codes sent to one account are few; this is about something else.
    fixture.wait(700)
    await from(fixture, '192.0.2.1', 'Mozilla/5.0 Safari/26')
    await from(fixture, '2001:db8::1', firefox)
    await fixture.records.close()
    expect(fixture.accountMails).toMatchObject([
      { kind: 'newDevice', to: email, address: '192.0.2.1', agent: 'Mozilla/5.0 Safari/26' },
      { kind: 'newDevice', to: email, address: '2001:db8::1', agent: firefox },
    ])
    expect(fixture.errors).toEqual([])
  })

  it('is told by the browser alone where no address is known, and not at all without either', async () => {
    const fixture = await openFixture(open)
    await fixture.member('ann')
    await fixture.records.close()
    expect(await devices(fixture)).toBe(0)
    for (const agent of ['Mozilla/5.0 Firefox/140.0', 'Mozilla/5.0 Safari/26']) {
      fixture.wait(700)
      await from(fixture, '', agent)
    }
    await fixture.records.close()
    expect(fixture.accountMails).toMatchObject([
      { kind: 'newDevice', address: '', agent: 'Mozilla/5.0 Safari/26' },
    ])
  })

  it('remembers five devices, and none once the password is another', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    for (let i = 0; i < 7; i++) {
      fixture.wait(700)
      await from(fixture, `192.0.2.${i}`, 'x')
    }
    await fixture.records.close()
    expect(await devices(fixture)).toBe(5)
    expect(fixture.accountMails).toHaveLength(6)
    // The five newest are known; what was before them is not any more.
    fixture.wait(700)
    await from(fixture, '192.0.2.2', 'x')
    await fixture.records.close()
    expect(fixture.accountMails).toHaveLength(6)
    fixture.wait(700)
    await from(fixture, '192.0.2.1', 'x')
    await fixture.records.close()
    expect(fixture.accountMails.slice(6)).toMatchObject([
      { kind: 'newDevice', address: '192.0.2.1' },
    ])
    fixture.wait(700)
    const next = { password: 'another horse', passwordConfirm: 'another horse' }
    await signIn(fixture, ann, email)
    await ann.collection('members').update(ann.me.id, { ...next, oldPassword: password })
    expect(await devices(fixture)).toBe(0)
  })

  it('is remembered of each account by itself', async () => {
    const fixture = await openFixture(open)
    const [ann] = [await fixture.member('ann'), await fixture.member('bob')]
    for (const who of [email, 'bob@example.org']) await from(fixture, '192.0.2.1', 'x', who)
    await fixture.records.close()
    expect(await devices(fixture)).toBe(2)
    const next = { password: 'another horse', passwordConfirm: 'another horse' }
    await ann.collection('members').update(ann.me.id, { ...next, oldPassword: password })
    expect(await devices(fixture)).toBe(1)
  })

  it('is only for accounts that the collection’s rule lets in', async () => {
    const fixture = await openFixture(open)
    const members = schema.get('members')
    const ann = await fixture.member('ann')
    const sorry = {
      data: {},
      message: "The request doesn't satisfy the collection requirements to authenticate.",
      status: 403,
    }
    await withRule(members, 'name != "ann"', async () => {
      const own = ann.collection('members')
      expect(await statusAndBody(own.authRefresh())).toEqual([403, sorry])
      expect(await statusAndBody(own.authWithPassword(email, password))).toEqual([403, sorry])
      expect((await rejection(own.authWithPassword(email, 'wrong password'))).status).toBe(400)
      await fixture.member('bob')
    })
    await withRule(members, null, async () => {
      expect((await rejection(ann.collection('members').authRefresh())).status).toBe(403)
    })
    const byOtp = '@request.context != "otp"'
    await withRule(members, byOtp, async () => {
      fixture.wait(700)
      expect(await statusAndBody(signIn(fixture, fixture.client(), email))).toEqual([403, sorry])
    })
    await ann.collection('members').authRefresh()
  })
})

describeDatabases('a mail server that takes its time', (open) => {
  it('keeps nobody waiting: not at sign-in, not for a code, not for a link', async () => {
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    const held: AuthMail[] = []
    const codes: OtpMail[] = []
    const fixture = await openFixture(open, {
      onMail: (mail) => (held.push(mail), taken),
      onOtp: (mail) => (codes.push(mail), taken),
    })
    // Closing waits for what is on its way.
    onTestFinished(() => take())
    fixture.mails = codes
    const ann = await fixture.member('ann')
    const own = ann.collection('members')
    for (const address of ['192.0.2.1', '192.0.2.2']) await from(fixture, address, 'Firefox/140.0')
    await own.requestEmailChange('anna@example.org')
    await own.requestPasswordReset(email)
    await vi.waitFor(() =>
      expect(held.map(({ kind }) => kind).toSorted()).toEqual([
        'emailChange',
        'newDevice',
        'passwordReset',
      ]),
    )
    expect(codes).toHaveLength(3)
    expect((await own.authRefresh()).record.id).toBe(ann.me.id)
  })
})

/** A sign-in in two steps from somewhere. */
async function from(fixture: Fixture, address: string, agent: string, who = email): Promise<void> {
  const client = fixture.client()
  const { beforeSend } = client
  client.beforeSend = async (url, options) => {
    const headers = { ...options.headers, 'X-Address': address, 'User-Agent': agent }
    return beforeSend!(url, { ...options, headers })
  }
  await signIn(fixture, client, who)
}

async function devices(fixture: Fixture): Promise<number> {
  const [row] = await fixture.database.query('SELECT COUNT(*) FROM "_authOrigins"')
  return Number(row![0])
}

async function withRule(
  { auth }: Collection,
  rule: string | null,
  work: () => Promise<void>,
): Promise<void> {
  auth!.rule = rule
  try {
    await work()
  } finally {
    delete auth!.rule
  }
}
