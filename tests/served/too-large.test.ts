import PocketBase from 'pocketbase'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'

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
  const octavo = await startOctavo()
  onTestFinished(async () => void (await octavo.stop()))
  const client = new PocketBase(octavo.url)
  client.autoCancellation(false)
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
