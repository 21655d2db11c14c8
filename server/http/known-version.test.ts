import { expect, test } from 'vitest'
import { isKnownVersion, isMeantVersion } from './known-version.ts'

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

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['W/"a"', false],
  ['"b"', false],
  ['a', false],
  ['', false],
])('a write for %s is one for "a": %s', (header, isMeant) => {
  expect(isMeantVersion(header, '"a"')).toBe(isMeant)
})
