import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { runAllJobs, runEvery, runJobs, whileRenewing } from './jobs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a failure that goes on is reported once, until the work goes well again', async () => {
  let failure: Error | undefined = new Error('away')
  const onError = vi.fn()
  const jobs = runJobs(
    {
      next: async () => {
        if (failure) throw failure
        return undefined
      },
      run: async () => undefined,
    },
    { onError },
  )
  onTestFinished(() => jobs.close())
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

/** Jobs of which each lasts until it is ended. */
function openJobs(due: string[], concurrency: number) {
  const ends = new Map<string, () => void>()
  const jobs = {
    concurrency,
    next: async () => due.shift(),
    run: (job: string, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        ends.set(job, resolve)
        signal.addEventListener('abort', () => resolve())
      }),
  }
  const end = async (job: string) => {
    ends.get(job)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { jobs, end, begun: () => [...ends.keys()] }
}

test('as many jobs as are allowed are under way, and each that ends makes room for the next', async () => {
  const { jobs, end, begun } = openJobs(['a', 'b', 'c', 'd'], 2)
  const runner = runJobs(jobs, { onError: (error) => expect.unreachable(String(error)) })
  await vi.advanceTimersByTimeAsync(100)
  expect(begun()).toEqual(['a', 'b'])
  await end('b')
  expect(begun()).toEqual(['a', 'b', 'c'])
  await runner.close()
  expect(begun()).toEqual(['a', 'b', 'c'])
})

test('a job that comes while another lasts is begun at once if there is room', async () => {
  const due = ['a']
  const { jobs, begun } = openJobs(due, 2)
  const runner = runJobs(jobs, { onError: (error) => expect.unreachable(String(error)) })
  onTestFinished(() => runner.close())
  await vi.advanceTimersByTimeAsync(100)
  due.push('b')
  runner.wake()
  await vi.advanceTimersByTimeAsync(100)
  expect(begun()).toEqual(['a', 'b'])
})

test('a job that comes while a look finds nothing is begun without waiting for the next', async () => {
  const due: string[] = []
  const look = Promise.withResolvers<string | undefined>()
  const begun: string[] = []
  const runner = runJobs(
    {
      next: () => (due.length ? Promise.resolve(due.shift()) : look.promise),
      run: async (job) => void begun.push(job),
    },
    { every: 3_600_000, onError: (error) => expect.unreachable(String(error)) },
  )
  onTestFinished(() => runner.close())
  await vi.advanceTimersByTimeAsync(100)
  due.push('a')
  runner.wake()
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual([])
  look.resolve(undefined)
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual(['a'])
})

test('work goes on when its claim can’t be renewed, and each time it is tried again', async () => {
  let renewals = 0
  const renew = async () => {
    renewals++
    throw new Error('away')
  }
  const work = () => new Promise((resolve) => setTimeout(resolve, 35, 'done'))
  const ended = whileRenewing(renew, 10, work)
  await vi.advanceTimersByTimeAsync(40)
  expect([await ended, renewals]).toEqual(['done', 3])
  await vi.advanceTimersByTimeAsync(40)
  expect(renewals).toBe(3)
})

test('a job that fails is tried again at the next look only', async () => {
  let tries = 0
  const failing = {
    next: async () => 'a job that stays due',
    run: async () => {
      tries++
      throw new Error('still wrong')
    },
  }
  const runner = runJobs(failing, { every: 10_000, onError: () => undefined })
  onTestFinished(() => runner.close())
  await vi.advanceTimersByTimeAsync(9000)
  expect(tries).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tries).toBe(2)
})

test('all jobs that are due are done, and the first failure is thrown at the end', async () => {
  const due = [1, 2, 3, 4, 5]
  const done: number[] = []
  const jobs = {
    concurrency: 2,
    next: async () => due.shift(),
    run: async (job: number) => {
      if (job === 2) throw new Error('the second')
      done.push(job)
    },
  }
  await expect(runAllJobs(jobs)).rejects.toThrow('the second')
  expect(done).toEqual([1, 3, 4, 5])
})

test('what several kinds of jobs fail of is reported once', async () => {
  const onError = vi.fn()
  const jobs = {
    next: async () => {
      throw new Error('the database is away')
    },
    run: async () => undefined,
  }
  const runners = [0, 1, 2].map(() => runJobs(jobs, { onError }))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onError).toHaveBeenCalledTimes(1)
  await Promise.all(runners.map((runner) => runner.close()))
  // The next time is another time.
  const later = runJobs(jobs, { onError })
  onTestFinished(() => later.close())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onError).toHaveBeenCalledTimes(2)
})

test('a lost database is reported once, however it is noticed', async () => {
  const onError = vi.fn()
  let reasons = 0
  const jobs = {
    next: async () => {
      throw Object.assign(new Error(`unavailable: reason ${++reasons}`), { code: '08006' })
    },
    run: async () => undefined,
  }
  const runner = runJobs(jobs, { onError })
  onTestFinished(() => runner.close())
  await vi.advanceTimersByTimeAsync(60_000)
  expect([reasons > 1, onError.mock.calls.length]).toEqual([true, 1])
})

test('periodic work is done at the start and at regular times, also after it has failed', async () => {
  const work = vi.fn().mockRejectedValueOnce(new Error('away'))
  const onError = vi.fn()
  const runner = runEvery(10_000, work, onError)
  await vi.advanceTimersByTimeAsync(100)
  expect([work.mock.calls.length, onError.mock.calls.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(30_000)
  expect([work.mock.calls.length, onError.mock.calls.length]).toEqual([4, 1])
  await runner.close()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(work).toHaveBeenCalledTimes(4)
})

test('what periodic work fails of while it is closed is nobody’s business', async () => {
  const onError = vi.fn()
  const work = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))))
  const runner = runEvery(10_000, work, onError)
  await vi.advanceTimersByTimeAsync(100)
  await runner.close()
  expect(onError).not.toHaveBeenCalled()
})
