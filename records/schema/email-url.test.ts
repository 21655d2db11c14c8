import { expect, it, test } from 'vitest'
import { isEmail, storedEmail, unicodeEmail } from './email-url.ts'

it.each([
  ['Ivan@Почта.РФ', 'ivan@xn--80a1acny.xn--p1ai'],
  ['ivan@xn--80a1acny.xn--p1ai', 'ivan@xn--80a1acny.xn--p1ai'],
  ['иван@ПОЧТА.рф', 'иван@xn--80a1acny.xn--p1ai'],
  ['Ann@Example.ORG', 'ann@example.org'],
  ['kein Ärger', 'kein Ärger'],
  ['Ann@Example。org', 'ann@example。org'],
  ['ann@exa\u00ADmple.org', 'ann@exa\u00ADmple.org'],
  ['', ''],
])('%s is stored as %s', (typed, stored) => {
  expect(storedEmail(typed)).toBe(stored)
  expect(storedEmail(stored)).toBe(stored)
})

test('a stored address is still one, and its earlier form is known', () => {
  const stored = storedEmail('ivan@почта.рф')
  expect(isEmail(stored)).toBe(true)
  expect(unicodeEmail(stored)).toBe('ivan@почта.рф')
})
