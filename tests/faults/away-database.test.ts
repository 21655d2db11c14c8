import { createServer } from 'node:net'
import { Hono } from 'hono'
import { pino } from 'pino'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '#records/database/postgres.ts'
import { errorHandler } from '#server/http/errors.ts'
import { newMigratedUrl, newPostgresUrl } from '#tests/databases.ts'
import { cookieOf, signedIn, signUp } from '#tests/signed-in.ts'
import { openOn } from './installation.ts'
import { openPort, openSocket } from './lines.ts'

/** What a PostgreSQL server says instead of letting somebody in. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mnot now\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const ways: Record<string, (line: Awaited<ReturnType<typeof openSocket>>) => Promise<void>> = {
  'the socket is gone': (line) => line.gone(false),
  'nobody listens': (line) => line.gone(true),
  'it hangs up': (line) => line.open('ends'),
  'it says nothing': (line) => line.open('hangs'),
  'it is starting up': (line) => line.open(refusal('57P03')),
  'it has too many connections': (line) => line.open(refusal('53300')),
  'it knows no password any more': (line) => line.open(refusal('28P01')),
  'it knows no such database': (line) => line.open(refusal('3D000')),
  'what is there is no PostgreSQL': (line) => line.open(Buffer.from('HTTP/1.1 400 \r\n\r\n')),
}
/** Noticed by a timeout alone. */
const isSlow = (way: string) => way === 'it says nothing'

// Each mostly waits until it is noticed that the server is away.
describe.concurrent('a PostgreSQL server that goes away', () => {
  // 18 s: each wait for a timeout takes five.
  test.for([
    ['at once', Object.keys(ways).filter((way) => !isSlow(way))],
    ['late', Object.keys(ways).filter(isSlow)],
  ] as const)(
    'R46: however this is noticed (%s), every door says 503 and the log has a line a second',
    async ([, names], { expect, onTestFinished }) => {
      const url = await newMigratedUrl(onTestFinished)
      const line = await openSocket(url, onTestFinished)
      const { octavo, post } = await openOn(line.url, onTestFinished)
      const token = await signUp(octavo, post)
      const shelves = signedIn(octavo, token).collection('bookshelves')
      const cookie = await cookieOf(octavo, token)
      const shelf = JSON.stringify({ name: 'Nowhere', visibility: 'public' })
      const json = { Authorization: token, 'Content-Type': 'application/json' }
      const doors: [string, RequestInit][] = [
        ['/api/collections/bookshelves/records', { headers: json }],
        ['/api/collections/bookshelves/records', { method: 'POST', headers: json, body: shelf }],
        ['/api/v1/users', {}],
        ['/api/v1/library/removed', { headers: json }],
        ['/api/realtime', {}],
        ['/library', { headers: { cookie, accept: 'text/html' } }],
        ['/api/ready', {}],
      ]
      const answers = () =>
        Promise.all(
          doors.map(async ([path, init]) => {
            const answer = await fetch(octavo.url + path, init)
            await answer.text()
            return [init.method ?? 'GET', path, answer.status, answer.headers.get('retry-after')]
          }),
        )
      const ready = async () => (await fetch(`${octavo.url}/api/ready`)).status
      expect(await ready()).toBe(200)
      const away = doors.map(([path, { method = 'GET' }]) => [method, path, 503, '2'])
      const lines = () => octavo.output().match(/^.*"level":[56]0.*$/gm) ?? []

      for (const way of names) {
        const [before, since] = [lines().length, performance.now()]
        await ways[way]!(line)
        await expect.poll(ready).toBe(503)
        for (const answer of await Promise.all([answers(), answers()]))
          expect([way, answer]).toEqual([way, away])
        // A line at once, and one with how many there were after each second.
        const seconds = Math.ceil((performance.now() - since) / 1000)
        expect([way, lines().slice(before + 2 * seconds)]).toEqual([way, []])
        expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
      }
      await line.open('through')
      await expect.poll(() => shelves.getFullList().then(Boolean, () => false)).toBe(true)
      await shelves.create({ name: 'Back', visibility: 'public' })
      await expect.poll(ready).toBe(200)
    },
  )

  test('R46: a PostgreSQL that only reads says 503 to writes until another takes them', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await newMigratedUrl(onTestFinished)
    const { octavo, post } = await openOn(url, onTestFinished)
    const shelves = signedIn(octavo, await signUp(octavo, post)).collection('bookshelves')
    const admin = new Client(url)
    await admin.connect()
    onTestFinished(() => admin.end())
    const name = new URL(url).pathname.slice(1)
    const onlyReads = (value: string) =>
      admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)

    await onlyReads('on')
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    const add = () => shelves.create({ name: 'Standby', visibility: 'public' })
    await expect.poll(() => shelves.getFullList().then(Boolean, () => false)).toBe(true)
    await expect(add()).rejects.toMatchObject({ status: 503 })
    // As in a failover: a new connection reaches one that writes, the old ones would never.
    await onlyReads('off')
    await expect.poll(() => add().then(Boolean, () => false)).toBe(true)
  })

  test('R8: loses nothing when PostgreSQL goes away, and recovers when it is back', async ({
    expect,
    onTestFinished,
  }) => {
    const line = await openPort(await newMigratedUrl(onTestFinished), onTestFinished)
    const { octavo, post } = await openOn(line.url, onTestFinished)
    const client = signedIn(octavo, await signUp(octavo, post))
    const shelves = client.collection('bookshelves')
    const kept: string[] = []
    const add = async (name: string) =>
      kept.push((await shelves.create({ name, visibility: 'public' })).id)
    const away = {
      status: 503,
      response: {
        data: {},
        message: 'The library is busy. Please try again in a moment.',
        status: 503,
      },
    }

    for (let round = 0; round < 3; round++) {
      // Cut in the middle of writes: what was answered is there, what failed says it may be tried again.
      const writing = Array.from({ length: 8 }, (_, n) => add(`Round ${round}, shelf ${n}`))
      const ends = Promise.allSettled(writing)
      await Promise.race(writing)
      await line.cut()
      const failed = (await ends).flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
      expect(failed).toEqual(failed.map(() => expect.objectContaining(away)))
      await expect(add('Nowhere')).rejects.toMatchObject(away)
      await expect(shelves.getFullList()).rejects.toMatchObject(away)
      expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
      await line.mend()
      await expect
        .poll(() => add(`After ${round}`).catch(() => 'away'), { timeout: 20_000 })
        .not.toBe('away')
    }
    const stored = (await shelves.getFullList()).map(({ id }) => id)
    expect(stored).toEqual(expect.arrayContaining(kept))
  })
})

test('a server that ends the connection before the commit is away', async () => {
  await using database = await openPostgres(await newMigratedUrl())
  const write = database.transaction(async (tx) => {
    const [row] = await tx.query('SELECT pg_backend_pid()')
    await database.query(`SELECT pg_terminate_backend(${Number(row?.[0])}, 5000)`)
  })
  await expect(write).rejects.toMatchObject({ code: '08006' })
})

describe('R46: an address', () => {
  const answerTo = async (error: unknown) => {
    const app = new Hono().onError(errorHandler(pino({ level: 'silent' })))
    app.get('/', () => {
      throw error
    })
    const answer = await app.request('/')
    return [answer.status, answer.headers.get('retry-after')]
  }

  test.for([
    ['without a socket', 'postgres://localhost/octavo?host=%2Fnowhere'],
    ['that no name server knows', 'postgres://nobody.invalid/octavo'],
    ['that no route leads to', 'postgres://[2001:db8::1]:5432/octavo'],
    ['that no machine has', 'postgres://240.0.0.1:5432/octavo'],
    ['where nobody listens', 'postgres://127.0.0.1:1/octavo'],
  ] as const)('%s is 503', async ([, url]) => {
    const error = await openPostgres(url).catch((cause: unknown) => cause)
    expect(await answerTo(error)).toEqual([503, '2'])
  })

  test.for([
    ['refuses TLS', 'N'],
    ['breaks TLS', 'Snot at all TLS'],
  ] as const)('of a server that %s is 503', async ([, says]) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(says))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const url = `postgres://127.0.0.1:${port}/octavo?sslmode=verify-full`
    const error = await openPostgres(url).catch((cause: unknown) => cause)
    expect(await answerTo(error)).toEqual([503, '2'])
  })

  test('of a file that is not there is still a mistake of ours', async () => {
    const error = Object.assign(new Error('open'), { code: 'ENOENT' })
    expect(await answerTo(error)).toEqual([500, null])
  })

  test('a file that a write misses on the way is no lost database', async () => {
    const database = await openPostgres(await newPostgresUrl())
    onTestFinished(() => database.close())
    const missing = Object.assign(new Error('open'), { code: 'ENOENT' })
    const write = database.transaction(() => Promise.reject(missing))
    expect(await answerTo(await write.catch((cause: unknown) => cause))).toEqual([500, null])
  })
})
