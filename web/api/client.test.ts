import type { ClientResponseError } from 'pocketbase'
import { afterEach, expect, it, vi } from 'vitest'
import { loadTranslator, setTranslator, type Translator } from '#web/i18n/lazy-answers.ts'
import { createBrowserClient } from './client.ts'
import { filePath } from './file-path.ts'
import { errorMessage } from './errors.ts'
import { createServerClient } from './server-client.ts'

const tokenOf = (cookie: string) =>
  createServerClient({ fetch: () => new Response(), origin: 'http://localhost', cookie }).authStore
    .token

const session = (token: unknown) =>
  `pb_auth=${encodeURIComponent(JSON.stringify({ token, record: { id: 'abcdefghijklmno' } }))}`

it('reads the session of a cookie', () => expect(tokenOf(session('aa.bb-_.cc'))).toBe('aa.bb-_.cc'))

it.each([
  '',
  'pb_auth',
  'pb_auth=',
  'pb_auth=null',
  'pb_auth=%',
  'pb_auth=%7B',
  'pb_auth=%7B%22token%22%3A7%7D',
  'pb_auth=[]',
  session('ünïcödé.€.x'),
  session('a\u0000.b.c'),
  session('a.b'),
  session({}),
])('takes the cookie %j for a visitor', (cookie) => expect(tokenOf(cookie)).toBe(''))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  setTranslator({ field: ({ message }) => message, answer: (message) => message })
})

const said = (call: Promise<unknown>) =>
  call.then(String, (error: unknown) => (error as Error).message)

/** A browser that opens its stream in this way. */
function streaming(begin: (stream: { onerror?: () => void }) => void): void {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      onerror?: () => void
      constructor() {
        super()
        begin(this)
      }
      readonly close = () => undefined
    },
  )
}

/** What stands behind the failure of a stream; no screen waits for one. */
const listen = () =>
  createBrowserClient()
    .realtime.subscribe('@session', () => undefined)
    .catch((error: ClientResponseError) => Promise.reject(error.originalError as Error))

it('says that a record needs an id', async () => {
  const user = createBrowserClient().collection('users').getOne('')
  expect(await said(user)).toBe('Missing required record id.')
})

it('says the least where a failed server has no words', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<h1>502</h1>', { status: 502 })))
  expect(await said(createBrowserClient().send('/x', {}))).toBe('Something went wrong.')
})

it('holds an error back until its translations are here', async () => {
  const answer = { status: 400, message: 'You already have this.', data: {} }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer, { status: 400 })))
  const arrived = Promise.withResolvers<{ translator: Translator }>()
  loadTranslator(() => arrived.promise)
  const seen: string[] = []
  const call = createBrowserClient()
    .send('/x', {})
    .catch((error: unknown) => seen.push(errorMessage(error)))
  await new Promise(setImmediate)
  expect(seen).toEqual([])
  arrived.resolve({ translator: { field: () => '', answer: () => 'Das hast du schon.' } })
  await call
  expect(seen).toEqual(['Das hast du schon.'])
})

it('shows an error as it is if its translations never come', async () => {
  const answer = { status: 400, message: 'You already have this.', data: {} }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer, { status: 400 })))
  loadTranslator(() => Promise.reject(new Error('offline')))
  expect(await said(createBrowserClient().send('/x', {}))).toBe('You already have this.')
})

it('cancels no call for being like another', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ok: true })))
  const client = createBrowserClient()
  const calls = ['one', 'two'].map(() => client.send('/x', {}))
  expect(await Promise.all(calls)).toEqual([{ ok: true }, { ok: true }])
})

it('says that events cannot be had', async () => {
  streaming((stream) => queueMicrotask(() => stream.onerror?.()))
  expect(await said(listen())).toBe('Failed to establish realtime connection.')
})

it('says that events take too long, after 15 seconds', async () => {
  vi.useFakeTimers()
  streaming(() => undefined)
  const words = said(listen())
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await words).toBe('EventSource connect took too long.')
})

it('lets small changes outlive their page, as browsers refuse large ones', async () => {
  const asked: RequestInit[] = []
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    asked.push(init)
    return Promise.resolve(Response.json({}))
  })
  const books = createBrowserClient().collection('user_books')
  await books.update('abcdefghijklmno', { status: 'reading' })
  await books.update('abcdefghijklmno', { review: 'x'.repeat(5000) })
  await books.getOne('abcdefghijklmno')
  expect(asked.map(({ method, keepalive }) => [method, keepalive])).toEqual([
    ['PATCH', true],
    ['PATCH', false],
    ['GET', false],
  ])
})

it('finds a file where the official client does', () => {
  const record = { id: 'abcdefghijklmno', collectionId: 'pbc_1' }
  const url = createBrowserClient().files.getURL(record, 'a b.jpg', { thumb: '100x50f' })
  expect(filePath(record, 'a b.jpg', '100x50f')).toBe(url)
})
