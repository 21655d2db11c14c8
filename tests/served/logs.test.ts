import type { AddressInfo } from 'node:net'
import PocketBase, { type ClientResponseError } from 'pocketbase'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { openMailServer } from '#tests/smtp.ts'

const email = 'named.reader@example.org'
const password = 'said to nobody else'

/** A mail server that knows nobody, and says so with the address. */
async function openRefusal(): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _, done) => done(new Error(`<${address}>: nobody of that name`)),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

async function enter(url: string): Promise<{ mfaId: string; otpId: string }> {
  const users = new PocketBase(url).collection('users')
  const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
  const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
  return { mfaId, ...(await users.requestOTP(email, { mfaId })) }
}

/** Addresses that are no text are refused by a screen. */
async function askOddly({ url }: Octavo): Promise<void> {
  for (const path of [
    '/%FF',
    '/u/%FF',
    '/u/%ED%A0%80',
    '/%',
    '/book/%E0%A4%A',
    '/assets/%FF',
    '/%FF.data',
  ]) {
    const answer = await fetch(url + path)
    expect(answer.status, path).toBe(400)
    expect(await answer.text(), path).toContain('400')
  }
  expect((await fetch(`${url}/u/%25FF`)).status).toBe(404)
}

test('the log of a reader’s day is one of JSON, with no token, code, password or address', async () => {
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url, LOG_LEVEL: 'trace' })
  const started = octavo.output().length
  const client = new PocketBase(octavo.url)
  const users = client.collection('users')
  await users.create({ email, password, passwordConfirm: password })
  await users.authWithPassword(email, 'the wrong password').catch(() => undefined)
  const { mfaId, otpId } = await enter(octavo.url)
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0] ?? ''
  await users.authWithOTP(otpId, '000000', { mfaId }).catch(() => undefined)
  const { token, record } = await users.authWithOTP(otpId, code, { mfaId })
  await users.requestPasswordReset(email)
  const link = /token=([\w.-]+)/.exec((await post.nextMail(email)).text ?? '')?.[1] ?? ''
  const fileToken = await client.files.getToken()
  await fetch(`${octavo.url}/auth/reset-password?token=${link}`)
  await fetch(`${octavo.url}/api/files/users/${record.id}/nothing.png?token=${fileToken}`)
  await users.confirmPasswordReset(link, `${password} any more`, `${password} any more`)
  await users.confirmPasswordReset(link, password, password).catch(() => undefined)
  await askOddly(octavo)
  await octavo.stop()
  const lines = octavo.output().slice(started).split('\n').filter(Boolean)
  for (const line of lines) expect(JSON.parse(line), line).toHaveProperty('level')
  const secrets = { email, password, code, token, link, fileToken, mfaId }
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(5)
    expect(octavo.output(), what).not.toContain(secret)
  }
})

/** Asked for its health, Octavo says that it is well and nothing more. */
async function expectHealth({ url }: Octavo): Promise<void> {
  const answer = await fetch(`${url}/api/health`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ message: 'API is healthy.', code: 200, data: {} })
  for (const path of ['/metrics', '/api/metrics', '/debug', '/api/logs', '/api/settings'])
    expect((await fetch(url + path)).status, path).toBe(404)
}

test('the log of a refused mail has neither its address nor its code, and its health says no more', async () => {
  const octavo = await startOctavo({ SMTP_URL: await openRefusal() })
  const users = new PocketBase(octavo.url).collection('users')
  await users.create({ email, password, passwordConfirm: password })
  await enter(octavo.url)
  await expect.poll(() => octavo.output()).toContain('an email could not be delivered')
  await expectHealth(octavo)
  await octavo.stop()
  expect(octavo.output()).toContain('EENVELOPE')
  expect(octavo.output()).not.toContain(email)
  expect(octavo.output()).not.toContain('Octavo code')
})
