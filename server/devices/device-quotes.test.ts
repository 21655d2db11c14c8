import { expect, test } from 'vitest'
import { quoteWith } from '#server/import/highlights.ts'
import { withQuotes } from './device-quotes.ts'

// Some 100 ms. What took quadratic time took 15 s.
test.each(['', '2026-03-01'])('many highlights take no long time to store (%s)', (at) => {
  const marked = Array.from({ length: 20_000 }, (_, i) => quoteWith({ text: `Line ${i}`, at }))
  const before = process.threadCpuUsage().user
  expect(withQuotes([], marked)).toHaveLength(1000)
  expect((process.threadCpuUsage().user - before) / 1000).toBeLessThan(3000)
})

test('a highlight that is marked anew again and again stays of a limited size', () => {
  let known = withQuotes([], [quoteWith({ text: 'x', at: '2026-03-01' })])
  for (let length = 2; length < 1000; length++)
    known = withQuotes(known, [quoteWith({ text: 'x'.repeat(length), at: '2026-03-01' })])
  expect(known).toHaveLength(1)
  expect(JSON.stringify(known).length).toBeLessThan(10_000)
})
