import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { dataHeaders, pageHeaders, type HeadersEnv } from './headers.ts'

function pages(development?: boolean) {
  return new Hono<HeadersEnv>()
    .use(pageHeaders(development))
    .get('/', (c) => c.text(c.get('secureHeadersNonce') ?? ''))
}

test('only scripts with the nonce of this very page run', async () => {
  const app = pages()
  const [one, two] = [await app.request('/'), await app.request('/')]
  const nonce = await one.text()
  const policy = one.headers.get('content-security-policy')
  expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`)
  for (const part of ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
    expect(policy).toContain(part)
  expect(await two.text()).not.toBe(nonce)
})

test('pages say what else a browser may not do with them', async () => {
  const { headers } = await pages().request('/')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toBe('camera=(self), microphone=(), geolocation=()')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
})

test('data keeps the headers its route has set', async () => {
  const app = new Hono()
    .use(dataHeaders())
    .get('/', (c) => c.json({}, 200, { 'X-Frame-Options': 'SAMEORIGIN' }))
  const { headers } = await app.request('/')
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
