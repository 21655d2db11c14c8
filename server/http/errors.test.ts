import { bulkhead } from 'cockatiel'
import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { errorHandler, notFound } from './errors.ts'
import { NotSetUp } from './not-set-up.ts'

let logged: string[]
beforeEach(() => void (logged = []))

function ask(error: unknown): Response | Promise<Response> {
  const app = new Hono()
  app.get('/', () => {
    throw error
  })
  app.onError(errorHandler(pino({ level: 'info' }, { write: (line) => void logged.push(line) })))
  app.notFound(notFound)
  return app.request('/')
}

test('an error with a public face is answered as it is, and not logged', async () => {
  const response = await ask(new ApiError(400, 'no', { name: { code: 'c', message: 'm.' } }))
  expect(response.status).toBe(400)
  expect(await response.text()).toBe(
    '{"data":{"name":{"code":"c","message":"m."}},"message":"No.","status":400}',
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(logged).toEqual([])
})

test('what this installation is not set up for is no failure', async () => {
  const response = await ask(new NotSetUp('This site has no such thing.'))
  expect([response.status, response.headers.has('retry-after')]).toEqual([503, false])
  expect(await response.json()).toMatchObject({ message: 'This site has no such thing.' })
  expect(logged).toEqual([])
})

test('anything else is a generic 500 outside, and the cause with an id in the log', async () => {
  const response = await ask(new Error('UNIQUE constraint failed: users.email'))
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    data: {},
    message: 'Something went wrong while processing your request.',
    status: 500,
  })
  const id = response.headers.get('x-request-id')
  expect(id).toBeTruthy()
  expect(logged.join()).toContain(id)
  expect(logged.join()).toContain('UNIQUE constraint failed')
})

test('a queue without room is asked again later', async () => {
  const full = await bulkhead(0)
    .execute(() => undefined)
    .catch((error: unknown) => error)
  const response = await ask(full)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await response.json()).toMatchObject({ message: answers.serverBusy })
})

test.each([
  ['SQLite is busy', { errcode: 5 }, 503],
  ['SQLite is busy with its log', { errcode: 261 }, 503],
  ['the disk is full', { errcode: 13 }, 507],
  ['PostgreSQL has no connection left', { code: '53300' }, 503],
  ['PostgreSQL has no memory left', { code: '53200' }, 503],
  ['PostgreSQL only reads until another takes over', { code: '25006' }, 503],
  ['somebody else has locked a table', { code: '55P03' }, 503],
  ['PostgreSQL restarts', { code: '57P01' }, 503],
  ['PostgreSQL is not there', { code: 'ECONNREFUSED' }, 503],
  ['the bucket hangs up while a picture is sent', { code: 'EPIPE' }, 503],
  ['its disk is full', { code: '53100' }, 507],
  ['the disk that pictures are on is full', { code: 'ENOSPC' }, 507],
  ['the disk that pictures are on is read-only', { code: 'EROFS' }, 507],
  ['the folder that pictures are in may not be written', { code: 'EACCES' }, 507],
  ['a mistake of ours', { code: '42703' }, 500],
])('%s', async (_, properties, status) => {
  const response = await ask(Object.assign(new Error('trouble'), properties))
  expect(response.status).toBe(status)
  expect(await response.text()).not.toContain('trouble')
  expect(response.headers.has('retry-after')).toBe(status === 503)
})

test('logs an error of many requests once a second, with their number', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const app = new Hono()
  const codes = ['ECONNREFUSED', 'ECONNREFUSED', '53100', 'ECONNREFUSED', '53100']
  app.get('/', () => {
    throw Object.assign(new Error('away'), { code: codes.shift() ?? 'ECONNREFUSED' })
  })
  app.onError(errorHandler(pino({ level: 'info' }, { write: (line) => void logged.push(line) })))
  const ids: unknown[] = []
  for (let n = 0; n < 5; n++) ids.push((await app.request('/')).headers.get('x-request-id'))
  const [away, , full] = ids
  expect(ids).toEqual([away, away, full, away, full])
  const lines = () => logged.map((line) => JSON.parse(line) as object)
  expect(lines()).toMatchObject([{ request: away, path: '/' }, { request: full }])

  logged = []
  await vi.advanceTimersByTimeAsync(1000)
  expect(lines()).toMatchObject([
    { request: away, more: 2, msg: 'more requests failed in the same way' },
    { request: full, more: 1 },
  ])
  logged = []
  await vi.advanceTimersByTimeAsync(1000)
  expect((await app.request('/')).headers.get('x-request-id')).not.toBe(away)
  expect(lines()).toHaveLength(1)
})

test('a path nobody knows', async () => {
  const app = new Hono().notFound(notFound)
  const response = await app.request('/nowhere')
  expect(response.status).toBe(404)
  expect(await response.text()).toBe(
    `{"data":{},"message":"The requested resource wasn't found.","status":404}`,
  )
})

test.each([400, 401, 403, 404, 413, 429, 500])(
  'the sentence of %i alone is among those that are translated',
  (status) => {
    expect(Object.values(answers)).toContain(new ApiError(status).message)
  },
)
