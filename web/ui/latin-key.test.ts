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
  ['Process', 'KeyK', 'k'], // an input method
  ['Unidentified', 'KeyK', 'k'], // Android
  ['Unidentified', 'Slash', '/'],
  ['Unidentified', '', 'Unidentified'],
])('%s of %s is %s', (key, code, latin) => {
  expect(latinKey({ key, code, shiftKey: false, isComposing: false })).toBe(latin)
})

test.each(['k', 'Process'])('%s is no shortcut while it composes a word', (key) => {
  expect(latinKey({ key, code: 'KeyK', shiftKey: false, isComposing: true })).toBe('')
})

test('the question mark is where it is on a Latin keyboard', () => {
  expect(latinKey({ key: '؟', code: 'Slash', shiftKey: true, isComposing: false })).toBe('?')
})
