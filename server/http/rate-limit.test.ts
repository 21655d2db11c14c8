import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { errorHandler } from './errors.ts'
import { rateLimit } from './rate-limit.ts'

const app = new Hono()
const limit = rateLimit({ points: 3, seconds: 3600 }, (c) => c.req.header('from') ?? '')
app.use('/drawn/*', limit)
app.get('*', (c) => c.text('here'))
app.onError(errorHandler(pino({ level: 'silent' })))

const ask = async (path: string, from: string, times: number) => {
  const statuses: number[] = []
  for (let n = 0; n < times; n++)
    statuses.push((await app.request(path, { headers: { from } })).status)
  return statuses
}

test('limits requests per network, and says when to retry', async () => {
  expect(await ask('/drawn/a', '2001:db8::1', 2)).toEqual([200, 200])
  expect(await ask('/drawn/b', '2001:db8::2', 2)).toEqual([200, 429])
  const refused = await app.request('/drawn/a', { headers: { from: '2001:db8::3' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect(await refused.json()).toEqual({
    data: {},
    message: 'Too many requests. Please try again in a moment.',
    status: 429,
  })
  expect(await ask('/drawn/a', '2001:db8:0:1::1', 3)).toEqual([200, 200, 200])
})

test('the process itself and other addresses are not counted', async () => {
  expect(await ask('/drawn/a', '', 5)).toEqual([200, 200, 200, 200, 200])
  expect(await ask('/else', '192.0.2.1', 5)).toEqual([200, 200, 200, 200, 200])
})
