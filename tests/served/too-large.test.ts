import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { authKey } from '#server/devices/password.ts'
import type { NewConnection } from '#shared/connection.ts'
import { startOctavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const megabyte = 1024 * 1024
const picture = (megabytes: number) =>
  new File([new Uint8Array(megabytes * megabyte)], 'picture.png')

/** A body whose length nobody knows beforehand. */
function stream(megabytes: number): ReadableStream<Uint8Array> {
  let left = megabytes * 16
  return new ReadableStream({
    pull: (controller) =>
      left-- > 0 ? controller.enqueue(new Uint8Array(megabyte / 16)) : controller.close(),
  })
}

const statusOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  )

test('R20: the official client is told that a body is too large, whether or not it tells its length', async () => {
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url })
  onTestFinished(async () => void (await octavo.stop()))
  const client = signedIn(octavo, await signUp(octavo, post))
  const users = client.collection('users')
  const sends = [
    () => users.create({ avatar: picture(8) }),
    () => users.update('someone', { name: 'x'.repeat(8 * megabyte) }),
    () => {
      const batch = client.createBatch()
      for (let i = 0; i < 2; i++) batch.collection('users').create({ avatar: picture(8) })
      return batch.send()
    },
  ]
  const statuses = async () => {
    const found: number[] = []
    for (const send of sends) found.push(await statusOf(send()))
    return found
  }
  expect(await statuses()).toEqual([413, 413, 413])
  const chunked = (input: string | URL | Request, init?: RequestInit) =>
    fetch(input, { ...init, duplex: 'half', body: stream(20) } as RequestInit)
  client.beforeSend = (path, options) => ({ url: path, options: { ...options, fetch: chunked } })
  expect(await statuses()).toEqual([413, 413, 413])
})

const declared = `Content-Length: ${98 * megabyte}\r\n\r\n`
const chunked = `Transfer-Encoding: chunked\r\n\r\n${(2 * megabyte).toString(16)}\r\n`

/** Sends the beginning of a form of 98 MB without a session. @returns the status of its answer */
async function sendStart(url: string, path: string, length: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: multipart/form-data; boundary=b\r\n${length}`,
  )
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  socket.write(part + 'x'.repeat(2 * megabyte - part.length))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString())?.[1])
}

test('R59: nothing that a visitor uploads reaches the disk', async () => {
  const octavo = await startOctavo()
  onTestFinished(async () => void (await octavo.stop()))
  const imports = '/api/collections/imports/records'
  for (const [path, length, status] of [
    [imports, declared, 401],
    [imports, chunked, 401],

    ['/api/collections/users/records', chunked, 401],
    ['/api/collections/user_books/records', chunked, 401],
    ['/api/batch', chunked, 401],
    ['/api/batch', declared, 413],
  ] as const)
    expect([path, await sendStart(octavo.url, path, length)]).toEqual([path, status])
  expect(existsSync(join(octavo.dataDir, 'importing'))).toBe(false)
})

test('devices are told so in the form of their protocol', async () => {
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url })
  onTestFinished(async () => void (await octavo.stop()))
  const connections = signedIn(octavo, await signUp(octavo, post)).collection('connections')
  const device = await connections.create<NewConnection>({ name: 'Kobo', kind: 'koreader' })
  const app = await connections.create<NewConnection>({ name: 'Reader', kind: 'highlights' })
  const headers = {
    kosync: { 'x-auth-user': device.username, 'x-auth-key': authKey(device.password) },
    readwise: { Authorization: `Token ${app.username}:${app.password}` },
    dav: { Authorization: `Basic ${btoa(`${device.username}:${device.password}`)}` },
  }
  const send = async (method: string, path: string, init: object = {}) => {
    const own = headers[path.split('/')[1] as keyof typeof headers]
    const sent = { method, headers: own, duplex: 'half', ...init } as RequestInit
    const answer = await fetch(octavo.url + path, sent)
    return [answer.status, await answer.text()]
  }
  const message = 'Request entity too large.'
  for (const body of [() => 'x'.repeat(2 * megabyte), () => stream(2)]) {
    expect(await send('PUT', '/kosync/syncs/progress', { body: body() })).toEqual([
      413,
      JSON.stringify({ code: 2003, message }),
    ])
    expect(await send('POST', '/readwise/api/v2/highlights/', { body: body() })).toEqual([
      413,
      JSON.stringify({ detail: message }),
    ])
  }
  const folder = { body: 'x'.repeat(2 * megabyte) }
  expect(await send('MKCOL', '/dav/koreader', folder)).toEqual([413, `${message}\n`])
  const missing = "The requested resource wasn't found."
  expect(await send('GET', '/kosync/nothing')).toEqual([
    404,
    JSON.stringify({ code: 2003, message: missing }),
  ])
  expect(await send('GET', '/readwise/nothing')).toEqual([404, JSON.stringify({ detail: missing })])
})
