import { expect, test } from 'vitest'
import { latinKey } from './latin-key.ts'

test.each([
  ['K', 'KeyK', 'k'],
  ['k', 'KeyV', 'k'], // Dvorak
  ['t', 'KeyK', 't'],
  ['л', 'KeyK', 'k'], // Russian
  ['ن', 'KeyK', 'k'], // Arabic
  ['κ', 'KeyK', 'k'], // Greek
  ['ㅏ', 'KeyK', 'k'], // Korean
  ['/', 'Digit7', '/'], // German
  ['ظ', 'Slash', '/'],
  ['Enter', 'Enter', 'enter'],
])('%s of %s is %s', (key, code, latin) => {
  expect(latinKey({ key, code, shiftKey: false })).toBe(latin)
})

test('the question mark is where it is on a Latin keyboard', () => {
  expect(latinKey({ key: '؟', code: 'Slash', shiftKey: true })).toBe('?')
})
