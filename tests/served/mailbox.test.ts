import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { bareProxies, hasProxy, startBareProxy } from '#tests/bare-proxies.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { password } from '#tests/reader.ts'

let octavo: Octavo
let port: number
/** The address of the mailbox with its key, as the start prints it. */
let link: URL

beforeAll(async () => {
  octavo = await startOctavo()
  port = Number(new URL(octavo.url).port)
  link = new URL(/http\S+\/mailbox\S*/.exec(octavo.output())?.[0] ?? `${octavo.url}/mailbox`)
  return async () => void (await octavo.stop())
})

/** A GET whose every header is the test's. */
function look(at: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string; location: string; cookie: string }>(
    (resolve, reject) => {
      const options = { host: '127.0.0.1', port: at, path, headers, agent: false }
      const asked = request(options, (answer) => {
        const { statusCode = 0, headers: said } = answer
        const [cookie = ''] = said['set-cookie'] ?? []
        const { location = '' } = said
        text(answer).then((body) => resolve({ status: statusCode, body, location, cookie }), reject)
      })
      asked.on('error', reject)
      asked.end()
    },
  )
}

/** A page without what differs at every answer. */
const plain = ({ status, body }: { status: number; body: string }) => ({
  status,
  body: body
    .replaceAll(/nonce="[^"]*"|\b1[789]\d{11}\b/g, '')
    .replaceAll(/no-such-page|mailbox/g, 'PAGE'),
})

/** The mailbox has to answer as a page that does not exist. */
async function expectNothing(at: number, key: string, Host: string): Promise<void> {
  const unknown = await look(at, `/no-such-page${key}`, { Host })
  expect(unknown.status).toBe(404)
  expect(plain(await look(at, `/mailbox${key}`, { Host }))).toEqual(plain(unknown))
}

const hosts = ['localhost', '127.0.0.1', '[::1]', 'books.example.org']
const wrongKeys = ['', '?key=', '?key=x', `?key=${'A'.repeat(32)}`, '?key=a&key=b']

describe('R44: /mailbox', () => {
  test.each(Object.entries(bareProxies))('behind %s needs its key', async (_, setup) => {
    if (!hasProxy(setup)) return
    const proxy = await startBareProxy(setup, port)
    try {
      for (const Host of hosts) {
        for (const key of wrongKeys) await expectNothing(proxy.port, key, Host)
      }
      const opened = await look(proxy.port, `/mailbox${link.search}`)
      expect([opened.status, opened.location]).toEqual([303, '/mailbox'])
    } finally {
      await proxy.stop()
    }
  })

  test('asked directly needs its key as well, whatever the Host', async () => {
    for (const Host of hosts) for (const key of wrongKeys) await expectNothing(port, key, Host)
    const planted = await look(port, '/mailbox', { Cookie: 'octavo_mailbox=x; pb_auth=y' })
    expect(planted.status).toBe(404)
  })

  test('opens with the link that the start prints, and again without the key in the address', async () => {
    const email = 'sofa@example.org'
    const post = (path: string, body: object) =>
      fetch(`${octavo.url}/api/collections/users/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('records', { email, password, passwordConfirm: password })
    await post('auth-with-password', { identity: email, password })
    await post('request-otp', { email })

    expect(link.searchParams.get('key')).toMatch(/^[\w-]{32}$/)
    const opened = await look(port, link.pathname + link.search)
    expect([opened.status, opened.location]).toEqual([303, '/mailbox'])
    expect(opened.cookie).toMatch(/; Max-Age=\d+; Path=\/mailbox; HttpOnly; SameSite=Lax$/)
    const Cookie = opened.cookie.split(';', 1)[0]!
    await expect
      .poll(async () => (await look(port, '/mailbox', { Cookie })).body)
      .toMatch(/\d{6}<\/output>/)
    expect((await look(port, '/mailbox', { Cookie, Host: 'books.example.org' })).status).toBe(200)
  })
})
