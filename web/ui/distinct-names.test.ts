import { expect, test } from 'vitest'
import { distinctNames } from './distinct-names.ts'

test('names that are shared are numbered', () => {
  expect(distinctNames(['Safari', 'Firefox', 'Safari'])).toEqual([
    'Safari (1)',
    'Firefox',
    'Safari (2)',
  ])
})
