import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AccountQueue } from './account-queue.ts'

/** Work that reports its start, and ends when the test says so. */
function works(queue: AccountQueue) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  return {
    begun,
    shared: (account: string, name: string) => queue.shared(account, work(name)),
    exclusive: (account: string, name: string, signal?: AbortSignal) =>
      queue.exclusive(account, work(name), signal),
    end: async (name: string, done: Promise<string>) => {
      await setImmediate()
      ends.get(name)!()
      expect(await done).toBe(name)
      await setImmediate()
    },
  }
}

it('runs shared writes together and an exclusive one alone', async () => {
  const { begun, shared, exclusive, end } = works(new AccountQueue({ name: 'postgres' }))
  const [a, b] = [shared('ann', 'a'), shared('ann', 'b')]
  const c = exclusive('ann', 'c')
  const d = shared('ann', 'd')
  const e = shared('ann', 'e')
  const other = shared('bob', 'bob')
  await setImmediate()
  expect(begun.toSorted()).toEqual(['a', 'b', 'bob'])
  await end('a', a)
  expect(begun).not.toContain('c')
  await end('b', b)
  expect(begun.at(-1)).toBe('c')
  await end('c', c)
  expect(begun.slice(-2)).toEqual(['d', 'e'])
  await Promise.all([end('d', d), end('e', e), end('bob', other)])
})

it('continues when work fails or stops waiting', async () => {
  const queue = new AccountQueue({ name: 'postgres' })
  const { begun, shared, exclusive, end } = works(queue)
  const failing = queue.exclusive('ann', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  const first = shared('ann', 'first')
  const controller = new AbortController()
  const late = exclusive('ann', 'late', controller.signal)
  const next = shared('ann', 'next')
  await setImmediate()
  expect(begun).toEqual(['first'])
  controller.abort(new Error('too late'))
  await expect(late).rejects.toThrow('too late')
  await setImmediate()
  expect(begun).toEqual(['first', 'next'])
  await expect(exclusive('ann', 'later', controller.signal)).rejects.toThrow('too late')
  await Promise.all([end('first', first), end('next', next)])
  await end('last', exclusive('ann', 'last'))
})

it('never makes visitors wait, nor anyone where the database serialises writes', async () => {
  for (const [queue, account] of [
    [new AccountQueue({ name: 'postgres' }), ''],
    [new AccountQueue({ name: 'sqlite' }), 'ann'],
  ] as const) {
    const { begun, exclusive, end } = works(queue)
    const [a, b] = [exclusive(account, 'a'), exclusive(account, 'b')]
    await setImmediate()
    expect(begun).toEqual(['a', 'b'])
    await Promise.all([end('a', a), end('b', b)])
  }
})
