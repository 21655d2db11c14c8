import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { errorHandler } from './errors.ts'
import { limits, requestLimits } from './limits.ts'

const app = new Hono()
app.use(requestLimits())
app.all('*', async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }))
app.onError(errorHandler(pino({ level: 'silent' })))

const json = { 'Content-Type': 'application/json' }

/** A body that does not tell its length. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      const chunk = Math.min(left, 65_536)
      if (chunk === 0) return controller.close()
      controller.enqueue(new Uint8Array(chunk))
      left -= chunk
    },
  })
}

test.each([
  ['JSON', '/api/collections/a/records', json, limits.json],
  ['no type', '/api/collections/a/records', {}, limits.json],
  ['a form', '/api/x', { 'Content-Type': 'Multipart/Form-Data; boundary=x' }, limits.upload],
  ['a batch', '/api/batch', { 'Content-Type': 'multipart/form-data; boundary=x' }, limits.batch],
])('%s may have so many bytes and no more', async (_, path, headers, max) => {
  const ask = (bytes: number) =>
    app.request(path, { method: 'POST', headers, body: new Uint8Array(bytes) })
  expect(await (await ask(max)).json()).toEqual({ bytes: max })
  const refused = await ask(max + 1)
  expect(refused.status).toBe(413)
  expect(await refused.json()).toEqual({
    data: {},
    message: 'Request entity too large.',
    status: 413,
  })
})

test('a device may keep larger files, and send no other large bodies', async () => {
  const ask = async (method: string, path: string, bytes: number) => {
    const headers = { 'Content-Length': String(bytes) }
    return (await app.request(path, { method, headers, body: 'x' })).status
  }
  expect(await ask('PUT', '/dav/statistics.sqlite3', limits.deviceFile)).toBe(200)
  expect(await ask('PUT', '/dav/statistics.sqlite3', limits.deviceFile + 1)).toBe(413)
  expect(await ask('PROPFIND', '/dav/', limits.product + 1)).toBe(413)
  expect(await ask('PUT', '/davy', limits.deviceFile)).toBe(413)
})

test('R20: stops a body that hides its length', async () => {
  const ask = (bytes: number) => {
    const init = { method: 'POST', headers: json, body: stream(bytes), duplex: 'half' }
    return app.request('/api/x', init)
  }
  expect((await ask(limits.json)).status).toBe(200)
  expect((await ask(limits.json + 1)).status).toBe(413)
})

test('R20: refuses a compressed body', async () => {
  const headers = { ...json, 'Content-Encoding': 'gzip' }
  expect((await app.request('/api/x', { method: 'POST', headers, body: 'x' })).status).toBe(415)
})

test('R20: refuses an address of more than 8 KB', async () => {
  expect((await app.request(`/explore?q=${'a'.repeat(8000)}`)).status).toBe(200)
  expect((await app.request(`/explore?q=${'a'.repeat(8192)}`)).status).toBe(414)
})

/** POSTs over a real connection, in as many chunks as there are; without a body if there is none. */
function post(server: Server, chunks: readonly Uint8Array[]): Promise<number> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const headers = chunks.length > 0 ? { ...json, 'Transfer-Encoding': 'chunked' } : {}
    const call = request({ port, method: 'POST', path: '/api/x', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    // The server may hang up on what it does not want to hear.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error),
    )
    for (const chunk of chunks) call.write(chunk)
    if (chunks.length === 0) call.removeHeader('Transfer-Encoding')
    call.end()
  })
}

test('over a connection: no body, a chunked one, and one that is too long', async () => {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  expect(await post(server, [])).toBe(200)
  expect(await post(server, [new Uint8Array(1000), new Uint8Array(1000)])).toBe(200)
  const tooMuch = Array.from({ length: 20 }, () => new Uint8Array(65_536))
  expect(await post(server, tooMuch)).toBe(413)
})
