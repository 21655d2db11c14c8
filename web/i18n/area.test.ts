import { afterEach, expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import { t as books } from './books.ts'
import { formatList } from './format.ts'
import { t as readings } from './readings.ts'
import { setLanguageOfRequest } from './language.ts'

const speak = (language: Language) => setLanguageOfRequest(() => language)
afterEach(() => speak('en'))

test('a sentence writes its numbers as the language does, wherever they stand in it', () => {
  const pages = { page: 1200, pages: 1995 }
  expect(books('ofPages', pages)).toBe('of 1,995')
  expect(books('progressInPages', pages)).toBe('1,200 of 1,995 pages')
  expect(readings('pageCount', { count: 1995 })).toBe('1,995 pages')
  speak('de')
  expect(books('ofPages', pages)).toBe('/ 1.995')
  expect(books('progressInPages', pages)).toContain('1.200')
})

test('text in a sentence stays as it is', () => {
  expect(books('finishedNamed', { title: '1984' })).toBe('Finished 1984')
})

test('a title of the other direction stands apart in a sentence', () => {
  expect(books('finishedNamed', { title: 'الحرافيش (1)' })).toBe(
    'Finished \u2068الحرافيش (1)\u2069',
  )
  expect(formatList(['الحرافيش', 'Emma'])).toBe('\u2068الحرافيش\u2069 and Emma')
  const button = { title: 'عربي', status: 'Reading', unit: 'page', number: 7, action: 'edit' }
  expect(books('bookButton', button)).toBe('\u2068عربي\u2069: Reading, page 7. Edit')
  speak('ar')
  expect(books('finishedNamed', { title: 'Emma!' })).toContain('\u2068Emma!\u2069')
  expect(books('finishedNamed', { title: 'الحرافيش' })).not.toContain('\u2068')
})
