import { expect, test } from 'vitest'
import { Semaphore, SemaphoreFullError } from './semaphore.ts'

/** Work that ends when the test says so. */
function job() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let started = false
  const work = () => {
    started = true
    return promise
  }
  return { work, end: resolve, isRunning: () => started }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('work runs in order, as much at a time as the capacity allows', async () => {
  const pool = new Semaphore(10, 10)
  const [a, b, heavy, light] = [job(), job(), job(), job()]
  const runs = [
    pool.run(5, a.work),
    pool.run(5, b.work),
    pool.run(99, heavy.work),
    pool.run(1, light.work),
  ]
  const running = async () => {
    await settled()
    return [a, b, heavy, light].map((one) => one.isRunning())
  }
  expect(await running()).toEqual([true, true, false, false])
  a.end('a')
  expect(await running()).toEqual([true, true, false, false])
  b.end('b')
  expect(await running()).toEqual([true, true, true, false])
  heavy.end('heavy')
  expect(await running()).toEqual([true, true, true, true])
  light.end('light')
  expect(await Promise.all(runs)).toEqual(['a', 'b', 'heavy', 'light'])
})

test('failed work frees its capacity, too, and too much work is refused', async () => {
  const pool = new Semaphore(1, 1)
  const [a, b] = [job(), job()]
  const first = pool.run(1, a.work)
  const second = pool.run(1, b.work)
  await expect(pool.run(1, b.work)).rejects.toThrow(SemaphoreFullError)
  a.end('')
  await first
  b.end('b')
  expect(await second).toBe('b')
  await expect(pool.run(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await pool.run(1, async () => 'again')).toBe('again')
})
