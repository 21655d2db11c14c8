import { describe, expect, it } from 'vitest'
import { ruleInEnglish } from './english.ts'
import { cleanName, isReservedUsername, parseProfileForm } from './username.ts'

describe('a profile as it was typed', () => {
  const current = { name: 'Ann', username: 'ann', isPrivate: false }
  const read = (form: object) => parseProfileForm({ ...current, ...form }, current)

  it('keeps what is there where a field is blank', () => {
    expect(read({ name: ' ', username: '  ', isPrivate: true })).toEqual({
      values: { ...current, isPrivate: true },
      wrong: {},
    })
  })

  it('is stored in one spelling', () => {
    const { values } = read({ name: ' Ann \u202E B. ', username: ' ANN.B ' })
    expect(values).toMatchObject({ name: 'Ann B.', username: 'ann.b' })
  })

  it.each([
    [{ username: 'ab' }, 'username', /^Username must be 3 to 30/],
    [{ username: 'аnn' }, 'username', /^Username must be 3 to 30/],
    [{ username: 'ann\u200Fb' }, 'username', /^Username must be 3 to 30/],
    [{ username: 'adm1n' }, 'username', /^This username is reserved\.$/],
    [{ name: 'x'.repeat(101) }, 'name', /^Name cannot exceed 100 characters\.$/],
  ] as const)('%j is refused at its field', (form, field, sentence) => {
    const { wrong } = read(form)
    expect(Object.keys(wrong)).toEqual([field])
    expect(ruleInEnglish(wrong[field]!)).toMatch(sentence)
  })

  it('may keep a name that was reserved later', () => {
    const reserved = { ...current, username: 'octavo' }
    expect(parseProfileForm(reserved, reserved).wrong).toEqual({})
  })
})

it('knows reserved words by their looks, and leaves other names alone', () => {
  for (const name of ['admin', 'adm1n', 'a-d-m-i-n', '0ctav0', 'se77ings', 'he1p'])
    expect(isReservedUsername(name), name).toBe(name !== 'se77ings')
  for (const name of ['ann', 'quick-otter-57', 'books.of.ann'])
    expect(isReservedUsername(name), name).toBe(false)
})

it('leaves the joiners of Persian and emoji in a name', () => {
  for (const name of ['\u200D', '\u3164', '\u2800 \uFE0F']) expect(cleanName(name)).toBe('')
  for (const name of ['کتاب\u200Cخوان', '👩\u200D🚀 Ann']) expect(cleanName(name)).toBe(name)
})

it('R41: cleans a name in no more time than it is long, however many marks it has', () => {
  const start = performance.now()
  const cleaned = cleanName(`a${'\u0315\u0300'.repeat(250_000)}`)
  expect(performance.now() - start).toBeLessThan(1000)
  expect(cleaned).toHaveLength(30)
})
