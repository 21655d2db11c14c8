import { expect, test } from 'vitest'
import { isolated } from './direction.ts'

test.each([
  ['الحرافيش', 'ltr'],
  ['עברית (2)', 'ltr'],
  ['Emma عربي', 'ltr'],
  ['Emma', 'rtl'],
  ['こころ', 'rtl'],
  ['1984 (novel)', 'rtl'],
] as const)('%j is isolated in a sentence that is %s', (text, direction) =>
  expect(isolated(text, direction)).toBe(`\u2068${text}\u2069`),
)

test.each([
  ['Emma', 'ltr'],
  ['こころ', 'ltr'],
  ['الحرافيش', 'rtl'],
  ['1984', 'ltr'],
  ['1984!', 'rtl'],
  ['', 'rtl'],
  ['https://octavo.example/a', 'rtl'],
] as const)('%j stays as it is in a sentence that is %s', (text, direction) =>
  expect(isolated(text, direction)).toBe(text),
)
