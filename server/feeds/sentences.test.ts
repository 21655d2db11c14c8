import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageLanguages } from '#server/runtime/messages.ts'
import { feedLanguage, feedMessage, type FeedKey } from './sentences.ts'

const folder = new URL('./messages/', import.meta.url)
const read = (file: string) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<FeedKey, string>

test('every language has every sentence of the feeds, with its values', () => {
  expect(readdirSync(folder).toSorted()).toEqual(
    messageLanguages.map((tag) => `${tag}.json`).toSorted(),
  )
  const english = read('en.json')
  const values = { name: 'NAME', title: 'TITLE', shelf: 'SHELF', authors: 'AUTHORS', page: 7 }
  for (const language of messageLanguages) {
    const messages = read(`${language}.json`)
    expect(Object.keys(messages)).toEqual(Object.keys(english))
    for (const key of Object.keys(messages) as FeedKey[]) {
      const filled = feedMessage(language, key, { ...values, percent: 40, count: 12 })
      for (const name of ['NAME', 'TITLE', 'SHELF', 'AUTHORS', '40', '12'])
        expect([key, filled.includes(name)]).toEqual([
          key,
          feedMessage('en', key, { ...values, percent: 40, count: 12 }).includes(name),
        ])
    }
  }
})

test.each([
  ['?lang=fr', { 'Accept-Language': 'de' }, 'fr'],
  ['', { 'Accept-Language': 'de' }, 'de'],
  ['?lang=tlh', { Cookie: 'language=ja' }, 'ja'],
  ['', {}, 'en'],
])('a feed at %s asked for with %o is in %s', (query, headers, language) => {
  const request = new Request(`http://localhost/u/ann/feed.atom${query}`, { headers })
  expect(feedLanguage(request)).toBe(language)
})
