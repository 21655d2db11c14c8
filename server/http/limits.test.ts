import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
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
])('%s may have so many bytes and no more', async (_, path, headers, most) => {
  const ask = (bytes: number) =>
    app.request(path, { method: 'POST', headers, body: new Uint8Array(bytes) })
  expect(await (await ask(most)).json()).toEqual({ bytes: most })
  const refused = await ask(most + 1)
  expect(refused.status).toBe(413)
  expect(await refused.json()).toEqual({
    data: {},
    message: 'Request entity too large.',
    status: 413,
  })
})

test('a body that hides its length is stopped on the way', async () => {
  const ask = (bytes: number) => {
    const init = { method: 'POST', headers: json, body: stream(bytes), duplex: 'half' }
    return app.request('/api/x', init)
  }
  expect((await ask(limits.json)).status).toBe(200)
  expect((await ask(limits.json + 1)).status).toBe(413)
})

test('a compressed body is refused', async () => {
  const headers = { ...json, 'Content-Encoding': 'gzip' }
  expect((await app.request('/api/x', { method: 'POST', headers, body: 'x' })).status).toBe(415)
})

test('an address of more than 8 KB is refused', async () => {
  expect((await app.request(`/explore?q=${'a'.repeat(8000)}`)).status).toBe(200)
  expect((await app.request(`/explore?q=${'a'.repeat(8192)}`)).status).toBe(414)
})
