import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openOutbox } from '#server/mail/outbox.ts'
import type { Message } from '#server/mail/message.ts'
import { otp } from '#shared/account.ts'
import { ask, openFixture, passwordOf } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import type { Database } from '#records/index.ts'
import { otpMail } from './otp-mail.ts'

const greylist = 5 * 60_000

/**
 * A reader who has given the password, and whose mail server takes mail from strangers only at their
 * second visit, five minutes after the first.
 */
async function openGreylisted(database: Database) {
  let clock = Date.now()
  const now = () => new Date(clock)
  const fixture = await openFixture(database, now)
  onTestFinished(() => fixture.close())
  const { email } = await fixture.reader('reader')
  // The codes of the sign-in before count, too.
  clock += 15 * 60_000
  const client = fixture.visitor()
  const credentials = { identity: email, password: passwordOf('reader') }
  const path = '/api/collections/users/auth-with-password'
  const { mfaId } = (await ask(client, 'POST', path, credentials)).body as { mfaId: string }
  const { otpId } = await client.collection('users').requestOTP(email, { mfaId })
  const code = fixture.codeFor(email)
  const first = clock
  let hasArrived = false
  const transport = {
    deliver: async ({ to }: Message) => {
      if (to !== email) return
      if (clock < first + greylist)
        throw Object.assign(new Error('450 greylisted'), { code: 'EENVELOPE' })
      hasArrived = true
    },
    close: () => undefined,
  }
  const box = openOutbox(database, transport, pino({ level: 'silent' }), {
    now: () => clock,
    delivered: async (mail) => {
      if (mail.code) await fixture.records.otpDelivered('users', mail.to)
    },
  })
  onTestFinished(() => box.close())
  await box.send(otpMail(email, code, now()))
  const waiting = async () => {
    const [row] = await database.query(`SELECT attempts, due FROM outbox WHERE code <> ''`)
    return row && { attempts: Number(row[0]), due: Date.parse(String(row[1])) }
  }
  // Each attempt comes when the pause after the one before is over; a new mail wakes the outbox.
  for (let tries = 1; ; tries++) {
    await expect.poll(async () => (await waiting())?.attempts ?? tries).toBe(tries)
    const next = await waiting()
    if (!next) break
    clock = next.due
    await box.send({ ...otpMail('other@example.org', '', now()), code: '' })
  }
  expect(hasArrived).toBe(true)
  return {
    after: (seconds: number) => (clock += seconds * 1000),
    signIn: () => client.collection('users').authWithOTP(otpId, code, { mfaId }),
  }
}

describeMigratedDatabases('a code that is greylisted for five minutes', (open) => {
  test('R17: works for three minutes after its mail was taken', async () => {
    const { after, signIn } = await openGreylisted(await open())
    after(otp.life - 1)
    expect((await signIn()).record).toMatchObject({ username: expect.any(String) as string })
  })

  test('works no longer than that', async () => {
    const { after, signIn } = await openGreylisted(await open())
    after(otp.life + 1)
    await expect(signIn()).rejects.toMatchObject({ status: 400 })
  })
})
