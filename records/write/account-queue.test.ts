import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turns } from './account-queue.ts'

/** Work that says when it begins, and ends when it is told to. */
function works(turns: Turns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  return {
    begun,
    beside: (account: string, name: string) => turns.beside(account, work(name)),
    alone: (account: string, name: string, signal?: AbortSignal) =>
      turns.alone(account, work(name), signal),
    end: async (name: string, done: Promise<string>) => {
      await setImmediate()
      ends.get(name)!()
      expect(await done).toBe(name)
      await setImmediate()
    },
  }
}

it('lets an account write beside itself, many records at once alone', async () => {
  const { begun, beside, alone, end } = works(new Turns({ name: 'postgres' }))
  const [a, b] = [beside('ann', 'a'), beside('ann', 'b')]
  const c = alone('ann', 'c')
  const d = beside('ann', 'd')
  const e = beside('ann', 'e')
  const other = beside('bob', 'bob')
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

it('goes on when a work fails, and when one no longer wants to wait', async () => {
  const turns = new Turns({ name: 'postgres' })
  const { begun, beside, alone, end } = works(turns)
  const failing = turns.alone('ann', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  const first = beside('ann', 'first')
  const controller = new AbortController()
  const late = alone('ann', 'late', controller.signal)
  const next = beside('ann', 'next')
  await setImmediate()
  expect(begun).toEqual(['first'])
  controller.abort(new Error('too late'))
  await expect(late).rejects.toThrow('too late')
  await setImmediate()
  expect(begun).toEqual(['first', 'next'])
  await expect(alone('ann', 'later', controller.signal)).rejects.toThrow('too late')
  await Promise.all([end('first', first), end('next', next)])
  await end('last', alone('ann', 'last'))
})

it('asks nobody to wait for a visitor, or where the database writes one after the other', async () => {
  for (const [turns, account] of [
    [new Turns({ name: 'postgres' }), ''],
    [new Turns({ name: 'sqlite' }), 'ann'],
  ] as const) {
    const { begun, alone, end } = works(turns)
    const [a, b] = [alone(account, 'a'), alone(account, 'b')]
    await setImmediate()
    expect(begun).toEqual(['a', 'b'])
    await Promise.all([end('a', a), end('b', b)])
  }
})
