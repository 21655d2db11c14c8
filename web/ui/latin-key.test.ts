import { expect, test } from 'vitest'
import { isPaletteKey, latinKey } from './latin-key.ts'

test.each([
  ['K', 'KeyK', 'k'],
  ['k', 'KeyV', 'k'], // Dvorak
  ['t', 'KeyK', 't'],
  ['л', 'KeyK', 'k'], // Russian
  ['ن', 'KeyK', 'k'], // Arabic
  ['κ', 'KeyK', 'k'], // Greek
  ['ㅏ', 'KeyK', 'k'], // Korean
  ['ל', 'KeyK', 'k'], // Hebrew
  ['า', 'KeyK', 'k'], // Thai
  ['प', 'KeyH', 'h'], // Hindi
  ['კ', 'KeyK', 'k'], // Georgian
  ['\u3096', 'KeyK', 'k'], // Japanese kana
  ['/', 'Digit7', '/'], // German
  ['/', 'KeyQ', '/'], // Hebrew
  [':', 'Period', ':'], // AZERTY
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

test.each([
  [{ ctrlKey: true }, true],
  [{ metaKey: true }, true],
  [{ ctrlKey: true, key: 'K' }, true], // Caps Lock
  [{ ctrlKey: true, key: 'ל' }, true],
  [{ ctrlKey: true, key: 't' }, false], // Dvorak
  [{ ctrlKey: true, shiftKey: true, key: 'K' }, false],
  [{ ctrlKey: true, altKey: true, key: 'ĸ' }, false],
  [{}, false],
])('the palette opens by %j: %s', (pressed, opens) => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  const event = { key: 'k', code: 'KeyK', isComposing: false, ...none, ...pressed }
  expect(isPaletteKey(event as KeyboardEvent)).toBe(opens)
})
