import { expect, it } from 'vitest'
import { collection } from '../schema/collection.ts'
import { cookieToken, endedCookie, sessionCookie } from './cookie.ts'

const rules = { list: null, view: null, create: null, update: null, delete: null }
const people = collection({ name: 'people', type: 'auth', fields: [], rules })

it('is read back as it was set, and stays below 4096 bytes', () => {
  const record = { id: 'a', email: `${'ä'.repeat(240)}@example.org`, verified: true, password: 'x' }
  const cookie = sessionCookie('t.o.ken', people, record, 60, true)
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60; Secure$/)
  expect(cookie).not.toContain('password')
  expect(cookie.length).toBeLessThan(4096)
  expect(cookieToken(`theme=dark; ${cookie.split(';')[0]}; x=y`)).toBe('t.o.ken')
  expect(endedCookie(false)).toBe('pb_auth=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
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
  expect(cookieToken(header)).toBe('')
})
