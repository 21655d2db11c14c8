import { expect, it } from 'vitest'
import { createServerClient } from './client.ts'

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
