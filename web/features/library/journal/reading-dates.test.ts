import { afterEach, expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import { setLanguageOfRequest } from '#web/i18n/language.ts'
import { readingDates } from './reading-dates.ts'

const speak = (language: Language) => setLanguageOfRequest(() => language)
afterEach(() => speak('en'))

test.each([
  ['', '2009', 'finished', 'Finished in 2009'],
  ['', '2009-05', 'finished', 'Finished in May 2009'],
  ['', '2009-05-03', 'finished', 'Finished on May 3, 2009'],
  ['', '2009', 'dropped', 'Stopped in 2009'],
  ['2009', '', 'reading', 'Since 2009'],
  ['2009', '2010-02', 'finished', '2009 – February 2010'],
  ['2009', '2009', 'finished', '2009'],
  ['', '', 'finished', 'Unknown dates'],
] as const)('from %j to %j, %s: "%s"', (started, finished, outcome, words) => {
  expect(readingDates({ started, finished, outcome })).toBe(words)
})

test('in the way of the language', () => {
  speak('de')
  const dates = { started: '', outcome: 'finished' } as const
  expect(readingDates({ ...dates, finished: '2009' })).toBe('2009 beendet')
  expect(readingDates({ ...dates, finished: '2009-05-03' })).toBe('Am 03.05.2009 beendet')
})
