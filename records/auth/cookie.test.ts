import { expect, it } from 'vitest'
import { collection } from '../schema/collection.ts'
import { cookieTokens, deviceCookie, deviceTokens, expiredCookie, sessionCookie } from './cookie.ts'

const rules = { list: null, view: null, create: null, update: null, delete: null }
const people = collection({ name: 'people', type: 'auth', fields: [], rules })

it('can be read back and stays below 4096 bytes', () => {
  const record = { id: 'a', email: `${'ä'.repeat(240)}@example.org`, verified: true, password: 'x' }
  const cookie = sessionCookie('t.o.ken', people, record, 60, true)
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60; Secure$/)
  expect(cookie).not.toContain('password')
  expect(cookie.length).toBeLessThan(4096)
  expect(cookieTokens(`theme=dark; ${cookie.split(';')[0]}; x=y`)).toEqual(['t.o.ken'])
  expect(expiredCookie(false)).toBe('pb_auth=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
})

it('is only sent over HTTPS if the site uses it, otherwise also over HTTP', () => {
  const record = { id: 'a' }
  expect(sessionCookie('t', people, record, 60, false)).toMatch(/; SameSite=Lax; Max-Age=60$/)
  expect(expiredCookie(true)).toMatch(/; Max-Age=0; Secure$/)
  expect(deviceCookie([], 60, false)).toMatch(/; SameSite=Lax; Max-Age=60$/)
})

it('stores and reads at most five trusted devices, the newest first', () => {
  const tokens = Array.from({ length: 6 }, (_, n) => String(n).repeat(43))
  const value = tokens.slice(0, 5).join('.')
  expect(deviceCookie(tokens, 60, true)).toBe(
    `pb_device=${value}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=60; Secure`,
  )
  expect(deviceTokens(`theme=dark; pb_device=${tokens.join('.')}; x=y`)).toEqual(tokens.slice(0, 5))
})

it.each([
  null,
  '',
  'pb_device',
  'pb_device=',
  'a'.repeat(42),
  'a'.repeat(44),
  `+${'a'.repeat(42)}`,
])('finds no trusted device in %s', (value) => {
  const header = value?.startsWith('pb_') ? value : value && `pb_device=${value}`
  expect(deviceTokens(header)).toEqual([])
})

it.each([
  null,
  '',
  'pb_auth',
  'pb_auth=',
  'pb_auth=%',
  'pb_auth=x',
  'pb_auth=null',
  'pb_auth=%7B%7D',
  'pb_auth=%7B%22token%22%3A1%7D',
  'xpb_auth=%7B%22token%22%3A%22t%22%7D',
])('finds no token in %s', (header) => {
  expect(cookieTokens(header)).toEqual([])
})
