import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { languages, type Language } from '#shared/language.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openThings } from '#tests/things.ts'
import { rejection } from '#tests/wire/fixture.ts'
import { translator } from '#web/i18n/answers.ts'
import { setLanguageOfRequest } from '#web/i18n/language.ts'
import { setTranslator } from '#web/i18n/lazy-answers.ts'
import { errorMessage } from './errors.ts'

const others = (Object.keys(languages) as Language[]).filter(
  (tag) => tag !== 'en' && languages[tag].isComplete,
)
const speak = (language: Language) => setLanguageOfRequest(() => language)
setTranslator(translator)
afterEach(() => speak('en'))

/** @returns what each language but English says of an error */
const sayings = (error: unknown) =>
  Object.fromEntries(
    others.map((tag) => {
      speak(tag)
      return [tag, errorMessage(error)]
    }),
  )

/** Names, numbers and formats that are the same in any language. */
const isTranslated = (said: string, english: string) =>
  said !== '' && !english.includes(said) && !/[{}]/.test(said)

const file = (bytes: string | number, name: string) =>
  new File([typeof bytes === 'number' ? new Uint8Array(bytes) : bytes], name)

describeDatabases('refusals on pages in other languages', (open) => {
  it('are said in the language of the page, alone and in a batch', async () => {
    const ann = await openThings(open, 2)
    const things = ann.collection('things')
    const good = { title: 'good', stars: 1 }
    await things.create({ ...good, code: 'taken', scans: [file('x', 'a.txt'), file('y', 'b.txt')] })
    const wrong: Record<string, unknown>[] = [
      { title: 'x' },
      { title: 'x'.repeat(21) },
      { title: '<b>' },
      { code: 'x'.repeat(5001) },
      { code: 'taken' },
      { text: 'x'.repeat(21) },
      { mail: 'x' },
      { link: 'x' },
      { day: '1999-01-01' },
      { stars: 6 },
      { stars: 0.5 },
      { stars: 1.5 },
      { kind: 'c' },
      { list: ['a', 'b', 'c'] },
      { next: 'nothing' },
      { list: ['nothing'] },
      { data: { x: 'x'.repeat(20) } },
      { sure: 'maybe' },
      { id: 'short' },
      { photo: file('text', 'x.png') },
      { photo: file(2001, 'x.png') },
      { photo: file('<svg', 'x.svg') },
      { photo: 'never-sent.png' },
      { scans: [file('x', 'a'), file('y', 'b'), file('z', 'c')] },
      // More than there is room for.
      { scans: [file('x', 'c.txt')] },
    ]
    for (const values of wrong) {
      const alone = await rejection(things.create({ ...good, ...values }))
      expect([values, alone.status]).toEqual([values, 400])
      const batch = ann.createBatch()
      batch.collection('things').create({ ...good, ...values })
      const together = await rejection(batch.send())
      const english = errorMessage(alone)
      expect(english).not.toBe('')
      const said = sayings(alone)
      expect([values, sayings(together)]).toEqual([values, said])
      for (const [tag, one] of Object.entries(said))
        expect([values, tag, one, isTranslated(one, english)]).toEqual([values, tag, one, true])
      speak('en')
    }
  })

  it('say how much room there is, how large a file can be, and what kind', async () => {
    const things = (await openThings(open, 0)).collection('things')
    const german = async (values: object) => {
      const error = await rejection(things.create({ title: 'good', stars: 1, ...values }))
      speak('de')
      return errorMessage(error)
    }
    expect(await german({ scans: [file('x', 'c.txt')] })).toMatch(/höchstens 0 Dateien und 1 MB/)
    expect(await german({ photo: file(2001, 'x.png') })).toBe('Die Datei ist größer als 2.000 Byte')
    expect(await german({ photo: file('text', 'x.png') })).toMatch(/^Diese Art von Datei/)
  })
})

it('every error that the record service and the server have is said in every language', () => {
  const source = globSync('{records,server}/**/*.ts', { cwd: join(import.meta.dirname, '../..') })
    .filter((path) => !/\.test\.|\.fixture\.|migrations|commands/.test(path))
    .map((path) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8'))
    .join('\n')
  const codes = new Set(source.match(/(?<=code: ')(?:validation|batch)_\w+/g))
  const answers = [...source.matchAll(/ApiError\(\s*\d+,\s*(['"])(.+?)\1/g)].map(
    ([, , text]) => text!,
  )
  expect(codes.size).toBeGreaterThan(30)
  expect(answers.length).toBeGreaterThan(30)
  for (const tag of others) {
    speak(tag)
    const message = 'An English sentence'
    const params = { min: 1, max: 1, maxSelect: 1, maxSize: 1, count: 1, megabytes: 1 }
    for (const code of codes)
      expect([code, translator.field({ code, message, params })]).not.toEqual([code, message])
    for (const answer of answers) expect(translator.answer(answer)).not.toBe(answer)
  }
})
