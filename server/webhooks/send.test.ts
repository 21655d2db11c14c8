import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openSender, type Sender } from './send.ts'

let server: Server
let reached: string[] = []
let answer: RequestListener

beforeAll(async () => {
  server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    }),
)
beforeEach(() => {
  reached = []
  answer = (_, response) => response.end('Thanks')
})

const port = () => (server.address() as AddressInfo).port
const here = (path = '/') => `http://127.0.0.1:${port()}${path}`

function open(networks: string[], within?: number): Sender {
  const sender = openSender(networks, within)
  onTestFinished(() => sender.close())
  return sender
}

const post = (sender: Sender, url: string) =>
  sender.post(url, { body: '{}', headers: {}, signal: new AbortController().signal })

/** Each with PORT where the server stands that must not be reached. */
const hostile = [
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://[fe80::1]/',
]
/** Names, which are only known to be private once they are looked up. */
const names = ['http://localhost:PORT/', 'http://home.localhost:PORT/', 'http://LOCALHOST.:PORT/']

test.each(hostile)('R34: a webhook to %s is not sent', async (address) => {
  const sender = open([])
  const url = address.replace('PORT', String(port()))
  expect(sender.mayReach(url)).toBe(false)
  expect(await post(sender, url)).toMatchObject({ status: 0, failure: 'unreachable' })
  expect(reached).toEqual([])
})

test.each(names)('R34: nor to %s, whose address is looked up', async (address) => {
  const sender = open([])
  const url = address.replace('PORT', String(port()))
  expect(await post(sender, url)).toMatchObject({ status: 0, failure: 'unreachable' })
  expect(reached).toEqual([])
})

test.each([
  'file:///etc/passwd',
  'ftp://example.org/',
  'data:text/plain,x',
  'gopher://example.org/',
])('nor by another scheme: %s', async (url) => {
  expect(await post(open(['127.0.0.0/8']), url)).toMatchObject({ status: 0 })
})

test.each(['http://127.0.0.1:25/', 'http://127.0.0.1:6000/', 'http://127.0.0.1:6667/'])(
  'nor to a port of another protocol: %s',
  async (url) => {
    expect(await post(open(['127.0.0.0/8']), url)).toMatchObject({ failure: 'unreachable' })
  },
)

test('a network that the operator names is reached, by address and by name, and no other is', async () => {
  const sender = open(['127.0.0.0/8'])
  expect(await post(sender, here('/hook'))).toEqual({
    status: 200,
    excerpt: 'Thanks',
    failure: '',
    wait: 0,
  })
  expect(reached).toEqual(['POST /hook'])
  expect(sender.mayReach('http://[::ffff:127.0.0.1]/')).toBe(true)
  expect(sender.mayReach('http://10.0.0.1/')).toBe(false)
  expect(sender.mayReach('http://example.org/')).toBe(true)
  expect(sender.mayReach('http://[2606:2800:21f:cb07::1]/')).toBe(true)
})

test.each([301, 302, 303, 307, 308])('R34: a redirect by %i is not followed', async (status) => {
  answer = (_, response) => response.writeHead(status, { Location: here('/inside') }).end()
  expect(await post(open(['127.0.0.0/8']), here('/hook'))).toMatchObject({ status })
  expect(reached).toEqual(['POST /hook'])
})

test('of an answer only the beginning is read, without control characters', async () => {
  let isCut = false
  const closed = new Promise<void>((resolve) => {
    answer = (_, response) => {
      response.on('close', () => {
        isCut = !response.writableFinished
        resolve()
      })
      response.write(`\u0000<h1>\n Not\tfound</h1>${'é'.repeat(3000)}`)
    }
  })
  const { excerpt } = await post(open(['127.0.0.0/8']), here())
  expect(excerpt).toMatch(/^<h1> Not found<\/h1>é+$/)
  expect(excerpt).toHaveLength(200)
  await closed
  expect(isCut).toBe(true)
})

test('one that takes too long is no answer', async () => {
  answer = () => undefined
  expect(await post(open(['127.0.0.0/8'], 50), here())).toMatchObject({
    status: 0,
    failure: 'timeout',
  })
})

test('whose body takes too long is judged by its status', async () => {
  answer = (_, response) => response.writeHead(204 + 300).flushHeaders()
  expect(await post(open(['127.0.0.0/8'], 200), here())).toMatchObject({ status: 504, excerpt: '' })
})

test.each([
  ['120', 120_000],
  ['999999999', 86_400_000],
  ['soon', 0],
  ['', 0],
])('waits as long as it is asked to, a day at most: %j', async (value, wait) => {
  answer = (_, response) => response.writeHead(503, { 'Retry-After': value }).end()
  expect((await post(open(['127.0.0.0/8']), here())).wait).toBe(wait)
})
