import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageLanguages } from '#server/runtime/messages.ts'
import { liteMessage, type LiteKey } from './pages.ts'

const folder = new URL('./messages/', import.meta.url)
const read = (file: string) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<LiteKey, string>

test('every language has every message of the plain pages, with its placeholders', () => {
  expect(readdirSync(folder).toSorted()).toEqual(
    messageLanguages.map((tag) => `${tag}.json`).toSorted(),
  )
  const english = read('en.json')
  for (const language of messageLanguages) {
    const messages = read(`${language}.json`)
    expect(Object.keys(messages)).toEqual(Object.keys(english))
    for (const [key, message] of Object.entries(messages)) {
      const filled = liteMessage(language, key as LiteKey, {
        title: 'TITLE',
        authors: 'AUTHORS',
        pages: 7,
        scale: 10,
      })
      for (const [name, value] of [
        ['title', 'TITLE'],
        ['authors', 'AUTHORS'],
      ] as const)
        expect(filled.includes(value), message).toBe(english[key as LiteKey].includes(`{${name}`))
    }
  }
})
