import PocketBase from 'pocketbase'
import { afterEach, expect, it, vi } from 'vitest'
import { runBulkChanges, type BulkChange } from './bulk-work.ts'

afterEach(() => void vi.useRealTimers())

const changes = (count: number) =>
  Array.from({ length: count }, (_, n): BulkChange => ({
    collection: 'user_books',
    id: String(n).padStart(15, '0'),
    name: `Volume ${n}`,
    fields: { status: 'paused' },
  }))

/** A client whose batches are answered by this; it gets the ids that each asks to change. */
function client(answer: (ids: string[]) => { status: number; body: unknown }) {
  const api = new PocketBase('http://localhost')
  api.autoCancellation(false)
  const batches: string[][] = []
  api.beforeSend = (url, options) => ({
    url,
    options: {
      ...options,
      fetch: async (_url: unknown, init?: RequestInit) => {
        const json = (init!.body as FormData).get('@jsonPayload') as string
        const { requests } = JSON.parse(json) as { requests: { url: string }[] }
        const ids = requests.map((request) => request.url.slice(-15))
        batches.push(ids)
        const { status, body } = answer(ids)
        return Response.json(body, { status })
      },
    },
  })
  return { api, batches }
}

const done = (ids: string[]) => ({ status: 200, body: ids.map(() => ({ status: 200, body: {} })) })

it('changes many in calls of fifty, and tells how far it is', async () => {
  const { api, batches } = client(done)
  const told: number[] = []
  const result = await runBulkChanges(api, changes(120), (dealtWith) => told.push(dealtWith))
  expect(batches.map((ids) => ids.length)).toEqual([50, 50, 20])
  expect(told).toEqual([50, 100, 120])
  expect(result.done).toHaveLength(120)
  expect(result.failed).toEqual([])
})

it('leaves out what is refused, with the reason, and changes the rest', async () => {
  const refused = new Map([
    ['000000000000003', { status: 404, message: 'gone', data: {} }],
    [
      '000000000000060',
      {
        status: 400,
        message: '',
        data: { shelf: { message: 'This book is already on the shelf.' } },
      },
    ],
  ])
  const { api } = client((ids) => {
    const index = ids.findIndex((id) => refused.has(id))
    if (index === -1) return done(ids)
    const response = refused.get(ids[index] ?? '')
    return {
      status: 400,
      body: { status: 400, message: 'Batch failed', data: { requests: { [index]: { response } } } },
    }
  })
  const result = await runBulkChanges(api, changes(70), () => undefined)
  expect(result.done).toHaveLength(68)
  expect(result.failed.map(({ change, message }) => [change.name, message])).toEqual([
    ['Volume 3', 'It has since been removed.'],
    ['Volume 60', 'This book is already on the shelf.'],
  ])
})

it('waits when it was too fast, and goes on', async () => {
  vi.useFakeTimers()
  let refusals = 2
  const { api, batches } = client((ids) =>
    refusals-- > 0
      ? { status: 429, body: { status: 429, message: 'Too many', data: {} } }
      : done(ids),
  )
  const work = runBulkChanges(api, changes(60), () => undefined)
  await vi.advanceTimersByTimeAsync(1000)
  expect(batches).toHaveLength(1)
  await vi.runAllTimersAsync()
  expect((await work).done).toHaveLength(60)
  expect(batches.map((ids) => ids.length)).toEqual([50, 50, 50, 10])
})

it('says that nothing was changed when the server cannot be reached', async () => {
  const { api } = client(() => {
    throw new TypeError('Failed to fetch')
  })
  const { done: changed, failed } = await runBulkChanges(api, changes(60), () => undefined)
  expect(changed).toEqual([])
  expect(failed).toHaveLength(60)
  expect(failed[0]?.message).toMatch(/cannot be reached/)
})
