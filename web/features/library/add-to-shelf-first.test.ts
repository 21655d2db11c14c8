import { afterEach, expect, test } from 'vitest'
import { languages, type Language } from '#shared/language.ts'
import { setLanguageOfRequest } from '#web/i18n/language.ts'
import { wantToReadNames, wantToReadShelf } from './add-to-shelf-first.ts'

afterEach(() => setLanguageOfRequest(() => 'en'))

test('the shelf of wanted books is known by its name in every language', () => {
  const names = (Object.keys(languages) as Language[]).map((language) => {
    setLanguageOfRequest(() => language)
    return wantToReadShelf()
  })
  expect(wantToReadNames).toEqual(names)
})
