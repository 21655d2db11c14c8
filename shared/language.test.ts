import { describe, expect, it } from 'vitest'
import { languageName, preferredLanguage } from './language.ts'

describe('preferredLanguage', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['nl, fr;q=0.4, ja;q=0.8', 'ja'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['AR-eg', 'ar'],
    ['ja;q=0, es', 'es'],
    ['tlh', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [';;;,,q=1', 'en'],
  ])('of %j chooses %s', (header, language) => {
    expect(preferredLanguage(header, ['de', 'en', 'es', 'ja', 'ar', 'pt-BR'])).toBe(language)
  })
})

describe('languageName', () => {
  it.each([
    ['en', 'English'],
    ['de', 'Deutsch'],
    ['fr', 'Français'],
    ['pt-BR', 'Português (Brasil)'],
    ['ja', '日本語'],
    ['ar', 'العربية'],
  ] as const)('names %s as its speakers do: %s', (language, name) => {
    expect(languageName(language)).toBe(name)
  })
})
