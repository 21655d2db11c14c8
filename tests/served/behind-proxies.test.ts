import { randomBytes } from 'node:crypto'
import { EventSource } from 'eventsource'
import PocketBase from 'pocketbase'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differences, type TwinServer } from '#tests/access/crawl/send.ts'
import { otherRequests, pageRequests } from '#tests/access/crawl/product.ts'
import { recordRequests } from '#tests/access/crawl/records.ts'
import { makeTwins, type TwinLocation, type Twins } from '#tests/access/crawl/twins.ts'
import { subscribe } from '#tests/access/subscriber.ts'
import { secret } from '#tests/access/fixture.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { freePort } from '#tests/free-port.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { hasProxy, proxyNames, startProxy, type Proxy } from '#tests/proxies.ts'
import { openMailServer, type MailServer } from '#tests/smtp.ts'

const password = 'a quiet afternoon'
const installed = proxyNames.filter(hasProxy)

/** What ends with the file, in turn. */
const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

async function serve(env: Record<string, string>): Promise<{ octavo: Octavo; port: number }> {
  const port = await freePort()
  const octavo = await startOctavo({
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUST_PROXY: '127.0.0.1',
    ...env,
  })
  endings.push(() => octavo.stop())
  return { octavo, port }
}

async function put(name: (typeof proxyNames)[number], port: number, ports: readonly number[]) {
  const proxy = await startProxy(name, port, ports)
  endings.push(() => proxy.stop())
  return proxy
}

/** A request with a body of JSON or a form, and what came back. */
async function send(proxy: Proxy, method: string, path: string, body: unknown, token = '') {
  const sent = new Response(body instanceof FormData ? body : JSON.stringify(body))
  const type = body instanceof FormData ? sent.headers.get('content-type')! : 'application/json'
  const answer = await proxy.fetch(`/api/${path}`, {
    method,
    headers: { 'Content-Type': type, ...(token && { Authorization: token }) },
    body: new Uint8Array(await sent.arrayBuffer()),
  })
  const text = await answer.text()
  if (text.startsWith('<')) throw new Error(`${answer.status} ${text} ${proxy.output()}`)
  const json = (text ? JSON.parse(text) : {}) as Record<string, string> & {
    record: { id: string }
  }
  return { status: answer.status, headers: answer.headers, json }
}

async function signIn(proxy: Proxy, post: MailServer, name: string) {
  const email = `${name}@example.org`
  const users = 'collections/users'
  await send(proxy, 'POST', `${users}/records`, { email, password, passwordConfirm: password })
  const first = await send(proxy, 'POST', `${users}/auth-with-password`, {
    identity: email,
    password,
  })
  const { mfaId } = first.json
  const sent = await send(proxy, 'POST', `${users}/request-otp`, { email, mfaId })
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0]
  const { otpId } = sent.json
  return send(proxy, 'POST', `${users}/auth-with-otp`, { otpId, mfaId, password: code })
}

describe.each(installed)('behind %s', (name) => {
  let proxy: Proxy
  let signedIn: Awaited<ReturnType<typeof send>>

  beforeAll(async () => {
    const post = await openMailServer()
    endings.push(() => post.close())
    const port = await freePort()
    const octavo = await serve({
      APP_URL: `https://localhost:${port}`,
      SMTP_URL: post.url,
      RATE_LIMITS: 'on',
      LOG_LEVEL: 'debug',
    })
    proxy = await put(name, port, [octavo.port])
    signedIn = await signIn(proxy, post, 'reader')
  })

  test('a reader signs in over https', async () => {
    expect(signedIn.status).toBe(200)
    expect(signedIn.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/)
    const cookie = `pb_auth=${encodeURIComponent(JSON.stringify({ token: signedIn.json['token'] }))}`
    const page = await proxy.fetch('/account/settings', { headers: { Cookie: cookie } })
    expect(page.status).toBe(200)
    await page.text()
    const visit = await proxy.fetch('/account/settings', { redirect: 'manual' })
    expect(visit.status).toBe(302)
  })

  test('a request has the id that the proxy gives it, whatever a visitor says', async () => {
    const asked = await proxy.fetch('/api/health', { headers: { 'X-Request-Id': 'mine' } })
    expect(asked.headers.get('x-request-id')).toMatch(/^(?:[\da-f]{32}|[\da-f-]{36})$/)
    await asked.text()
  })

  test('the form of signing in works without scripts, from its own page, within limits', async () => {
    const give = (typed: string, origin: string, from?: string) => {
      const form = new URLSearchParams({ email: 'reader@example.org', password: typed })
      const headers = { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' }
      const body = new TextEncoder().encode(form.toString())
      return proxy.fetch('/login', { method: 'POST', headers, body }, from)
    }
    const right = await give(password, proxy.url)
    expect(right.status).toBe(200)
    expect(await right.text()).toContain('name="mfaId"')
    for (const foreign of ['https://elsewhere.example', proxy.url.replace('https', 'http')]) {
      const refused = await give(password, foreign)
      expect(refused.status).toBe(403)
      await refused.text()
    }
    const guess = async (from: string) => {
      const answer = await give('not the password', proxy.url, from)
      await answer.text()
      return answer.status
    }
    const guesses: number[] = []
    for (let tries = 0; tries < 7; tries++) guesses.push(await guess('127.0.0.5'))
    expect(guesses).toEqual([400, 400, 400, 400, 400, 429, 429])
    expect(await guess('127.0.0.6')).toBe(400)
  })

  test('a picture is uploaded, and one that is too large is refused by Octavo', async () => {
    const { token, record } = signedIn.json
    const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData()
      form.set('avatar', new File([bytes], 'noise.png', { type: 'image/png' }))
      return send(proxy, 'PATCH', `collections/users/records/${record.id}`, form, token)
    }
    const raw = { width: 1100, height: 1100, channels: 3 } as const
    const noise = sharp(randomBytes(1100 * 1100 * 3), { raw })
    const picture = new Uint8Array(await noise.png().toBuffer())
    expect(picture.length).toBeGreaterThan(3_000_000)
    const { status, json } = await upload(picture)
    expect(status).toBe(200)
    const shown = await proxy.fetch(`/api/files/users/${record.id}/${json['avatar']}`)
    expect((await shown.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000)
    const refused = await upload(new Uint8Array(7_000_000))
    expect(refused.status).toBe(413)
    expect(refused.json).toMatchObject({ message: 'Request entity too large.', status: 413 })
  })

  test('events come as they happen', async () => {
    const { token } = signedIn.json
    const listener = await subscribe(proxy, token, ['bookshelves/*'])
    for (const shelf of ['First', 'Second']) {
      const body = { name: shelf, visibility: 'public' }
      await send(proxy, 'POST', 'collections/bookshelves/records', body, token)
      expect(await listener.until(shelf)).toEqual([])
    }
    await listener.close()
  })

  test('readers get Octavo’s own 503', async () => {
    const { status, json } = await send(proxy, 'POST', 'v1/stripe/webhook', {})
    expect([status, json['message']]).toEqual([503, 'No secret is set to check messages with.'])
  })

  test('clients are told apart by their address, not by what they claim', async () => {
    const ask = (from: string, claimed?: string) => {
      const headers = claimed ? { 'X-Forwarded-For': claimed, 'X-Real-IP': claimed } : {}
      return proxy.fetch('/api/collections/bookshelves/records?perPage=1', { headers }, from)
    }
    const answers = await Promise.all(
      Array.from({ length: 330 }, async (_, i) => {
        const answer = await ask('127.0.0.3', `198.51.100.${i % 250}`)
        await answer.text()
        return answer
      }),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('127.0.0.4')).status).toBe(200)
  })
})

describe.skipIf(!installed.length)('R26: what is hidden changes no answer', () => {
  let twins: Twins
  let ports: Record<'bare' | 'full', { octavo: Octavo; port: number }>

  beforeAll(async () => {
    twins = await makeTwins('sqlite', (end) => void endings.push(end))
    const open = async ({ dataDir }: TwinLocation) => {
      await copyStarterIndex(dataDir)
      return serve({ SECRET: secret, DATA_DIR: dataDir })
    }
    const [bare, full] = await Promise.all([open(twins.bare), open(twins.full)])
    ports = { bare, full }
  })

  test.each(installed)('through %s', async (name) => {
    const side = async ({
      octavo,
      port,
    }: {
      octavo: Octavo
      port: number
    }): Promise<TwinServer> => {
      const proxy = await put(name, await freePort(), [port])
      return { origin: octavo.url, fetch: (path, init) => proxy.fetch(path, init) }
    }
    const sides = { bare: await side(ports.bare), full: await side(ports.full) }
    const records = recordRequests(twins)
    const books = [{ id: 'x', slug: 'no-book' }]
    const questions = [
      ...records['views']!,
      ...records['files']!,
      ...pageRequests(twins, books),
      ...otherRequests(twins),
    ]
    const token = twins.readers.stranger.token
    for (const viewer of [
      { name: 'visitor', token: '' },
      { name: 'reader', token },
    ]) {
      const { found, worked } = await differences(sides, viewer, questions)
      expect(found.slice(0, 3)).toEqual([])
      expect(worked).toBeGreaterThan(30)
    }
  })
})

describe.skipIf(!installed.length)('two processes on PostgreSQL', () => {
  let ports: number[]
  let post: MailServer

  beforeAll(async () => {
    post = await openMailServer()
    endings.push(() => post.close())
    const env = {
      DATABASE_URL: await newMigratedUrl((end) => void endings.push(end)),
      SECRET: secret,
      SMTP_URL: post.url,
    }
    const first = await serve(env)
    ports = [first.port, (await serve(env)).port]
  })

  test.each(installed)(
    'a client hears events through %s, whichever process it asks',
    async (name) => {
      const proxy = await put(name, await freePort(), ports)
      const { json } = await signIn(proxy, post, name)
      // The official client takes a browser's, and the certificate is nobody's.
      class Stream extends EventSource {
        constructor(url: string | URL) {
          super(url, { fetch: (to, init) => proxy.fetch(String(to), init) })
        }
      }
      Object.assign(globalThis, { EventSource: Stream })
      for (let i = 0; i < 4; i++) {
        const client = new PocketBase(proxy.url)
        client.autoCancellation(false)
        client.beforeSend = (url, options) => ({
          url,
          options: {
            ...options,
            fetch: (to: string | URL | Request, init?: RequestInit) =>
              proxy.fetch(to instanceof Request ? to.url : String(to), init),
          },
        })
        client.authStore.save(json['token']!)
        const shelves = client.collection('bookshelves')
        const { promise, resolve } = Promise.withResolvers<string>()
        await shelves.subscribe('*', ({ action, record }) => {
          // The other process may only now tell of the shelf before.
          if (record['name'] === `Shelf ${i}`) resolve(`${action} ${record['name']}`)
        })
        await shelves.create({ name: `Shelf ${i}`, visibility: 'private' })
        expect(await promise).toBe(`create Shelf ${i}`)
        await client.realtime.unsubscribe()
      }
    },
  )
})
