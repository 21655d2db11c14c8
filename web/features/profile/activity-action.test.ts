import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'
import { actOnActivity } from './activity-action.ts'

/** A client whose every call is answered like this, and the calls that were made. */
function client(status: number) {
  const calls: unknown[] = []
  const api = new PocketBase('http://localhost')
  api.beforeSend = (url, options) => ({
    url,
    options: {
      ...options,
      fetch: (_url: unknown, init?: RequestInit) => {
        calls.push([init?.method, init?.body])
        return Promise.resolve(new Response(status === 204 ? null : '{}', { status }))
      },
    },
  })
  return { api, calls }
}
const entry = { id: 'a'.repeat(15), isPrivate: false }

test('an entry is hidden, shown again and deleted', async () => {
  const { api, calls } = client(200)
  await actOnActivity(api, entry, 'update')
  await actOnActivity(api, { ...entry, isPrivate: true }, 'update')
  await actOnActivity(api, entry, 'delete')
  expect(calls).toEqual([
    ['PATCH', '{"isPrivate":true}'],
    ['PATCH', '{"isPrivate":false}'],
    ['DELETE', undefined],
  ])
})

test('what is refused says so', async () => {
  const { api } = client(404)
  for (const action of ['update', 'delete'])
    await expect(actOnActivity(api, entry, action)).rejects.toThrow('failed to update')
})

test('nothing else can be done to it', async () => {
  const { api, calls } = client(200)
  await expect(actOnActivity(api, entry, 'share')).rejects.toThrow('invalid action')
  expect(calls).toEqual([])
})
