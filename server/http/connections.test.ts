import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openServer } from './connections.ts'
import { errorHandler } from './errors.ts'
import { requestLimits } from './limits.ts'

/** An application with the product's limits, at a port of its own. @returns the port */
async function listen(timeouts: Parameters<typeof openServer>[1]): Promise<number> {
  const app = new Hono()
  app.use(requestLimits())
  app.post('/api/unread', (c) => c.json({ message: 'Not for you.' }, 403))
  app.all('*', async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }))
  app.onError(errorHandler(pino({ level: 'silent' })))
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server: Server = openServer(() => '', timeouts)
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

it('R19: idle connections outlast those of the proxies in docs/examples', async () => {
  const answer = await fetch(`http://127.0.0.1:${await listen({})}/`)
  const [, seconds] = /timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '') ?? []
  // Caddy's last two minutes.
  expect(Number(seconds)).toBeGreaterThan(120)
})

/** Sends pieces of a request, one each 20 ms, until it is hung up on; what it was answered. */
async function drip(port: number, head: string, piece: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  socket.on('error', () => {})
  socket.write(head)
  const dripping = setInterval(() => socket.writable && socket.write(piece), 20)
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(dripping)
  return answer
}

const json = 'POST /api/any HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n'
const form =
  'POST /api/any HTTP/1.1\r\nHost: here\r\nContent-Type: multipart/form-data; boundary=b\r\n'
const told = 'Content-Length: 1000000\r\n\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n\r\n'

describe('R19: a body that drips in is cut off', () => {
  it.each([
    ['JSON', json + told, ' '],
    ['JSON in chunks', json + chunked, '1\r\n \r\n'],
  ])('%s after the time of a request', async (_, head, piece) => {
    const port = await listen({ request: 200, upload: 600_000 })
    const said = await drip(port, head, piece)
    expect(said).toMatch(/^HTTP\/1\.1 408 [^]*\r\nX-Content-Type-Options: nosniff\r\n/)
  })

  it.each([
    ['a form', form + told, ' '],
    ['a form in chunks', form + chunked, '1\r\n \r\n'],
    ['a batch', json.replace('/api/any', '/api/batch') + told, ' '],
  ])('%s after the time of an upload', async (_, head, piece) => {
    const port = await listen({ headers: 100, request: 1, upload: 300 })
    // Node resets the connection when its client was just sending: the answer may get lost.
    expect(await drip(port, head, piece)).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
  })

  it.each([
    ['a form', form + told],
    ['a form in chunks', form + chunked],
    ['a batch', json.replace('/api/any', '/api/batch') + told],
  ])('R59: %s once nothing more of it has arrived for a while', async (_, head) => {
    const port = await listen({ upload: 600_000, stalled: 200 })
    expect(await drip(port, head, '')).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('R59: but not while it arrives slowly', async () => {
    const port = await listen({ stalled: 200 })
    const head = form + 'Content-Length: 40\r\nConnection: close\r\n\r\n'
    expect(await drip(port, head, '.')).toMatch(/"bytes":40/)
  })

  it('that nobody wants after its answer, too', async () => {
    const port = await listen({ linger: 200 })
    const head = json.replace('/api/any', '/api/unread') + told
    expect(await drip(port, head, ' ')).toMatch(/^HTTP\/1\.1 403 .*Not for you/s)
  })
})
