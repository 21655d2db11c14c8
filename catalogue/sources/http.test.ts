import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { isOnInternet } from '../public-network.ts'
import { openExternalClient, SourceFailure, type ExternalClient } from './http.ts'

/** What the operator configured, which may be on this machine, and what must never be reached. */
let allowed: Server
let forbidden: Server
let reached: string[] = []
/** Where the configured site sends who asks it. */
let elsewhere = ''
/** What it answers at any other address. */
let answer: { status: number; type: string; body: string | Buffer }

const port = (server: Server) => (server.address() as AddressInfo).port
const base = () => `http://127.0.0.1:${port(allowed)}`

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  allowed = await listen(
    createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { Location: elsewhere }).end()
      else response.writeHead(answer.status, { 'Content-Type': answer.type }).end(answer.body)
    }),
  )
  forbidden = await listen(
    createServer((request, response) => {
      reached.push(request.url ?? '')
      response.end('{"secret": true}')
    }),
  )
})
afterAll(async () => {
  for (const server of [allowed, forbidden])
    await new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
})
beforeEach(() => {
  reached = []
  answer = { status: 200, type: 'application/json', body: '{"here": true}' }
})

function open(options: { isOpen?: boolean } = {}): ExternalClient {
  const client = openExternalClient({
    ...options,
    bases: [base()],
    // "localhost" and "home.localhost" are names that lead into this machine.
    hosts: /(?:^|\.)(?:archive\.org|localhost)$/,
    userAgent: 'Octavo/1 (test@example.org)',
  })
  onTestFinished(() => client.close())
  return client
}

/** Each with PORT where the server stands that must not be reached. */
const hostile = [
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'https://localhost/',
  'https://home.localhost/',
  'https://LOCALHOST./',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'https://archive.org@127.0.0.1:PORT/',
  'https://archive.org:secret@127.0.0.1:PORT/',
  'https://reader@archive.org/',
  'http://archive.org/',
  'https://archive.org:PORT/',
  'https://archive.org.example.org/',
  'https://notarchive.org/',
  'https://archive.org.:PORT/',
  'https://127.0.0.1:PORT/#archive.org',
  'https://127.0.0.1:PORT/?archive.org',
  'file:///etc/passwd',
  'data:application/json,{"here":true}',
  'ftp://archive.org/',
  'blob:https://archive.org/0',
  'javascript:alert(1)',
  '//127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
]

test.each(hostile)('R34: %s is not asked, and no redirect leads there', async (address) => {
  const client = open()
  elsewhere = address.replace('PORT', String(port(forbidden)))
  await expect(client.get(elsewhere, 'application/json')).rejects.toThrow(SourceFailure)
  // A header has no letters beyond Latin ones.
  elsewhere = elsewhere.normalize('NFKC')
  await expect(client.json(`${base()}/moved`)).rejects.toThrow(SourceFailure)
  expect(reached).toEqual([])
})

/** What is not asked by the name of its host alone; on the open internet it would be. */
const onInternet = /archive\.org/

test.each(hostile.filter((address) => !onInternet.test(address) || address.includes('@127')))(
  'nor where every host may be asked: %s',
  async (address) => {
    const client = open({ isOpen: true })
    elsewhere = address.replace('PORT', String(port(forbidden)))
    await expect(client.get(elsewhere, 'image/*')).rejects.toThrow(SourceFailure)
    elsewhere = elsewhere.normalize('NFKC')
    await expect(client.get(`${base()}/moved`, 'image/*')).rejects.toThrow(SourceFailure)
    expect(reached).toEqual([])
  },
)

test('what the operator configured is asked on this machine too, with a redirect of its own', async () => {
  const client = open()
  expect(await client.json(`${base()}/book`)).toEqual({ here: true })
  elsewhere = '/there'
  expect(await client.json(`${base()}/moved`)).toEqual({ here: true })
  elsewhere = '/moved'
  await expect(client.json(`${base()}/moved`)).rejects.toThrow('redirects astray')
})

test('takes 404 for nothing found, and every other error status for a failure', async () => {
  const client = open()
  answer.status = 404
  expect(await client.json(`${base()}/book`)).toBeNull()
  answer.status = 503
  await expect(client.json(`${base()}/book`)).rejects.toThrow('answered 503')
})

test.each([
  ['application/json; charset=iso-8859-1', Buffer.from('"M\xE9rim\xE9e"', 'latin1'), 'Mérimée'],
  ['application/json', Buffer.from('"M\xE9rim\xE9e"', 'latin1'), 'Mérimée'],
  ['application/json; charset=iso-8859-1', '"Mérim\\u00e9e"', 'MÃ©rimée'],
  ['application/json; charset=nonsense', '"Mérimée"', 'Mérimée'],
  ['', '{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\""}', { a: `${'['.repeat(34)}"` }],
])('an answer of type %j is read', async (type, body, read) => {
  answer = { status: 200, type, body }
  expect(await open().json(`${base()}/book`)).toEqual(read)
})

test.each([
  ['<!doctype html>', 'answered with a page instead of JSON'],
  ['{"here":', 'sent invalid JSON'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, 'sent JSON that is nested too deeply'],
  [' '.repeat(2 * 1024 * 1024 + 1), 'sent more than 2097152 bytes'],
])('R16: refuses an answer such as %.40j', async (body, reason) => {
  answer.body = body
  await expect(open().json(`${base()}/book`)).rejects.toThrow(reason)
})

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '::ffff:0:7f00:1',
  '4000::1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
])('R34: a name that leads to %s leads to no public network', (address) => {
  expect(isOnInternet(address)).toBe(false)
})

test.each(['207.241.224.2', '8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::200e'])(
  'a name that leads to %s is followed',
  (address) => {
    expect(isOnInternet(address)).toBe(true)
  },
)
