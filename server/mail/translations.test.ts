import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deviceName } from '#shared/device.ts'
import { languages, type Language } from '#shared/language.ts'
import { formatMailTime, mailMessage } from './translations.ts'

const read = (language: string) =>
  JSON.parse(
    readFileSync(new URL(`./messages/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>

const names = (elements: readonly MessageFormatElement[]): string[] =>
  elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type !== TYPE.select) return [element.value]
    return [element.value, ...Object.values(element.options).flatMap(({ value }) => names(value))]
  })
const placeholders = (message: string) => [...new Set(names(parse(message)))].toSorted()

test.each(Object.keys(languages))('the mails of %s have all messages of English', (language) => {
  const english = read('en')
  const translated = read(language)
  expect(Object.keys(translated)).toEqual(Object.keys(english))
  for (const [key, message] of Object.entries(english))
    expect(placeholders(translated[key]!), key).toEqual(placeholders(message))
})

test.each([
  ['en', 'March 14, 2026 at 02:00 UTC', 'Firefox on a Mac'],
  ['de', '14. März 2026 um 02:00 UTC', 'Firefox auf einem Mac'],
  ['ja', '2026年3月14日 02:00 UTC', 'MacのFirefox'],
] as const)('times and devices are told in %s', (language: Language, time, device) => {
  expect(formatMailTime(language, new Date('2026-03-14T02:00:00Z'))).toBe(time)
  const agent = 'Mozilla/5.0 (Macintosh; Mac OS X 10) Firefox/140.0'
  expect(deviceName(agent, (key, values) => mailMessage(language, key, values))).toBe(device)
})
