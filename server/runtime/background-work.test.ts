import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { runInBackground } from './background-work.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a failure that goes on is reported once, until the work goes well again', async () => {
  let failure: Error | undefined = new Error('away')
  const onError = vi.fn()
  const work = runInBackground(
    async () => {
      if (failure) throw failure
    },
    { onError },
  )
  onTestFinished(() => work.close())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onError).toHaveBeenCalledTimes(1)
  failure = new Error('something else')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onError).toHaveBeenCalledTimes(2)
  failure = undefined
  await vi.advanceTimersByTimeAsync(10_000)
  failure = new Error('something else')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onError).toHaveBeenCalledTimes(3)
})
