import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#tests/free-port.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'

const appUrl = 'https://books.example.org'
const elsewhere = { Origin: 'https://elsewhere.example' }
const json = { 'Content-Type': 'application/json' }

/** The product behind a proxy that speaks https. */
let octavo: Octavo
let url: string

beforeAll(async () => {
  const port = await freePort()
  octavo = await startOctavo({ PORT: String(port), HOST: '127.0.0.1', APP_URL: appUrl })
  url = `http://127.0.0.1:${port}`
  return async () => void (await octavo.stop())
})

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const address = path.replace('long', 'x'.repeat(8200))
  const answer = await fetch(url + address, { redirect: 'manual', ...init })
  // The stream of events has no end to wait for.
  await (path === '/api/realtime' ? answer.body?.cancel() : answer.arrayBuffer())
  return answer
}

const tooLong = { method: 'POST', headers: json, body: 'x'.repeat(1024 * 1024 + 1) }
const answers: [string, number, RequestInit?][] = [
  ['/', 200],
  ['/explore', 200],
  ['/login', 200],
  ['/u/nobody-at-all', 404],
  ['/no/such/page', 404],
  ['/api/health', 200],
  ['/api/realtime', 200],
  ['/api/nothing', 404],
  ['/api/collections/users/records', 200],
  ['/api/collections/users/records?page=x', 400],
  ['/api/collections/settings/records', 200],
  ['/api/collections/users/auth-methods', 200],
  ['/api/files/users/nobody/nothing.png', 404],
  ['/api/v1/users', 200],
  ['/api/v1/users?page=x', 400],
  ['/api/v1/openapi.json', 200],
  ['/api/v1/nothing', 404],
  ['/api/v1/book-info/search?q=frankenstein', 200],
  ['/api/v1/book-info/search', 400],
  ['/api/v1/book-info/search', 404, { method: 'POST' }],
  ['/api/v1/book-info/search?long', 414],
  ['/api/collections/users/records', 413, tooLong],
  ['/api/health?long', 414],
  ['/api/batch', 415, { method: 'POST', headers: { 'Content-Encoding': 'gzip' }, body: 'x' }],
]

describe('an answer of any kind', () => {
  test.each(answers)('%s: %i says how a browser has to treat it', async (path, status, init) => {
    const answer = await ask(path, init)
    expect(answer.status).toBe(status)
    const { headers } = answer
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'|sandbox/)
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  const data = answers.filter(([path]) => path.startsWith('/api/'))
  test.each(data)('%s: %i can be read from elsewhere', async (path, status, init) => {
    const answer = await ask(path, { ...init, headers: { ...init?.headers, ...elsewhere } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  test('R39: that is a file of the screens is what it says, and comes over https', async () => {
    const { headers } = await ask('/robots.txt')
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('that refuses a body for its length ends the connection', async () => {
    expect((await ask('/api/collections/users/records', tooLong)).headers.get('connection')).toBe(
      'close',
    )
    const whole = { method: 'POST', headers: json, body: '{}' }
    const answer = await ask('/api/collections/users/records', whole)
    expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'keep-alive'])
  })

  test.each(['/', '/explore', '/u/nobody-at-all'])(
    '%s cannot be read from elsewhere',
    async (path) => {
      const { headers } = await ask(path, { headers: elsewhere })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})
