import { expect, test } from 'vitest'
import { joinNames, parseNames } from './name-list.ts'

test.each([
  ['Ursula K. Le Guin', ['Ursula K. Le Guin']],
  ['Neil Gaiman, Terry Pratchett', ['Neil Gaiman', 'Terry Pratchett']],
  [' , a,, b ,\n c ', ['a', 'b', 'c']],
  ['Martin, Jr.', ['Martin, Jr.']],
  ['Kurt Vonnegut, Jr., Isaac Asimov', ['Kurt Vonnegut, Jr.', 'Isaac Asimov']],
  ['Le Guin, Ursula K.; Asimov, Isaac', ['Le Guin, Ursula K.', 'Asimov, Isaac']],
  ['夏目漱石、川端康成', ['夏目漱石', '川端康成']],
  ['Classics, Classics', ['Classics']],
  ['', []],
])('%j is %j', (text, names) => expect(parseNames(text)).toEqual(names))

test('a suffix typed on its own joins the name before it', () =>
  expect(joinNames(['Robert Downey'], ['Jr.'])).toEqual(['Robert Downey, Jr.']))
