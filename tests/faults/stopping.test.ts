import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { ClientResponseError } from 'pocketbase'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/free-port.ts'
import { startOctavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { engines, openInstallation } from './installation.ts'

const writers = 8

test.for(engines)(
  'told to stop under load, it ends with 0 and has all that it acknowledged (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { post, start } = await openInstallation(engine)
    const first = await start()
    const token = await signUp(first, post)
    const acknowledged: string[] = []
    let told: Promise<number | null> | undefined
    async function write(writer: number): Promise<void> {
      const shelves = signedIn(first, token).collection('bookshelves')
      for (let n = 0; ; n++) {
        const name = `Shelf ${writer} ${n}`
        acknowledged.push((await shelves.create({ name, visibility: 'private' })).id)
        if (acknowledged.length >= 40) told ??= first.stop()
      }
    }
    const ends = await Promise.all(
      Array.from({ length: writers }, (_, n) =>
        write(n).catch((error: ClientResponseError) => error),
      ),
    )
    // Nobody was told that something went wrong: there was nobody there any more.
    expect(ends, first.output()).toEqual(ends.map(() => expect.objectContaining({ status: 0 })))
    expect(await told).toBe(0)
    expect(first.output()).not.toMatch(/"level":50/)

    const second = await start()
    const stored = await signedIn(second, token).collection('bookshelves').getFullList()
    expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  },
)

test('R10: answers a request whose body is still on its way when it is told to stop', async () => {
  const { post, start } = await openInstallation('SQLite')
  const octavo = await start()
  const token = await signUp(octavo, post)
  const body = JSON.stringify({ name: 'On its way', visibility: 'private' })
  const late = request(`${octavo.url}/api/collections/bookshelves/records`, {
    method: 'POST',
    headers: {
      Authorization: token,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  })
  late.flushHeaders()
  // It has been taken: from here on it is in flight.
  await once(late, 'continue')
  late.write(body.slice(0, 10))
  const stopped = octavo.stop()
  const isGone = () => fetch(octavo.url).then(Boolean, () => 'gone')
  await expect.poll(isGone, { timeout: 20_000 }).toBe('gone')
  late.end(body.slice(10))
  const [answer] = (await once(late, 'response')) as [IncomingMessage]
  answer.resume()
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  expect(await stopped).toBe(0)
})

test('R10: a process that is starting takes no connection', async () => {
  const port = String(await freePort())
  const ready = new AbortController()
  const starting = startOctavo({ PORT: port, HOST: '127.0.0.1' }).finally(() => ready.abort())
  const seen = new Set<number | string>()
  while (!ready.signal.aborted) {
    const asked = fetch(`http://127.0.0.1:${port}/api/ready`)
    seen.add(
      await asked.then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
  }
  const octavo = await starting
  onTestFinished(async () => void (await octavo.stop()))
  expect(seen).toContain('refused')
  expect([...seen].filter((one) => one !== 'refused' && one !== 200)).toEqual([])
  expect((await fetch(`http://127.0.0.1:${port}/api/ready`)).status).toBe(200)
})

test('the last line of the log says that it has stopped', async () => {
  const octavo = await startOctavo({ LOG_LEVEL: 'info' })
  const closed = once(octavo.process, 'close')
  expect(await octavo.stop()).toBe(0)
  await closed
  const last = octavo.output().trim().split('\n').at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ level: 30, msg: 'Octavo has stopped' })
})

test('serves on when nobody reads its log any more', async () => {
  const octavo = await startOctavo({ LOG_LEVEL: 'debug' })
  octavo.process.stdout?.destroy()
  for (let n = 0; n < 3; n++) expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
  expect(await octavo.stop()).toBe(0)
})
