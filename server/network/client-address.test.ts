import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientAddress, isNetwork, publicAddressCheck, trustsEveryProxy } from './client-address.ts'

/** What a request from a socket's address with headers turns out to be. */
async function ask(
  networks: readonly string[],
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
): Promise<{ address: string }> {
  const address = clientAddress(networks)
  const app = new Hono().get('/', (c) => c.json({ address: address(c) }))
  const env = { incoming: { socket: { remoteAddress } } }
  const response = await app.request('/', { headers }, env)
  return (await response.json()) as { address: string }
}

test.each([
  ['nobody is trusted', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['no header', ['10.0.0.0/8'], '10.0.0.2', '', '10.0.0.2'],
  ['a trusted proxy', ['10.0.0.0/8'], '10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['two trusted proxies', ['10.0.0.0/8'], '10.0.0.2', '198.51.100.1, 10.0.0.3', '198.51.100.1'],
  ['a forged beginning', ['10.0.0.0/8'], '10.0.0.2', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['a stranger that forwards', ['10.0.0.0/8'], '203.0.113.9', '10.0.0.7', '203.0.113.9'],
  ['nonsense in the header', ['10.0.0.0/8'], '10.0.0.2', 'unknown', '10.0.0.2'],
  ['IPv4 in IPv6', ['10.0.0.0/8'], '::ffff:10.0.0.2', '::ffff:198.51.100.1', '198.51.100.1'],
  ['IPv6', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['a single address', ['127.0.0.1'], '127.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['a port along', ['127.0.0.1'], '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6 and a port', ['127.0.0.1'], '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
])('R38: %s', async (_, networks, socket, forwarded, expected) => {
  const headers: Record<string, string> = forwarded ? { 'X-Forwarded-For': forwarded } : {}
  expect((await ask(networks, socket, headers)).address).toBe(expected)
})

test('a proxy close by that is not named is told of once, a stranger never', async () => {
  const told: string[] = []
  const address = clientAddress(['10.0.0.0/8'], (proxy) => told.push(proxy))
  const app = new Hono().get('/', (c) => c.text(address(c)))
  const askFrom = async (remoteAddress: string, headers: Record<string, string>) =>
    (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text()
  const headers = { 'X-Forwarded-For': '198.51.100.1' }
  expect(await askFrom('203.0.113.9', headers)).toBe('203.0.113.9')
  expect(await askFrom('10.0.0.2', headers)).toBe('198.51.100.1')
  expect(await askFrom('192.168.1.2', {})).toBe('192.168.1.2')
  expect(told).toEqual([])
  expect(await askFrom('::ffff:192.168.1.2', headers)).toBe('192.168.1.2')
  await askFrom('127.0.0.1', headers)
  expect(told).toEqual(['192.168.1.2'])
})

test.each([
  [['0.0.0.0/0'], true],
  [['127.0.0.1', '::/0'], true],
  [['10.0.0.0/8', '0.0.0.0'], false],
  [[], false],
])('%j trusts everybody: %s', (networks, expected) => {
  expect(trustsEveryProxy(networks)).toBe(expected)
})

test('a call in process has no address', async () => {
  const app = new Hono().get('/', (c) => c.text(`<${clientAddress([])(c)}>`))
  expect(await (await app.request('/')).text()).toBe('<>')
})

test('networks', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
    expect(isNetwork(text), text).toBe(true)
  for (const text of ['', 'proxy', '10.0.0', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/'])
    expect(isNetwork(text), text).toBe(false)
})

test.each([
  ['TLS that APP_URL does not know', '10.0.0.2', { 'x-forwarded-proto': 'https' }, 'https://'],
  ['TLS and IPv4 in IPv6', '::ffff:10.0.0.2', { 'x-forwarded-proto': 'https' }, 'https://'],
  [
    'another name',
    '10.0.0.2',
    { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'shelf.example.org' },
    'http://shelf.example.org',
  ],
  ['the same address', '10.0.0.2', { 'x-forwarded-proto': 'http' }, undefined],
  [
    'the name that the proxy has for us',
    '10.0.0.2',
    { 'x-forwarded-proto': 'http', host: '127.0.0.1:3000' },
    undefined,
  ],
  ['a stranger that says TLS', '203.0.113.9', { 'x-forwarded-proto': 'https' }, undefined],
  ['nonsense for a scheme', '10.0.0.2', { 'x-forwarded-proto': 'gopher' }, undefined],
])('a proxy in front says once what APP_URL should be: %s', (_, remoteAddress, headers, found) => {
  const warnings: string[] = []
  const appUrl = 'http://books.example.org'
  const check = publicAddressCheck({ appUrl, trustProxy: ['10.0.0.0/8'] }, (warning) =>
    warnings.push(warning),
  )
  const request = { headers: { host: 'books.example.org', ...headers }, socket: { remoteAddress } }
  for (let n = 0; n < 3; n++) check(request as unknown as IncomingMessage)
  expect(warnings).toHaveLength(found ? 1 : 0)
  expect(warnings.join()).toContain(found ?? '')
  expect(warnings.join()).toContain(found ? `APP_URL is ${appUrl}` : '')
})
