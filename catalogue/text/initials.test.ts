import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['the lord of the rings', ['tlotr', 'lotr']],
  ['a game of thrones', ['agot', 'got']],
  ['to kill a mockingbird', ['tkam']],
  ['pride and prejudice', ['pap', 'p and p']],
  ['the sound and the fury', ['tsatf', 'satf', 's and f']],
  ['war and peace and everything', ['wapae']],
])('%s is also called %j', (title, initials) => {
  expect(initialsOf(title)).toEqual(initials)
})

test.each([
  '',
  'emma',
  'the hobbit',
  'death note vol 1',
  'война и мир',
  'to hell eternal',
  'no reader says so many first letters in a row',
])('%j has no initials', (title) => {
  expect(initialsOf(title)).toEqual([])
})
