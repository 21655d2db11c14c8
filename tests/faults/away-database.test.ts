import { linkSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { pino } from 'pino'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '#records/database/postgres.ts'
import { errorHandler } from '#server/http/errors.ts'
import { newMigratedUrl, newPostgresUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { cookieOf, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** What a PostgreSQL server says instead of letting somebody in. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mnot now\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** What becomes of a connection: it reaches the server, or hears something else, or nothing. */
type Manner = 'through' | 'hangs' | 'ends' | Buffer

/** A socket in a folder, as PostgreSQL makes it, that leads to the real one or fails in many ways. */
async function openLine(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-line-'))
  const file = join(folder, '.s.PGSQL.5432')
  const real = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const ends = new Set<Socket>()
  let manner: Manner = 'through'
  let server: Server | undefined
  const keep = (end: Socket) => {
    ends.add(end)
    end.on('error', () => undefined).on('close', () => ends.delete(end))
    return end
  }
  const hangUp = () => ends.forEach((end) => end.destroy())
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(0)))
    server = undefined
    hangUp()
    await closed
  }
  async function open(next: Manner): Promise<void> {
    await close()
    rmSync(file, { force: true })
    manner = next
    server = createServer((here) => {
      keep(here)
      if (manner === 'ends') here.destroy()
      else if (manner === 'through') {
        const there = keep(connect(real))
        here.on('close', () => there.destroy())
        there.on('close', () => here.destroy())
        here.pipe(there).pipe(here)
      } else if (manner !== 'hangs') here.once('data', () => here.end(manner as Buffer))
    })
    await new Promise<void>((resolve) => server?.listen(file, resolve))
  }
  await open('through')
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: `postgres://octavo@localhost${new URL(url).pathname}?host=${encodeURIComponent(folder)}`,
    open,
    /** Nobody listens, and the socket is gone, or is left behind as by a server that was killed. */
    async gone(leftBehind: boolean): Promise<void> {
      const link = `${file}-kept`
      if (leftBehind) {
        await open('through')
        linkSync(file, link)
      }
      await close()
      if (leftBehind) linkSync(link, file)
      rmSync(link, { force: true })
    },
  }
}

// 24 s: waits for each way of being away to be noticed, some by a timeout.
test('R46: however PostgreSQL is away, every door says 503 and the log has a line a second', async () => {
  const url = await newMigratedUrl()
  const line = await openLine(url)
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({
    DATABASE_URL: line.url,
    SMTP_URL: post.url,
    PLAN_DEFAULT: 'premium',
  })
  onTestFinished(async () => void (await octavo.stop()))
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
  const lines = () => octavo.output().match(/"level":[56]0/g)?.length ?? 0

  const ways: [string, () => Promise<void>][] = [
    ['the socket is gone', () => line.gone(false)],
    ['nobody listens', () => line.gone(true)],
    ['it hangs up', () => line.open('ends')],
    ['it says nothing', () => line.open('hangs')],
    ['it is starting up', () => line.open(refusal('57P03'))],
    ['it has too many connections', () => line.open(refusal('53300'))],
    ['it knows no password any more', () => line.open(refusal('28P01'))],
    ['it knows no such database', () => line.open(refusal('3D000'))],
    ['what is there is no PostgreSQL', () => line.open(Buffer.from('HTTP/1.1 400 \r\n\r\n'))],
  ]
  for (const [way, begin] of ways) {
    const [before, since] = [lines(), performance.now()]
    await begin()
    await expect.poll(ready).toBe(503)
    for (let n = 0; n < 2; n++) expect([way, await answers()]).toEqual([way, away])
    // A line at once, and one with how many there were after each second.
    const seconds = Math.ceil((performance.now() - since) / 1000)
    expect([way, lines() - before <= 2 * seconds]).toEqual([way, true])
    expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
  }
  await line.open('through')
  await expect.poll(() => shelves.getFullList().then(Boolean, () => false)).toBe(true)
  await shelves.create({ name: 'Back', visibility: 'public' })
  await expect.poll(ready).toBe(200)
})

test('R46: a PostgreSQL that only reads says 503 to writes until another takes them', async () => {
  const url = await newMigratedUrl()
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({ DATABASE_URL: url, SMTP_URL: post.url })
  onTestFinished(async () => void (await octavo.stop()))
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
