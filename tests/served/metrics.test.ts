import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { version } from '#server/runtime/version.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'

const token = 'a-token-for-the-metrics'

const doorOf = (octavo: Octavo) => /^Metrics: (\S+)$/m.exec(octavo.output())?.[1] ?? ''

/** Asks with headers that fetch would not send. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port, hostname, pathname, search } = new URL(url)
  const asked = request({ port, hostname, path: pathname + search, method, headers })
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (answer) => {
      void text(answer).then((body) => resolve({ status: answer.statusCode, body }))
    })
  })
  asked.end()
  return answered
}

describe.for(['sqlite', 'postgres'] as const)('metrics on %s', (engine) => {
  test('tell how Octavo is, by route and never by id', async () => {
    const DATABASE_URL = engine === 'postgres' ? await newMigratedUrl() : ''
    const octavo = await startOctavo({
      DATABASE_URL,
      METRICS: '127.0.0.1:0',
      CATALOGUE_SOURCES: 'openlibrary',
      // Nobody listens there.
      OPENLIBRARY_URL: 'http://127.0.0.1:1',
    })
    onTestFinished(async () => void (await octavo.stop()))
    const door = doorOf(octavo)
    const live = new AbortController()
    onTestFinished(() => live.abort())
    const stream = await fetch(`${octavo.url}/api/realtime`, { signal: live.signal })
    for (const path of ['anid', 'anotherid', '%FF', 'x?token=secret-word'])
      for (const place of ['/api/collections/users/records/', '/u/', '/nowhere/'])
        await (await fetch(octavo.url + place + path)).text()
    await (await fetch(`${octavo.url}/api/v1/book-info/search?q=qwxzvk`)).text()
    const { status, body } = await ask(door)
    expect(status).toBe(200)
    const value = (name: string) =>
      Number(
        body
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      )
    expect(body).toContain(`octavo_info{version="${version}",schema="`)
    const route = 'route="/api/collections/:collection/records/:id"'
    expect(value(`octavo_http_requests_total{method="GET",${route},status="404"}`)).toBe(4)
    expect(value(`octavo_http_request_duration_seconds_count{method="GET",${route}}`)).toBe(4)
    expect(body).toMatch(/octavo_http_requests_total\{method="GET",route="\/u\/:username",/)
    expect(body).not.toMatch(/anid|anotherid|%FF|secret-word|nowhere/)
    expect(value('octavo_database_duration_seconds_count{kind="query"}')).toBeGreaterThan(0)
    expect(
      value('octavo_source_requests_total{source="openlibrary",result="failed"}'),
    ).toBeGreaterThan(0)
    expect(value('octavo_realtime_clients')).toBe(1)
    // An answer that nobody holds is parted with.
    expect(stream.ok).toBe(true)
    expect(value('octavo_mails_waiting')).toBe(0)
    expect(value('octavo_data_bytes{part="catalogue"}')).toBeGreaterThan(100_000)
    expect(value('octavo_disk_bytes{state="free"}')).toBeGreaterThan(0)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(body).toContain('nodejs_eventloop_lag_p99_seconds')

    // At the readers' door there is no such page, whatever the request says.
    for (const headers of [{}, { Host: new URL(door).host }, { 'X-Forwarded-For': '127.0.0.1' }])
      expect((await ask(`${octavo.url}/metrics`, headers)).status).toBe(404)
    // A stranger's site that is pointed here by its name.
    for (const Host of ['evil.example:9464', 'evil.example@127.0.0.1', '127.0.0.1/.evil.example'])
      expect((await ask(door, { Host })).status).toBe(404)
    expect((await ask(new URL('/', door).href)).status).toBe(404)
    expect((await ask(door, {}, 'POST')).status).toBe(404)
  })
})

describe('metrics behind a token', async () => {
  const octavo = await startOctavo({ METRICS: '0.0.0.0:0', METRICS_TOKEN: token })
  afterAll(async () => void (await octavo.stop()))
  const door = doorOf(octavo).replace('0.0.0.0', '127.0.0.1')
  const with_ = (Authorization: string) => ask(door, { Authorization, Host: 'octavo.internal' })

  test('are for who has it, by whatever name', async () => {
    expect((await with_(`Bearer ${token}`)).body).toContain('octavo_info')
  })

  test.for(['', token, `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`])(
    'are not there for who sends "%s"',
    async (header) => {
      expect(await with_(header)).toEqual({ status: 404, body: '' })
      expect((await ask(`${door}?token=${token}`)).status).toBe(404)
    },
  )
})

test.for<[Record<string, string>, RegExp]>([
  [{ METRICS: '0.0.0.0:9464' }, /METRICS_TOKEN must be set unless METRICS is an address such as/],
  [{ METRICS: 'yes' }, /METRICS must look like 127\.0\.0\.1:9464/],
  [{ METRICS_TOKEN: token }, /METRICS must be set together with METRICS_TOKEN/],
  [{ METRICS: '9464', METRICS_TOKEN: 'short' }, /METRICS_TOKEN must be at least 16/],
])('%j is refused in one line', async ([settings, words]) => {
  const start = startOctavo(settings)
  await expect(start).rejects.toThrow(words)
  await expect(start).rejects.not.toThrow(settings['METRICS_TOKEN'] ?? 'no token')
})

test('a port for metrics that is taken is said in one line', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const METRICS = `127.0.0.1:${(other.address() as AddressInfo).port}`
  await expect(startOctavo({ METRICS })).rejects.toThrow(
    new RegExp(`Octavo cannot start: Octavo cannot listen on METRICS=${METRICS}: .*EADDRINUSE`),
  )
})
