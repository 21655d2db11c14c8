import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allowedEdits,
  deletionKeys,
  editDistance,
  transliterations,
  phoneticKey,
} from './spelling.ts'
import { numberForms, numberOf } from './words.ts'

test.each([
  ['frankenstein', 'frankenstien', 1],
  ['austen', 'austin', 1],
  ['tolkien', 'tolkin', 1],
  ['karamazov', 'karamasoff', 3],
  ['kitten', 'sitting', 3],
  ['', 'ab', 2],
])('%s and %s are %i edits apart', (a, b, distance) => {
  expect(editDistance(a, b, 5)).toBe(distance)
  expect(editDistance(b, a, 5)).toBe(distance)
})

test('a distance above the limit is only said to be above it', () => {
  expect(editDistance('kitten', 'sitting', 2)).toBe(3)
  expect(editDistance('it', 'frankenstein', 1)).toBe(2)
})

test.each([
  ['austen', 1],
  ['tolstoy', 2],
  ['1984', 0],
])('%s may be %i edits wrong', (word, edits) => {
  expect(allowedEdits(word)).toBe(edits)
})

const letters = 'abcdefghijklmnopqrstuvwxyz'
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 14 })
const letter = fc.constantFrom(...letters)

/** A letter left out, put in, replaced or swapped with its neighbour. */
const typo = fc
  .tuple(
    word,
    fc.nat(),
    letter,
    fc.constantFrom('out' as const, 'in' as const, 'other' as const, 'swap' as const),
  )
  .map(([text, place, letter, kind]): [string, string] => {
    const i = place % (text.length - 1)
    const [before, here, next, after] = [text.slice(0, i), text[i], text[i + 1], text.slice(i + 2)]
    const wrong = {
      out: `${before}${next}${after}`,
      in: `${before}${letter}${here}${next}${after}`,
      other: `${before}${letter}${next}${after}`,
      swap: `${before}${next}${here}${after}`,
    }
    return [text, wrong[kind]]
  })

test('a word with one typo shares a key with the word and is one edit away', () => {
  fc.assert(
    fc.property(typo, ([right, wrong]) => {
      const keys = new Set(deletionKeys(right))
      expect(deletionKeys(wrong).some((key) => keys.has(key))).toBe(true)
      expect(editDistance(right, wrong, 2)).toBeLessThanOrEqual(1)
    }),
  )
})

test.each([
  ['dostojewski', 'dostoevsky'],
  ['solschenizyn', 'solzhenitsyn'],
  ['odysee', 'odyssey'],
  ['tail', 'tale'],
])('%s sounds like %s', (a, b) => {
  expect(phoneticKey(a)).not.toBeNull()
  expect(phoneticKey(a)).toBe(phoneticKey(b))
})

test.each([
  ['tchechov', 'chekhov'],
  ['tschechow', 'chekhov'],
  ['cechov', 'chekhov'],
  ['soljenitsyne', 'solzhenitsyn'],
])('%s can be read as %s', (foreign, name) => {
  expect(transliterations(foreign).map(phoneticKey)).toContain(phoneticKey(name))
})

test('a name is read as it stands first, and its first letters as in Chekhov', () => {
  expect(transliterations('chandler')).toEqual(['chandler'])
  expect(transliterations('bachjar')).toEqual(['bachjar', 'bakhjar', 'bachzhar', 'bakhzhar'])
})

test.each(['it', 'emma', 'aoi', '1984', 'война'])('%s has no phonetic key', (word) => {
  expect(phoneticKey(word)).toBeNull()
})

test.each([
  ['twenty two', 22],
  ['nineteen eighty four', 1984],
  ['twenty twenty two', 2022],
  ['one hundred', 100],
  ['two thousand one', 2001],
  ['twenty thousand', 20_000],
  ['five five', null],
  ['two cities', null],
])('%s is the number %s', (words, number) => {
  expect(numberOf(words.split(' '))).toBe(number)
})

test.each([
  ['1984', 'nineteen eighty four'],
  ['100', 'hundred'],
  ['12th', 'twelfth'],
  ['third', '3rd'],
  ['iii', '3'],
  ['2', 'ii'],
])('%s is also written %s', (word, other) => {
  expect(numberForms(word).map((words) => words.join(' '))).toContain(other)
})
