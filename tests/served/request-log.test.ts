import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { openMailServer } from '#tests/smtp.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'

const post = await openMailServer()
afterAll(() => post.close())
const octavo = await startOctavo({
  SMTP_URL: post.url,
  LOG_LEVEL: 'debug',
  TRUST_PROXY: '127.0.0.1',
})
afterAll(async () => void (await octavo.stop()))

type Line = Record<string, unknown>

const linesOf = (octavo: Octavo, id: string): Line[] =>
  octavo
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(id))
    .map((line) => JSON.parse(line) as Line)

/** Asks, and waits for the line of the request in the log. */
async function logged(path: string, init: RequestInit = {}) {
  const answer = await fetch(octavo.url + path, init)
  await answer.text()
  const id = answer.headers.get('x-request-id') ?? ''
  const line = () => linesOf(octavo, id).find(({ msg }) => msg === 'request')
  await expect.poll(line).toBeTruthy()
  return { id, answer, line: line()! }
}

test('each request is a line with its route, its status and its account', async () => {
  const token = await signUp(octavo, post)
  const client = signedIn(octavo, token)
  const { id: account } = await ownRecord(client)
  const headers = { Authorization: token }
  const api = await logged(`/api/collections/users/records/${account}?fields=id`, { headers })
  expect(api.line).toEqual({
    level: 20,
    time: expect.any(Number) as number,
    pid: expect.any(Number) as number,
    hostname: expect.any(String) as string,
    msg: 'request',
    request: api.id,
    method: 'GET',
    path: `/api/collections/users/records/${account}`,
    route: '/api/collections/:collection/records/:id',
    status: 200,
    ms: expect.any(Number) as number,
    account,
  })
  const Cookie = await cookieOf(octavo, token)
  expect((await logged('/book/unknown-1', { headers: { Cookie } })).line).toMatchObject({
    route: '/book/:slug',
    account,
  })
  const visit = await logged('/api/v1/book-info/search?q=moby')
  expect(visit.line).toMatchObject({ route: '/api/v1/book-info/search', status: 200 })
  expect(visit.line).not.toHaveProperty('account')
  expect((await logged('/nowhere/at/all')).line).toMatchObject({ route: '/*', status: 404 })
  expect((await logged('/api/nowhere')).line).toMatchObject({ route: '/api/*', status: 404 })
})

test('what is asked for in the query is never logged', async () => {
  for (const path of [
    '/auth/reset-password',
    '/api/files/users/x/y.png',
    '/mailbox',
    '/api/health',
  ])
    await logged(`${path}?token=very-secret-word&key=very-secret-word`)
  expect(octavo.output()).not.toContain('very-secret-word')
})

test('a proxy that is trusted may name the request, in letters that are fit for it', async () => {
  const named = (id: string) => logged('/api/health', { headers: { 'X-Request-Id': id } })
  expect((await named('edge-42.7:x')).id).toBe('edge-42.7:x')
  for (const bad of ['a b', '<script>', '{"level":60}', 'x'.repeat(101)])
    expect((await named(bad)).id).toMatch(/^[\da-f-]{36}$/)
})

test('no request is logged or named unless asked for', async () => {
  const quiet = await startOctavo({ LOG_LEVEL: 'info' })
  onTestFinished(async () => void (await quiet.stop()))
  expect((await fetch(`${quiet.url}/api/health`)).headers.has('x-request-id')).toBe(false)
  expect(quiet.output()).not.toContain('"msg":"request"')
})

test('without such a proxy nobody names a request; one that fails is logged under its id', async () => {
  const broken = await startOctavo({ LOG_LEVEL: 'debug' })
  onTestFinished(async () => void (await broken.stop()))
  const headers = { 'X-Request-Id': 'edge-42' }
  const answer = await fetch(`${broken.url}/api/health`, { headers })
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(`${broken.dataDir}/octavo.db`, { timeout: 20_000 })
  onTestFinished(() => database.close())
  database.exec('ALTER TABLE users RENAME TO gone')
  const ask = async () => {
    const answer = await fetch(`${broken.url}/api/collections/users/records`)
    expect(answer.status).toBeGreaterThanOrEqual(500)
    return answer.headers.get('x-request-id') ?? ''
  }
  const ids = [await ask(), await ask()]
  expect(new Set(ids).size).toBe(2)
  for (const id of ids)
    await expect
      .poll(() => linesOf(broken, id).map(({ msg }) => msg))
      .toEqual(['request failed', 'request'])
})
