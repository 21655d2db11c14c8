import { expect, test } from 'vitest'
import { FairSlots } from './fair-slots.ts'

test('work of a group waits for its own, and groups take turns', async () => {
  const slots = new FairSlots({ concurrency: 3, ofOne: 2, waiting: 20 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const begin = (group: string) =>
    slots.run(group, () => {
      started.push(group)
      return new Promise<void>((end) => ends.push(end))
    })
  const all = [...'aaaaaa', ...'bb', 'c'].map((group) => begin(group))
  const turn = () => new Promise(setImmediate)
  await turn()
  expect(started.join('')).toBe('aab')
  for (let n = 0; n < all.length; n++) {
    ends[n]!()
    await turn()
  }
  await Promise.all(all)
  expect(started.join('')).toBe('aababcaaa')
})

test('a group with too much waiting is refused, the others are not', async () => {
  const slots = new FairSlots({ concurrency: 1, ofOne: 1, waiting: 1 })
  const never = () => new Promise<void>(() => undefined)
  void slots.run('a', never)
  void slots.run('a', never)
  await expect(slots.run('a', never)).rejects.toThrow('too much is waiting')
  const other = slots.run('b', never)
  await expect(Promise.race([other, Promise.resolve('waits')])).resolves.toBe('waits')
})
