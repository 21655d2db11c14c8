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
  ['a@Faß.de', 'a@xn--fa-hia.de'],
  ['a@ΒΌΛΟς.gr', 'a@xn--nxasmm1c.gr'],
  ['a@mu\u0308nchen.de', 'a@xn--mnchen-3ya.de'],
  ['a@نامه\u200Cای.com', 'a@xn--mgba3gch31f060k.com'],
  ['a@उदाहरण.भारत', 'a@xn--p1b6ci4b4b3a.xn--h2brj9c'],
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

it.each(['a@exa\u200Dmple.org', 'a@\u0301b.de'])('%j is no address', (typed) => {
  expect(isEmail(typed)).toBe(false)
})
