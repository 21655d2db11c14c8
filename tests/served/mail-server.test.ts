import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import PocketBase, { type ClientResponseError } from 'pocketbase'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'
import { openMailServer } from '#tests/smtp.ts'

const email = 'reader@example.org'
const password = 'nobody picks up there'

/** Takes every call and says nothing, as a mail server that hangs. */
async function openSilence() {
  const server = createServer()
  const calls: Socket[] = []
  server.on('connection', (socket) => {
    calls.push(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of calls) socket.destroy()
    server.close()
  })
  const called = new Promise<Socket>((resolve) => server.once('connection', resolve))
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, called }
}

test('R17: signs readers in while the mail server accepts connections and says nothing', async () => {
  const silence = await openSilence()
  const octavo = await startOctavo({ SMTP_URL: silence.url })
  onTestFinished(async () => void (await octavo.stop()))
  const users = new PocketBase(octavo.url).collection('users')
  await users.create({ email, password, passwordConfirm: password })
  const enter = async () => {
    const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
    const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
    return users.requestOTP(email, { mfaId })
  }
  await enter()
  const call = await silence.called
  // From here on a mail is on its way that does not get anywhere.
  const { otpId } = await enter()
  expect(otpId).toMatch(/^[a-z0-9]{15}$/)
  expect(call.readyState).toBe('open')
  expect(call.bytesRead).toBe(0)
})

/** Milliseconds for which some servers let clients wait, as programs that send spam don't. */
const greetingDelay = 20_000

test(
  'R17: mails through a server that greets after twenty seconds',
  { timeout: 120_000 },
  async () => {
    const post = await openMailServer()
    const { port } = new URL(post.url)
    const door = createServer((client) => {
      client.on('error', () => undefined)
      const timer = setTimeout(() => {
        const inner = connect(Number(port), '127.0.0.1')
        inner.on('error', () => undefined)
        client.pipe(inner).pipe(client)
      }, greetingDelay)
      client.once('close', () => clearTimeout(timer))
    }).listen(0, '127.0.0.1')
    await once(door, 'listening')
    const octavo = await startOctavo({
      SMTP_URL: `smtp://127.0.0.1:${(door.address() as AddressInfo).port}`,
    })
    onTestFinished(async () => {
      await octavo.stop()
      door.close()
      await post.close()
    })
    const users = new PocketBase(octavo.url).collection('users')
    await users.create({ email, password, passwordConfirm: password })
    const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
    const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
    const { otpId } = await users.requestOTP(email, { mfaId })
    const { text } = await post.nextMail(email, 60_000)
    const code = /\b\d{6}\b/.exec(text ?? '')?.[0] ?? ''
    expect((await users.authWithOTP(otpId, code, { mfaId })).record).toMatchObject({ email })
    expect(post.mailsTo(email)).toHaveLength(1)
  },
)
