import { afterEach, expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import { quoteForm } from '#shared/reading-form.ts'
import { shelfForm } from '#shared/bookshelf.ts'
import { translateAnswer, translateField, translator } from './answers.ts'
import { importMessage } from './import-reasons.ts'
import { setLanguageOfRequest } from './language.ts'
import { issueMessage, ruleMessage } from './rules.ts'

const speak = (language: Language) => setLanguageOfRequest(() => language)
afterEach(() => speak('en'))

test.each([
  ['en', 'Name must be at least 4 characters long.'],
  ['de', 'Mindestens 4 Zeichen.'],
] as const)('in %s a form refuses a short name with "%s"', (language, message) => {
  speak(language)
  const { issues = [] } = shelfForm.safeParse({ name: 'a', visibility: 'public' }).error ?? {}
  expect(issues.map((issue) => issueMessage(issue))).toEqual([message])
})

test.each([
  ['en', 'A quote can have at most 5,000 characters.'],
  ['de', 'Ein Zitat kann höchstens 5.000 Zeichen haben.'],
] as const)('in %s a rule has numbers and names filled in: "%s"', (language, message) => {
  speak(language)
  const { issues = [] } = quoteForm.safeParse({ text: 'x'.repeat(5001) }).error ?? {}
  expect(issueMessage(issues[0]!)).toBe(message)
})

test.each([
  ['en', 'Page count must be at most 100000.'],
  ['de', 'Seitenzahl: höchstens 100.000.'],
] as const)('in %s a field names itself: "%s"', (language, message) => {
  speak(language)
  const params = { name: 'page_count', max: 100_000 }
  expect(ruleMessage({ key: 'numberAtMost', params })).toBe(message)
})

const beyond = {
  code: 'validation_invalid_value',
  message: 'Progress cannot exceed the total page count.',
  params: { rule: 'progressBeyondBook' },
}

test('a field’s error is said by its rule, else by its code, else in one sentence for all', () => {
  speak('fr')
  expect(translateField(beyond)).toBe(ruleMessage({ key: 'progressBeyondBook' }))
  expect(translateField(beyond)).not.toBe(beyond.message)
  const taken = { code: 'validation_not_unique', message: 'Value must be unique.' }
  expect(translateField(taken)).not.toBe(taken.message)
  const other = { code: 'validation_of_nobody', message: 'A sentence of nobody’s' }
  expect(translateField(other)).toBe('Cette valeur ne convient pas.')
  speak('en')
  expect(translateField(other)).toBe(other.message)
})

test('an answer without a field is found whole', () => {
  speak('de')
  expect(translateAnswer('You cannot report yourself.')).toBe('Dich selbst kannst du nicht melden.')
  expect(translateAnswer('A sentence of nobody’s')).toBe('A sentence of nobody’s')
})

test('an answer that nobody has translated is none in English on a page in another language', () => {
  speak('de')
  expect(translator.answer('You cannot report yourself.')).toMatch(/^Dich selbst/)
  expect(translator.answer('A sentence of nobody’s')).toMatch(/^Etwas ist schiefgelaufen/)
  speak('en')
  expect(translator.answer('A sentence of nobody’s')).toBe('A sentence of nobody’s')
})

test('a reason of an import is said by its key, with a sentence inside', () => {
  speak('de')
  const sentence = 'The Free Forever plan has room for 5 bookshelves. Premium Scholar has no limit.'
  const message = { key: 'chooseOwnShelf', params: { sentence } }
  expect(importMessage(`${sentence} Choose a shelf that you have.`, message)).toBe(
    'Der Tarif Free Forever hat Platz für 5 Regale. Premium Scholar hat keine Grenze. Wähle eines deiner Regale.',
  )
  expect(importMessage(beyond.message, { key: 'progressBeyondBook' })).not.toBe(beyond.message)
  expect(importMessage('A sentence of nobody’s', null)).toBe('A sentence of nobody’s')
})
