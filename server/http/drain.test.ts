import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { drain } from './drain.ts'

test('what was sent over an idle connection before it is closed is answered', async () => {
  const server = createServer((_request, response) => response.end('answer')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const ask = () => client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  ask()
  const [first] = (await once(client, 'data')) as [Buffer]
  expect(first.toString()).toContain('keep-alive')
  // On its way, and nobody has read it yet.
  ask()
  const closed = drain(server, [])
  expect(await text(client)).toMatch(/^HTTP\/1.1 200 OK\r\nConnection: close\r\n.*answer$/s)
  await closed
  expect(server.listening).toBe(false)
})

test('an idle connection is kept until proxies have noticed the stop', async () => {
  const server = createServer((_request, response) => response.end('answer')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const ask = () => client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  ask()
  await once(client, 'data')
  const closed = drain(server, [], 60_000)
  await expect.poll(() => server.listening).toBe(false)
  ask()
  expect(await text(client)).toMatch(/^HTTP\/1.1 200 OK\r\nConnection: close\r\n.*answer$/s)
  await closed
})

test('an idle connection does not delay the stop', async () => {
  const server = createServer((_request, response) => response.end('answer')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  await once(client, 'data')
  const closed = drain(server, [])
  expect(await text(client)).toBe('')
  await closed
})
