import { expect, test } from 'vitest'
import { EmptyListDelay } from './empty-list-delay.ts'

test('the fourth empty list within three seconds is delayed, for that client only', async () => {
  const waits: number[] = []
  let time = 0
  const lists = new EmptyListDelay({
    now: () => time,
    wait: async (milliseconds) => waits.push(milliseconds),
    random: () => 0.5,
  })
  for (let i = 0; i < 3; i++) await lists.delay('192.0.2.1')
  expect(waits).toEqual([])
  await lists.delay('192.0.2.1')
  expect(waits).toEqual([250])
  await lists.delay('192.0.2.2')
  for (let i = 0; i < 9; i++) await lists.delay('')
  expect(waits).toEqual([250])
  time = 2999
  await lists.delay('192.0.2.1')
  expect(waits).toEqual([250, 250])
  time = 6000
  await lists.delay('192.0.2.1')
  expect(waits).toEqual([250, 250])
})
