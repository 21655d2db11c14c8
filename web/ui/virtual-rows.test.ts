import { expect, it } from 'vitest'
import { wrapRows } from './virtual-rows.tsx'

it('begins a row where the one before is full', () => {
  const widths = [40, 60, 30, 30, 30, 20, 100]
  expect(wrapRows(widths.length, 100, (item) => widths[item] ?? 0)).toEqual([0, 2, 5, 6])
  expect(wrapRows(0, 100, () => 10)).toEqual([])
  // Wider than all there is: alone in its row.
  expect(wrapRows(2, 50, () => 80)).toEqual([0, 1])
})
