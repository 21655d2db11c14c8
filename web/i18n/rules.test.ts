import { afterEach, expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import { setLanguageOfRequest } from './language.ts'
import { translate } from './rules.ts'

const speak = (language: Language) => setLanguageOfRequest(() => language)
afterEach(() => speak('en'))

test.each([
  ['en', 'Passwords do not match', 'Passwords do not match'],
  ['de', 'Passwords do not match', 'Die Passwörter stimmen nicht überein'],
  [
    'de',
    'Confirm password must be at least 8 character(s)',
    'Passwort bestätigen: mindestens 8 Zeichen',
  ],
  ['ja', '5 bookshelves', '本棚5個'],
  ['fr', 'Added Emma to Bedside', 'Emma ajouté à «\u202fBedside\u202f»'],
  [
    'de',
    'A quote can have at most 5,000 characters.',
    'Ein Zitat kann höchstens 5.000 Zeichen haben.',
  ],
  [
    'de',
    'Our catalogue doesn’t have this book. Choose a shelf that you have.',
    'Dieses Buch ist nicht in unserem Katalog. Wähle eines deiner Regale.',
  ],
  ['ar', 'A sentence of nobody’s', 'A sentence of nobody’s'],
] as const)('in %s "%s" is said as "%s"', (language, sentence, words) => {
  speak(language)
  expect(translate(sentence)).toBe(words)
})
