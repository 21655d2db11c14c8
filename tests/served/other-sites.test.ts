import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
import { runModule } from '#tests/run-module.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'

const { octavo, post } = await openOctavo()
const elsewhere = 'https://elsewhere.example'

interface Door {
  method: string
  path: string
}

/** Every write of the product's own calls, as its description of itself names them. */
async function productDoors(): Promise<Door[]> {
  const answer = await fetch(`${octavo.url}/api/v1/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, object>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'get')
      .map((method) => ({
        method: method.toUpperCase(),
        path: `/api/v1${path.replaceAll(/\{\w+\}/g, 'somebody')}`,
      })),
  )
}

const users = '/api/collections/users'
const recordDoors: Door[] = [
  ['POST', '/api/collections/bookshelves/records'],
  ['PATCH', '/api/collections/bookshelves/records/somewhere'],
  ['DELETE', '/api/collections/bookshelves/records/somewhere'],
  ['POST', '/api/batch'],
  ['POST', '/api/realtime'],
  ['POST', '/api/files/token'],
  ['POST', `${users}/auth-refresh`],
  ['POST', `${users}/auth-with-password`],
  ['POST', `${users}/request-email-change`],
  ['DELETE', `${users}/sessions`],
  ['DELETE', `${users}/sessions/somewhere`],
  ['DELETE', `${users}/trusted-devices/somewhere`],
  ['DELETE', `${users}/providers/google`],
  ['POST', `${users}/passkeys`],
  ['POST', `${users}/passkeys/options`],
  ['PATCH', `${users}/passkeys/somewhere`],
  ['DELETE', `${users}/passkeys/somewhere`],
  ['POST', `${users}/auth-with-passkey`],
  ['POST', '/login'],
  ['POST', '/signup'],
  ['POST', '/menu'],
  ['POST', '/account/edit'],
  ['POST', '/explore'],
  ['POST', '/u/somebody/books'],
  ['POST', '/u/somebody/books/somewhere/finished'],
  ['POST', '/auth/forgot-password'],
].map(([method = '', path = '']) => ({ method, path }))

/** Those that do the same for everybody, whoever's cookie comes along. */
const forEverybody = ['/api/v1/auth/mail', '/api/v1/stripe/webhook']

const isForAdministrators = (path: string) => path.startsWith('/api/v1/admin/')

describe('with the cookie of an administrator who is signed in', () => {
  let cookie: string
  let token: string
  beforeAll(async () => {
    token = await signUp(octavo, post)
    const { username } = await ownRecord(signedIn(octavo, token))
    await runModule(
      join(import.meta.dirname, '../../server/commands/readers.ts'),
      ['admin', String(username)],
      { DATA_DIR: octavo.dataDir, APP_URL: octavo.url },
    )
    cookie = await cookieOf(octavo, token)
  })

  const send = ({ method, path }: Door, headers: Record<string, string>) =>
    fetch(octavo.url + path, {
      method,
      headers: { Cookie: cookie, 'Content-Type': 'application/json', ...headers },
      ...(method === 'DELETE' ? {} : { body: '{}' }),
    })

  test.each([
    ['another site', { Origin: elsewhere }],
    ['a page without an origin', { Origin: 'null' }],
    ['something that does not say where it is', {}],
    ['a neighbour', { 'Sec-Fetch-Site': 'same-site' }],
    ['another port', { Origin: 'http://localhost:1' }],
  ])('%s can write nothing', async (_, headers) => {
    const doors = (await productDoors()).filter(({ path }) => !forEverybody.includes(path))
    expect(doors.length).toBeGreaterThan(4)
    for (const door of [...doors, ...recordDoors]) {
      const answer = await send(door, headers)
      // Another site isn't even told that there is a door for administrators.
      expect([door, answer.status]).toEqual([door, isForAdministrators(door.path) ? 404 : 403])
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    // The session is as it was.
    expect(await ownRecord(signedIn(octavo, token))).toHaveProperty('email')
  })

  test("the site's own pages get to what they ask for", async () => {
    for (const door of [...(await productDoors()), ...recordDoors]) {
      // These would end the session that the others need.
      if (/logout|menu$|sessions$|reset/.test(door.path)) continue
      const { status } = await send(door, { Origin: octavo.url })
      // An administrator's page is asked for the password, with a 403.
      expect([door, status]).not.toEqual([door, isForAdministrators(door.path) ? 404 : 403])
    }
  })

  test('the log names the first page that was refused, once', async () => {
    await send({ method: 'POST', path: '/api/batch' }, { Origin: elsewhere })
    await send({ method: 'POST', path: '/api/batch' }, { Origin: 'http://localhost:1' })
    const lines = octavo.output().match(/A request from \S+ was refused a session[^"]*/g)
    expect(lines).toEqual([
      expect.stringMatching(`^A request from ${elsewhere} .* as APP_URL is ${octavo.url}: `),
    ])
  })
})

describe('asked under another name', () => {
  test.each(['/', '/explore', '/login', '/robots.txt', '/sitemap.xml', '/no/such/page'])(
    '%s does not take it over',
    async (path) => {
      const answer = await askUnder('elsewhere.example', path)
      expect(answer).toMatch(/^HTTP\/1\.1 \d/)
      expect(answer).not.toContain('elsewhere.example')
    },
  )
})

/** Asks with a Host header, which `fetch` does not let be set. @returns the whole answer */
async function askUnder(host: string, path: string): Promise<string> {
  const { hostname, port } = new URL(octavo.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
