import { expect, test } from 'vitest'
import { isKnownVersion } from './known-version.ts'

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('%s knows "a": %s', (header, isKnown) => {
  expect(isKnownVersion(header, '"a"')).toBe(isKnown)
})
