import { beforeAll, expect, test } from 'vitest'
import { defaultRules } from '#records/limits/rules.ts'
import { rateLimits } from '#server/http/rate-limit.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'

let octavo: Octavo
beforeAll(async () => {
  octavo = await startOctavo({ RATE_LIMITS: 'on' })
  return async () => void (await octavo.stop())
})

test.each([
  ['/api/v1/account/export', 'GET', rateLimits.exports, 401],
  ['/api/v1/subscriptions/create', 'POST', rateLimits.payments, 401],
  ['/previews/reader/nobody-at-all.jpg', 'GET', rateLimits.previews, 404],
  ['/mcp', 'POST', rateLimits.assistants, 401],
  ['/u/nobody-at-all/feed.atom', 'GET', rateLimits.feeds, 404],
  ['/feeds/nothing.atom', 'GET', rateLimits.feeds, 404],
])('%s is asked for no more often than it may be', async (path, method, { points }, status) => {
  const ask = () => fetch(octavo.url + path, { method })
  for (let n = 0; n < points; n++) expect((await ask()).status).toBe(status)
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Of the other doors none is shut.
  for (const other of ['/', '/explore', '/api/v1/explore', '/covers/openlibrary/x/100'])
    expect([other, (await fetch(octavo.url + other)).status]).not.toEqual([other, 429])
})

test('both exports are one door', async () => {
  const { status } = await fetch(`${octavo.url}/api/v1/account/export.csv`)
  expect(status).toBe(429)
})

test('guesses at a password count on the plain pages as elsewhere, and so do a device’s', async () => {
  const body = new URLSearchParams({ identity: 'nobody@example.org', password: 'a guess' })
  const guess = () =>
    fetch(`${octavo.url}/lite/sign-in`, { method: 'POST', body, headers: { Origin: octavo.url } })
  for (let n = 0; n < defaultRules.password.points; n++) expect((await guess()).status).toBe(400)
  expect((await guess()).status).toBe(429)

  const headers = { 'x-auth-user': 'nobody-k7', 'x-auth-key': 'a guess' }
  const sync = () => fetch(`${octavo.url}/kosync/users/auth`, { headers })
  for (let n = 0; n < 20; n++) expect((await sync()).status).toBe(401)
  expect((await sync()).status).toBe(429)
})

test('a search counts before it is checked', async () => {
  const ask = () => fetch(`${octavo.url}/api/v1/book-info/search`).then(({ status }) => status)
  const found = await Promise.all(Array.from({ length: 2 * defaultRules.api.points }, ask))
  expect(new Set(found)).toEqual(new Set([400, 429]))
})
