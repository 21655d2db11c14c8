import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageLanguages, messagesIn } from '#server/runtime/messages.ts'

const folder = new URL('./messages/', import.meta.url)
const read = (language: string) =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<string, string>

test('every language has every message of the pictures, with its number', () => {
  expect(readdirSync(folder).toSorted()).toEqual(
    messageLanguages.map((tag) => `${tag}.json`).toSorted(),
  )
  const message = messagesIn(folder)
  for (const language of messageLanguages) {
    expect(Object.keys(read(language))).toEqual(Object.keys(read('en')))
    for (const key of Object.keys(read(language)))
      expect(message(language, key, { count: 17 }), key).toContain('17')
  }
})
