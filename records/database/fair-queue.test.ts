import { expect, test } from 'vitest'
import { TooManyReadsError, QueryTimeoutError } from './database.ts'
import { FairQueue } from './fair-queue.ts'

/** A queue whose work is ended by the test. */
function openLine(places: number) {
  const line = new FairQueue(places)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (client: string | null, what = String(client)) =>
    line.run(client, () => {
      begun.push(what)
      return new Promise<string>((resolve) => ends.push(() => resolve(what)))
    })
  /** Ends the work that has run longest, until none is left. */
  async function endAll() {
    while (ends.length) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    return begun
  }
  return { line, begun, ask, endAll }
}

test('a client with many reads waits for its own, and others don’t wait for them', async () => {
  const { ask, endAll } = openLine(1)
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((what) => ask(what[0]!, what))
  expect(await endAll()).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
})

test('R43: no client gets more than half of the slots, so that others need not wait', async () => {
  const { begun, ask, endAll } = openLine(4)
  const asked = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].map((what) => ask(what[0]!, what))
  await new Promise(setImmediate)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  expect(await endAll()).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'd1'])
  await Promise.all(asked)
  // The process itself, and clients that can't be told apart, may use all of them.
  for (const client of [null, ''] as const) {
    const { begun, ask, endAll } = openLine(2)
    const both = [ask(client), ask(client)]
    await new Promise(setImmediate)
    expect(begun).toHaveLength(2)
    await endAll()
    await Promise.all(both)
  }
})

test('as many run at once as there are slots, even after one has failed', async () => {
  const { line, begun, endAll, ...all } = openLine(2)
  const ask = (_: string, what: string) => all.ask('', what)
  await expect(line.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const asked = ['a1', 'a2', 'a3'].map((what) => ask('a', what))
  await new Promise(setImmediate)
  expect(begun).toEqual(['a1', 'a2'])
  await endAll()
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3'])
})

test('fifty reads may wait per client and five hundred in total, or of clients that can’t be told apart', async () => {
  const { ask, endAll } = openLine(1)
  const many = Array.from({ length: 51 }, () => ask('a'))
  await expect(ask('a')).rejects.toThrow(TooManyReadsError)
  const others = Array.from({ length: 30 }, (_, i) => ask(`b${i}`))
  const own = Array.from({ length: 420 }, () => ask(''))
  await expect(ask('c')).rejects.toThrow(QueryTimeoutError)
  expect(await endAll()).toHaveLength(501)
  expect(await Promise.all([...many, ...others, ...own])).toHaveLength(501)
  // Finished reads no longer count.
  const again = Array.from({ length: 501 }, () => ask(''))
  expect(await endAll()).toHaveLength(1002)
  expect(await Promise.all(again)).toHaveLength(501)
})

test('the process itself is never refused and gets every other turn', async () => {
  const { ask, endAll } = openLine(1)
  const clients = Array.from({ length: 11 }, (_, i) =>
    Array.from({ length: i === 10 ? 1 : 50 }, () => ask(`c${i}`, 'client')),
  ).flat()
  const own = Array.from({ length: 3 }, () => ask(null, 'own'))
  expect((await endAll()).slice(0, 8).join(' ')).toBe(
    'client own client own client own client client',
  )
  expect(await Promise.all([...clients, ...own])).toHaveLength(504)
  const alone = [ask(null, 'a'), ask(null, 'b'), ask('c')]
  expect((await endAll()).slice(504)).toEqual(['a', 'b', 'c'])
  await Promise.all(alone)
})

test('closing rejects everything that waits', async () => {
  const { line, ask, endAll } = openLine(1)
  const [first, second, own] = [ask('a'), ask('a'), ask(null)]
  line.close()
  await expect(second).rejects.toThrow('closed')
  await expect(own).rejects.toThrow('closed')
  expect(await endAll()).toEqual(['a'])
  expect(await first).toBe('a')
})
