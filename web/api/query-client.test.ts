import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import PocketBase, { ClientResponseError } from 'pocketbase'
import { expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'
import { siteQuery } from './site.ts'
import { keys } from './query-keys.ts'

const refused = (status: number) => new ClientResponseError({ url: '/', status })

/** How often a question is asked that is always answered so. */
async function timesAsked(error: Error): Promise<number> {
  vi.useFakeTimers()
  // As in a browser: the server asks once.
  vi.stubEnv('SSR', false)
  try {
    const queryFn = vi.fn(() => Promise.reject(error))
    const asked = createQueryClient().query({ queryKey: ['x'], queryFn, retry: retry() })
    const settled = asked.catch(() => undefined)
    await vi.runAllTimersAsync()
    await settled
    return queryFn.mock.calls.length
  } finally {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  }
}

/** A question asked by a screen is repeated as all are, one asked by hand only when told. */
const retry = () => createQueryClient().getDefaultOptions().queries!.retry!

test.each([404, 400, 401, 429])('a question refused with %i is not asked again', async (status) => {
  expect(await timesAsked(refused(status))).toBe(1)
})

test.each([0, 403, 409, 500, 503])(
  'one that failed with %i is asked up to three times more',
  async (status) => {
    expect(await timesAsked(refused(status))).toBe(4)
  },
)

test.each([
  [429, 1],
  [503, 2],
])(
  'a question of a loader and a screen that is refused with %i is asked %i times',
  async (status, times) => {
    const client = createQueryClient()
    const queryFn = vi.fn(() => Promise.reject(refused(status)))
    const question = { queryKey: ['x'], queryFn, retry: false }
    await client.query(question).catch(() => undefined)
    const stop = new QueryObserver(client, question).subscribe(() => undefined)
    expect(queryFn).toHaveBeenCalledTimes(times)
    stop()
  },
)

test.each([
  [{ isAdmin: true }, 'active', { isAdmin: true, hasSubscriptionStrict: true }],
  [{ isAdmin: false }, 'canceled', { isAdmin: false, hasSubscriptionStrict: false }],
  [{}, undefined, { isAdmin: false, hasSubscriptionStrict: false }],
])('a session of %j with %s: %j', async (own, status, derived) => {
  vi.stubEnv('SSR', false)
  const list = (items: object[]) => ({ getList: async () => ({ items }) })
  const collections: Record<string, object> = {
    users: { authRefresh: async () => ({ record: { id: 'ann', ...own } }) },
    settings: list([{}]),
    subscriptions: list(status ? [{ status }] : []),
  }
  const api = { filter: () => '', collection: (name: string) => collections[name] }
  try {
    const session = await createQueryClient().query(sessionQuery(api as unknown as PocketBase))
    expect(session).toMatchObject(derived)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('times are those of the specification', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
    staleTime: 60_000,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  })
})

test('what the operator has set stays when everything is fetched again', async () => {
  const client = createQueryClient()
  const site = { url: 'http://localhost', contactEmail: 'help@example.org' }
  client.setQueryData(siteQuery.queryKey, site)
  const end = new QueryObserver(client, siteQuery).subscribe(() => undefined)
  await client.invalidateQueries()
  end()
  expect(client.getQueryData(siteQuery.queryKey)).toEqual(site)
})

test('on the server no timer holds what a page was made of', async () => {
  vi.useFakeTimers()
  try {
    expect(await createQueryClient().query(sessionQuery(new PocketBase('http://x')))).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  { status: 401, forgets: true },
  { status: 400, forgets: false },
])('a change refused with $status: the cache is cleared is $forgets', async (one) => {
  const log = vi.spyOn(console, 'warn').mockReturnValue()
  const client = createQueryClient()
  client.setQueryData(keys.session, { user: {} })
  client.setQueryData(['books', 'x'], [])
  const mutationFn = () => Promise.reject(refused(one.status))
  const change = new MutationObserver(client, { mutationFn })
  await expect(change.mutate()).rejects.toMatchObject({ status: one.status })
  expect(client.getQueryState(keys.session)?.isInvalidated).toBe(one.forgets)
  expect(client.getQueryData(['books', 'x'])).toEqual(one.forgets ? undefined : [])
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})
