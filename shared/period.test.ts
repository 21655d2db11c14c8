import { expect, test } from 'vitest'
import { isPeriod, tabPath } from './period.ts'

test.each(['2026', '2026-01', '2026-12', '1000'])('%s is a period', (text) => {
  expect(isPeriod(text)).toBe(true)
})
test.each(['', '26', '0999', '2026-00', '2026-13', '2026-1', '2026-01-01', 'year', 'x2026'])(
  '%j is none',
  (text) => {
    expect(isPeriod(text)).toBe(false)
  },
)

test.each([
  ['/u/ann/2026', '/u/ann/year'],
  ['/u/ann/2026-03/', '/u/ann/year'],
  ['/u/ann/year', '/u/ann/year'],
  ['/u/ann/books/', '/u/ann/books'],
  ['/u/2026', '/u/2026'],
])('%s belongs to the tab %s', (path, tab) => {
  expect(tabPath(path)).toBe(tab)
})
