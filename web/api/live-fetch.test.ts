import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { apiError } from './errors.ts'
import { liveFetch } from './live-fetch.ts'
import { createQueryClient } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A list on the screen, and how often it was fetched. */
function showList(answer: () => unknown) {
  const queries = createQueryClient()
  const fetched = vi.fn(async () => answer())
  const list = new QueryObserver(queries, { queryKey: ['list'], queryFn: fetched })
  onTestFinished(list.subscribe(() => undefined))
  const live = liveFetch(queries, () => queries.invalidateQueries({ queryKey: ['list'] }))
  onTestFinished(live.finish)
  return { live, fetched, data: () => list.getCurrentResult().data }
}

test('ten events a second cause one fetch a second', async () => {
  const { live, fetched } = showList(() => 'rows')
  await vi.advanceTimersByTimeAsync(2000)
  fetched.mockClear()
  for (let event = 0; event < 100; event++) {
    live.run()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(fetched.mock.calls.length).toBeGreaterThanOrEqual(10)
  expect(fetched.mock.calls.length).toBeLessThanOrEqual(11)
})

test('a slow list leaves the server most of the time', async () => {
  const { live, fetched } = showList(
    () => new Promise((resolve) => setTimeout(() => resolve('rows'), 500)),
  )
  await vi.advanceTimersByTimeAsync(2000)
  fetched.mockClear()
  for (let event = 0; event < 100; event++) {
    live.run()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(fetched.mock.calls.length).toBeLessThanOrEqual(5)
})

test('one event causes one fetch, and one after the pause is answered at once', async () => {
  const { live, fetched } = showList(() => 'rows')
  await vi.advanceTimersByTimeAsync(0)
  for (const times of [2, 3]) {
    live.run()
    expect(fetched).toHaveBeenCalledTimes(times)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(fetched).toHaveBeenCalledTimes(times)
  }
})

test('what is due at the end is fetched then, once', async () => {
  const { live, fetched } = showList(() => 'rows')
  await vi.advanceTimersByTimeAsync(0)
  fetched.mockClear()
  live.run()
  live.run()
  live.finish()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a list that was refused is fetched when the server says, not before', async () => {
  let isRefusing = true
  const refusal = Object.assign(apiError(429, {}), { response: { retryAfter: 30 } })
  const { live, fetched, data } = showList(() => {
    if (isRefusing) throw refusal
    return 'rows'
  })
  await vi.advanceTimersByTimeAsync(0)
  live.run()
  await vi.advanceTimersByTimeAsync(0)
  fetched.mockClear()
  isRefusing = false
  for (let event = 0; event < 29; event++) {
    live.run()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(fetched).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(data()).toBe('rows')
})
