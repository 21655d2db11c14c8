import { expect, test } from 'vitest'
import { cachePages } from './page-cache.ts'

/** Pages that say how often they were rendered, and to whom. */
function keeping(answer = (body: string) => new Response(body, { headers: { 'X-Page': 'own' } })) {
  const clock = { now: 0 }
  let times = 0
  const pages = cachePages(
    async (request, nonce) =>
      answer(
        `${++times} <script nonce="${nonce}"> ${request.headers.get('cookie') ?? 'nobody'} ${request.headers.get('accept-language') ?? ''}`,
      ),
    () => clock.now,
  )
  const open = async (path: string, nonce = 'n', headers: Record<string, string> = {}) => {
    const request = new Request(`http://localhost:3000${path}`, { headers })
    const response = await pages(request, nonce)
    return { text: await response.text(), response }
  }
  return { open, clock, rendered: () => times }
}

test('renders what all visitors share once a minute, with a nonce per response', async () => {
  const { open, clock, rendered } = keeping()
  const [first, second] = await Promise.all([open('/explore', 'one'), open('/explore', 'two')])
  expect(first.text).toContain('nonce="one"')
  expect(second.text).toBe(first.text.replace('one', 'two'))
  clock.now += 59_999
  expect((await open('/explore', 'one')).text).toBe(first.text)
  expect(rendered()).toBe(1)
  clock.now += 1
  await open('/explore')
  expect(rendered()).toBe(2)
})

test('a visitor gets the page in their own language', async () => {
  const { open, rendered } = keeping()
  expect((await open('/pricing', 'n', { 'Accept-Language': 'de' })).text).toContain(' de')
  expect((await open('/pricing', 'n', { 'Accept-Language': 'fr' })).text).toContain(' fr')
  expect(rendered()).toBe(2)
})

test('a visitor who chose a language gets the page in it, whatever their browser asks for', async () => {
  const { open, rendered } = keeping()
  await open('/pricing', 'n', { 'Accept-Language': 'fr' })
  const chosen = { 'Accept-Language': 'fr', Cookie: 'language=de' }
  expect((await open('/pricing', 'n', chosen)).text).toContain('language=de')
  expect((await open('/pricing', 'n', chosen)).text).toContain('2 ')
  expect((await open('/pricing', 'n', { 'Accept-Language': 'fr' })).text).toContain('nobody')
  expect(rendered()).toBe(2)
  const reader = { Cookie: 'language=de; pb_auth=ann' }
  expect((await open('/pricing', 'n', reader)).text).toContain('pb_auth=ann')
  expect(rendered()).toBe(3)
})

test('a reader gets their own page, and nobody else gets it', async () => {
  const { open, rendered } = keeping()
  await open('/explore')
  const cookie = { Cookie: 'pb_auth=ann' }
  expect((await open('/explore', 'n', cookie)).text).toContain('pb_auth=ann')
  expect((await open('/explore', 'n', { Authorization: 'ann' })).text).toContain('3 ')
  expect((await open('/explore')).text).toContain('nobody')
  expect(rendered()).toBe(3)
})

test.each([
  '/',
  '/u/ann',
  '/users',
  '/book/emma-9780141439587',
  '/explore?q=emma',
  '/login',
  '//explore',
])('%s is rendered every time', async (path) => {
  const { open, rendered } = keeping()
  await open(path)
  await open(path)
  expect(rendered()).toBe(2)
})

test('failed pages are not cached', async () => {
  const { open, rendered } = keeping((body) => new Response(body, { status: 500 }))
  expect((await open('/pricing')).response.status).toBe(500)
  await open('/pricing')
  expect(rendered()).toBe(2)

  let isBroken = true
  const pages = cachePages(async () => {
    if (isBroken) throw new Error('broken')
    return new Response('well')
  })
  const request = new Request('http://localhost:3000/pricing')
  await expect(pages(request, 'n')).rejects.toThrow('broken')
  isBroken = false
  expect(await (await pages(request, 'n')).text()).toBe('well')
})

test('headers added to one response are not in the next', async () => {
  const { open } = keeping()
  const { response } = await open('/pricing')
  response.headers.set('Content-Encoding', 'gzip')
  const next = (await open('/pricing')).response
  expect(next.headers.get('content-encoding')).toBeNull()
  expect(next.headers.get('x-page')).toBe('own')
})

test('of many languages the oldest is forgotten', async () => {
  const { open, rendered } = keeping()
  for (let n = 0; n <= 50; n++) await open('/pricing', 'n', { 'Accept-Language': `x-${n}` })
  await open('/pricing', 'n', { 'Accept-Language': 'x-50' })
  expect(rendered()).toBe(51)
  await open('/pricing', 'n', { 'Accept-Language': 'x-0' })
  expect(rendered()).toBe(52)
})
