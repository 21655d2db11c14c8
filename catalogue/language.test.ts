import { expect, test } from 'vitest'
import { preferredMarcLanguage } from './language.ts'

test.each([
  ['fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', 'fre'],
  ['en;q=0.5, de;q=0.7', 'ger'],
  ['nl', 'dut'],
  ['*', ''],
  ['', ''],
  ['en;q=0', ''],
  [';;q=,,=', ''],
  ['xx', ''],
])('%s is %s', (header, code) => {
  expect(preferredMarcLanguage(header)).toBe(code)
})
