import { expect, test } from 'vitest'
import { coerce } from './coerce.ts'
import { hasTooManyValues } from './json-values.ts'

const megabyte = 1_048_576

test.each([
  ['[]', false],
  [`["${','.repeat(megabyte)}"]`, false],
  [`["${'\\"['.repeat(megabyte / 3)}"]`, false],
  [`[${'0,'.repeat(19_000)}0]`, false],
  [`[${'0,'.repeat(21_000)}0]`, true],
  [`${'['.repeat(21_000)}${']'.repeat(21_000)}`, true],
  [`{${Array.from({ length: 11_000 }, (_, i) => `"${i}":0`).join(',')}}`, true],
])('counts values outside of texts: %.20j is crowded: %s', (json, crowded) => {
  expect(hasTooManyValues(json)).toBe(crowded)
})

test.each([
  ['number', '1'.repeat(megabyte) + 'x', 0],
  ['number', '.'.repeat(megabyte), 0],
  ['date', `2020-01-01${' '.repeat(megabyte)}x\ny`, ''],
  ['date', `2020-01-01${'\n'.repeat(megabyte)}x`, ''],
] as const)('R41: reads a %s in no more time than the text is long', (type, text, value) => {
  const start = performance.now()
  expect(coerce({ name: 'a', type }, text)).toBe(value)
  expect(performance.now() - start).toBeLessThan(1000)
})

test('R41: leaves JSON with too many values as text', () => {
  const text = `[${'[],'.repeat(megabyte / 3)}0]`
  expect(coerce({ name: 'a', type: 'json' }, text)).toBe(text)
  expect(coerce({ name: 'a', type: 'select', values: [], maxSelect: 2 }, text)).toEqual([text])
})
