import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '#records/index.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { freePort } from '#tests/free-port.ts'
import { newSqliteFile } from '#tests/databases.ts'
import { openFixture } from '#tests/wire/fixture.ts'

/** The product behind a proxy that speaks https. */
const settings = { HOST: '127.0.0.1', APP_URL: 'https://books.example.org' }
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']

interface Answer {
  line: string
  status: number
  headers: IncomingHttpHeaders
}

/** @returns what of R39 an answer lacks; '' if it has everything */
function lacking({ headers }: Answer): string {
  const lacks: string[] = []
  const check = (name: string, pattern: RegExp) => {
    const value = headers[name]
    if (typeof value !== 'string' || !pattern.test(value)) lacks.push(`${name}: ${String(value)}`)
  }
  check('strict-transport-security', /^max-age=31536000/)
  check('x-content-type-options', /^nosniff$/)
  check('referrer-policy', /^(?:same-origin|no-referrer)$/)
  check('content-security-policy', /frame-ancestors 'none'|sandbox/)
  for (const name of ['server', 'x-powered-by', 'access-control-allow-credentials'])
    if (headers[name] !== undefined) lacks.push(`has ${name}`)
  return lacks.join(', ')
}

function ask(port: number, method: string, path: string, headers = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method, path, headers, agent: false })
    asked.on('error', reject)
    asked.on('response', (answer) => {
      resolve({
        line: `${method} ${path}`,
        status: answer.statusCode ?? 0,
        headers: answer.headers,
      })
      // The stream of events has no end to wait for.
      asked.destroy()
    })
    asked.end()
  })
}

/** What a server writes on a connection that sends just this. */
function askRaw(port: number, text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      said += chunk.toString()
      if (said.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => {
      const [first = '', ...lines] = said.split('\r\n\r\n', 1)[0]!.split('\r\n')
      const headers = lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ])
      const status = Number(first.split(' ')[1])
      resolve({ line: text.slice(0, 60), status, headers: Object.fromEntries(headers) })
    })
  })
}

/** Every path that the record service has a route for. */
async function recordPaths(): Promise<string[]> {
  const { records } = await openFixture(async () => openSqlite(await newSqliteFile()))
  const named = records.routes.routes.map(({ path }) =>
    path
      .replace(':collection', 'users')
      .replace(':name', 'nothing.png')
      .replace(':id', 'a'.repeat(15))
      .replace('*', 'nothing'),
  )
  return [...new Set(named)]
}

/** Every path of the product's own calls, as its description of itself names them. */
async function productPaths(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, object> }
  return Object.keys(paths).map((path) => `/api/v1${path.replaceAll(/\{\w+\}/g, 'somebody')}`)
}

const others = [
  '/',
  '/explore',
  '/login',
  '/account/settings',
  '/u/nobody',
  '/shelf/none',
  '/explore.data',
  '/no/such/page',
  '/%00',
  '/%zz',
  '/..%2f',
  '/mailbox',
  '/lite',
  '/lite/search',
  '/lite/save',
  '/lite/nothing',
  '/mcp',
  '/api/docs',
  '/api/docs/openapi.json',
  '/api/docs/nothing',
  '/kosync',
  '/kosync/healthcheck',
  '/kosync/users/auth',
  '/kosync/users/create',
  '/kosync/syncs/progress',
  '/kosync/nothing',
  '/readwise/api/v2/auth/',
  '/readwise/api/v2/highlights',
  '/readwise/nothing',
  '/dav',
  '/dav/',
  '/dav/statistics.sqlite3',
  '/dav/%2e%2e%2fstatistics.sqlite3',
  '/assets/none.js',
  '/favicon.svg',
  '/robots.txt',
  '/sitemap.xml',
  '/service-worker.js',
  '/covers/x',
  '/previews/x.jpg',
  '/u/nobody/feed.atom',
  '/u/nobody/calendar.ics',
  '/shelf/none/feed.atom',
  '/feeds/none.atom',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/openapi.json',
  '/api/v1/stripe/webhook',
  '//api/health',
]

describe('R48: every answer says how a browser has to treat it', () => {
  let octavo: Octavo
  let port: number
  beforeAll(async () => {
    port = await freePort()
    octavo = await startOctavo({ ...settings, PORT: String(port) })
    return async () => void (await octavo.stop())
  })

  test('on every route and method', async () => {
    const url = `http://127.0.0.1:${port}`
    const paths = [...(await recordPaths()), ...(await productPaths(url)), ...others]
    expect(paths.length).toBeGreaterThan(60)
    const seen = new Map<number, number>()
    const broken: string[] = []
    for (const path of paths) {
      const answers = methods.map((method) => ask(port, method, path))
      for (const answer of await Promise.all(answers)) {
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        const lacks = lacking(answer)
        if (lacks) broken.push(`${answer.line} (${answer.status}): ${lacks}`)
      }
    }
    expect(broken).toEqual([])
    // Pages, refusals, redirects and all else did come up.
    expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual(
      expect.arrayContaining([200, 204, 307, 400, 401, 403, 404]),
    )
  })

  test('on what a browser has already', async () => {
    const page = await (await fetch(`http://127.0.0.1:${port}/explore`)).text()
    const asset = /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? ''
    for (const path of [asset, '/service-worker.js', '/sitemap.xml', '/robots.txt']) {
      const first = await ask(port, 'GET', path)
      expect([path, first.status, lacking(first)]).toEqual([path, 200, ''])
      const etag = first.headers.etag ?? ''
      const again = await ask(port, 'GET', path, { 'If-None-Match': etag })
      expect([path, again.status, lacking(again)]).toEqual([path, etag ? 304 : 200, ''])
    }
  })

  test.each([
    [414, `GET /${'x'.repeat(8200)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [414, `GET /api/health?${'x'.repeat(8200)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`],
    [400, 'nonsense\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\n\r\n'],
    [400, 'GET / HTTP/1.0\r\n\r\n'],
    [400, 'POST /api/batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    [413, `POST /api/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n`],
    [
      415,
      `POST /api/batch HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n`,
    ],
    [417, 'GET /api/health HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n'],
  ])('with %i to %.60s', async (status, text) => {
    const answer = await askRaw(port, text)
    expect(answer.status).toBe(status)
    expect(lacking(answer)).toBe('')
  })
})

test('R48: a server that starts, and one that is asked too often, say it, too', async () => {
  const port = await freePort()
  const starting = startOctavo({ ...settings, PORT: String(port), RATE_LIMITS: 'on' })
  const started = starting.then(() => true)
  const first: Answer[] = []
  while (!first.length || !(await Promise.race([started, pause()])))
    await ask(port, 'GET', '/').then(
      (answer) => first.push(answer),
      // Nobody listens yet.
      () => undefined,
    )
  const octavo = await starting
  try {
    for (const answer of first)
      expect([answer.status, lacking(answer)]).toEqual([answer.status, ''])
    let last: Answer
    do last = await ask(port, 'GET', '/previews/nothing.jpg')
    while (last.status !== 429)
    expect(lacking(last)).toBe('')
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  } finally {
    await octavo.stop()
  }
})

const pause = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)))
