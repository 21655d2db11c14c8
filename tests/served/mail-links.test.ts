import { once } from 'node:events'
import { request } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isLocalHostname } from '#server/network/client-address.ts'
import { openOctavo } from '#tests/open-octavo.ts'

const { octavo, post, newAccount } = await openOctavo()
const { port } = new URL(octavo.url)

/** An address of this machine in its own network, if it is in one. */
const nearby = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal, address }) => {
    return family === 'IPv4' && !internal && isLocalHostname(new URL(`http://${address}`))
  })?.address
const own = nearby ?? '127.0.0.1'

let accounts = 0

/** Asks for a new password. @returns where the link in the mail leads */
async function linkOf(headers: Record<string, string>): Promise<string> {
  const email = `reader${++accounts}@example.org`
  await newAccount(email)
  const asked = request({
    host: own,
    port,
    method: 'POST',
    path: '/api/collections/users/request-password-reset',
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  asked.end(JSON.stringify({ email }))
  const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }]
  answer.resume()
  expect(answer.statusCode).toBe(204)
  const { text = '' } = await post.nextMail(email)
  return new URL(/http:\S+/.exec(text)?.[0] ?? '').origin
}

const at = (host: string) => ({ Host: host, Origin: `http://${host}` })

test('a link leads to the address of this machine that its reader uses', async () => {
  expect(await linkOf(at(`${own}:${port}`))).toBe(`http://${own}:${port}`)
})

const isNamed = isLocalHostname(new URL(`http://${hostname()}.local`))
test.runIf(isNamed)('or to its name', async () => {
  const name = `${hostname().toLowerCase()}.local:${port}`
  expect(await linkOf(at(name))).toBe(`http://${name}`)
})

test.for<[string, Record<string, string>]>([
  ['another site', at('evil.example')],
  ['another site at this port', at(`evil.example:${port}`)],
  ['a name that looks like an address', at(`${own}.evil.example:${port}`)],
  ['an address of another machine nearby', at(`192.168.77.77:${port}`)],
  ['an address of this machine at which it did not arrive', at(`127.0.0.9:${port}`)],
  ['another port of this machine', at(`${own}:1`)],
  ['the address of this machine without a page of it', { Host: `${own}:${port}` }],
  [
    'the address of this machine for a page of another site',
    { Host: `${own}:${port}`, Origin: 'http://evil.example' },
  ],
  ['what a proxy would have said', { ...at('evil.example'), 'X-Forwarded-Host': `${own}:${port}` }],
])('a link never leads to %s', async ([, headers]) => {
  expect(await linkOf(headers)).toBe(`http://localhost:${port}`)
})
