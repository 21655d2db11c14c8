import { afterEach, expect, it, vi } from 'vitest'
import { createBrowserClient } from './client.ts'
import { deferredClient } from './deferred-client.ts'
import { isNetworkError } from './errors.ts'

afterEach(() => vi.unstubAllGlobals())

/** What is sent, by method and path. */
function hearFetch(): string[] {
  const sent: string[] = []
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit) => {
    sent.push(`${method} ${path}`)
    return Promise.resolve(Response.json({ items: [] }))
  })
  return sent
}

it('reaches no server before its code can be fetched, and then does', async () => {
  const sent = hearFetch()
  const reached = globalThis.fetch
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('navigator', { onLine: false })
  const failed: unknown = await deferredClient.send('/x', {}).catch((error: unknown) => error)
  expect([isNetworkError(failed), sent]).toEqual([true, []])
  // The browser still says that there is no connection.
  vi.stubGlobal('fetch', reached)
  await deferredClient.send('/x', {})
  expect(sent).toEqual(['GET /api/health', 'GET /x'])
})

it('calls as the official client once its code is here', async () => {
  const sent = hearFetch()
  const books = deferredClient.collection('user_books')
  await Promise.all([
    books.getList(1, 2),
    deferredClient.send('/api/v1/explore', { method: 'GET' }),
  ])
  await books.delete('abcdefghijklmno')
  expect(sent).toEqual([
    'GET /api/collections/user_books/records?page=1&perPage=2',
    'GET /api/v1/explore',
    'DELETE /api/collections/user_books/records/abcdefghijklmno',
  ])
})

it.each([
  ['user = {:user} && status = "reading"', { user: `a'b"c\\d{:user}` }],
  ['progress < {:value}', { value: 0.5 }],
  ['isbn = {:isbn13} || isbn = {:isbn10}', { isbn13: '9780141439518', isbn10: '' }],
  ['name = {:other}', { user: 'a' }],
] as const)('fills in %s as the official client', (expression, values) =>
  expect(deferredClient.filter(expression, values)).toBe(
    createBrowserClient().filter(expression, values),
  ),
)

it('finds a file where the official client does', () => {
  const record = { id: 'abcdefghijklmno', collectionId: 'pbc_1' }
  const url = (api: ReturnType<typeof createBrowserClient>) =>
    api.files.getURL(record, 'a b.jpg', { thumb: '100x50f' })
  expect(url(deferredClient)).toBe(url(createBrowserClient()))
})
