import type { AddressInfo } from 'node:net'
import PocketBase, { type ClientResponseError } from 'pocketbase'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'
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

test('the log of a reader’s day has no token, no code, no password and no address', async () => {
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url, LOG_LEVEL: 'trace' })
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
  await octavo.stop()
  const secrets = { email, password, code, token, link, fileToken, mfaId }
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(5)
    expect(octavo.output(), what).not.toContain(secret)
  }
})

test('the log of a mail that was refused names neither its address nor its code', async () => {
  const octavo = await startOctavo({ SMTP_URL: await openRefusal() })
  const users = new PocketBase(octavo.url).collection('users')
  await users.create({ email, password, passwordConfirm: password })
  await enter(octavo.url)
  await expect.poll(() => octavo.output()).toContain('an email could not be delivered')
  await octavo.stop()
  expect(octavo.output()).toContain('EENVELOPE')
  expect(octavo.output()).not.toContain(email)
  expect(octavo.output()).not.toContain('Octavo code')
})

test('asked for its health, Octavo says that it is well and nothing more', async () => {
  const octavo = await startOctavo()
  onTestFinished(async () => void (await octavo.stop()))
  const answer = await fetch(`${octavo.url}/api/health`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ message: 'API is healthy.', code: 200, data: {} })
  for (const path of ['/metrics', '/api/metrics', '/debug', '/api/logs', '/api/settings'])
    expect((await fetch(octavo.url + path)).status, path).toBe(404)
})

test('an address that is no text is refused by a screen, and the log stays one of JSON', async () => {
  const octavo = await startOctavo({ LOG_LEVEL: 'trace' })
  const started = octavo.output().length
  for (const path of [
    '/%FF',
    '/u/%FF',
    '/u/%ED%A0%80',
    '/%',
    '/book/%E0%A4%A',
    '/assets/%FF',
    '/%FF.data',
  ]) {
    const answer = await fetch(octavo.url + path)
    expect(answer.status, path).toBe(400)
    expect(await answer.text(), path).toContain('400')
  }
  expect((await fetch(`${octavo.url}/u/%25FF`)).status).toBe(404)
  await octavo.stop()
  const lines = octavo.output().slice(started).split('\n').filter(Boolean)
  for (const line of lines) expect(JSON.parse(line), line).toHaveProperty('level')
})
