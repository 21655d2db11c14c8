import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languages, type Language } from '#shared/language.ts'

const folder = join(import.meta.dirname, 'messages')
const tags = Object.keys(languages) as Language[]
const shared = join(import.meta.dirname, '../../shared/sentences')
const areas = [...readdirSync(join(folder, 'en')), ...readdirSync(shared)]

function read(language: string, file: string): Record<string, string> {
  const isShared = language === 'en' && existsSync(join(shared, file))
  const path = join(isShared ? shared : join(folder, language), file)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : {}
}

/** @returns the placeholders and tags of a message, each once, with the kind of each */
function placeholders(elements: readonly MessageFormatElement[]): string[] {
  const found = elements.flatMap((element): string[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return []
      case TYPE.select:
      case TYPE.plural: {
        const inner = Object.values(element.options).flatMap(({ value }) => placeholders(value))
        return [`${TYPE[element.type]} ${element.value}`, ...inner]
      }
      case TYPE.tag:
        return [`<${element.value}>`, ...placeholders(element.children)]
      default:
        return [element.value]
    }
  })
  return [...new Set(found)].toSorted()
}

test('every folder of messages is of a language that there is, and every file of an area', () => {
  expect(readdirSync(folder).filter((name) => !tags.includes(name as Language))).toEqual([])
  const files = globSync('*/*.json', { cwd: folder })
  expect(files.filter((file) => !areas.some((area) => file.endsWith(`/${area}`)))).toEqual([])
})

describe.each(tags.filter((tag) => existsSync(join(folder, tag))))('the messages of %s', (tag) => {
  test.each(areas)('%s: have the keys and placeholders of English', (file) => {
    const english = read('en', file)
    const translated = read(tag, file)
    expect(Object.keys(translated).filter((key) => !(key in english))).toEqual([])
    const missing = Object.keys(english).filter((key) => !(key in translated))
    expect(languages[tag].isComplete ? missing : []).toEqual([])
    const of = (messages: Record<string, string>) =>
      Object.fromEntries(
        Object.keys(translated).map((key) => [key, placeholders(parse(messages[key] ?? ''))]),
      )
    // A refusal stands under its field, whose label need not be repeated.
    const kept = Object.entries(of(english)).map(([key, names]) => {
      const isNamed = placeholders(parse(translated[key] ?? '')).includes('name')
      return [key, names.filter((name) => name !== 'name' || isNamed || file !== 'rules.json')]
    })
    expect(of(translated)).toEqual(Object.fromEntries(kept))
  })
})

test.each([
  ['fr', / (?:[;!?»%]|:(?!\())|« /],
  ['de', / […%]/],
  ['es', / %/],
])('no line of %s begins with a sign that belongs to the line before', (tag, apart) => {
  const all = areas.flatMap((file) => Object.values(read(tag, file)))
  expect(all.filter((message) => apart.test(message))).toEqual([])
})

test.each(tags)('a message of %s names a button as the button does', (tag) => {
  const all = (language: string) =>
    new Map(
      areas.flatMap((file) =>
        Object.entries(read(language, file)).map(([key, text]) => [`${file} ${key}`, text]),
      ),
    )
  const [english, translated] = [all('en'), all(tag)]
  const textsOf = (text: string | undefined) =>
    [...english].flatMap(([key, other]) => (other === text ? [translated.get(key) ?? ''] : []))
  const wrong = [...english.keys()].filter((key) => {
    const names = textsOf(/“(.+?)”/.exec(english.get(key) ?? '')?.[1])
    return names.length > 0 && !names.some((name) => translated.get(key)?.includes(name))
  })
  expect(wrong).toEqual([])
})

/** Keys of several areas whose English has a second meaning, or another gender, in translation. */
const homonyms = new Set([
  'authors',
  'books',
  'email',
  'importBooks',
  'next',
  'pages',
  'privacyPolicy',
  'private',
  'profile',
  'public',
  'readingNow',
  'review',
])

test.each(tags)('%s says the same sentence the same way in all areas', (tag) => {
  const translations = new Map<string, Set<string | undefined>>()
  for (const file of areas) {
    const translated = read(tag, file)
    for (const [key, english] of Object.entries(read('en', file))) {
      if (homonyms.has(key)) continue
      const sentence = `${key}: ${english}`
      const found = translations.get(sentence) ?? new Set()
      translations.set(sentence, found.add(translated[key]))
    }
  }
  const different = [...translations].filter(([, found]) => found.size > 1)
  expect(different.map(([sentence, found]) => [sentence, ...found])).toEqual([])
})
