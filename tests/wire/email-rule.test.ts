import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isEmail as isEmailOfRecords, storedEmail } from '#records/schema/email-url.ts'
import { isEmail, typedEmail } from '#shared/email.ts'

it.each([
  'ivan@почта.рф',
  'x=y@example.org',
  'tom&ann@example.org',
  'иван@example.org',
  "o'hara@example.org",
  'a@b.co',
  'tom+books@example.org',
  'a@faß.de',
  'a@βόλος.gr',
  'a@उदाहरण.भारत',
  'a@نامه\u200Cای.com',
  'a@mu\u0308nchen.de',
])('an account of %s can sign in on the screens', (email) => {
  expect([isEmail(email), isEmailOfRecords(email)]).toEqual([true, true])
})

it.each([
  'ann@example。org',
  'ann@exa\u00ADmple.org',
  'ann@example.org。',
  'ann@\u200Bexample.org',
  'ann＠example.org',
  'tom+a b@example.org',
  '\u0301ann@example.org',
])('no account of %o is made, which the screens refuse', (email) => {
  expect([isEmail(email), isEmailOfRecords(storedEmail(email))]).toEqual([false, false])
})

it.each([
  'ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ',
  'ann@example。org',
  '\u200Eann@example.org\u202C',
  '\uFEFF ann@example.org\u00A0',
])('the forms read %o as it was meant', (typed) => {
  expect(typedEmail(typed)).toBe('ann@example.org')
})

it.each(['', 'a', '@b.co', 'a@b', 'a b@c.de', 'a@b..de', 'a..b@c.de', `${'a'.repeat(65)}@b.co`])(
  '"%s" is none anywhere',
  (email) => {
    expect([isEmail(email), isEmailOfRecords(email)]).toEqual([false, false])
  },
)

it('the forms and the records know the same addresses', () => {
  const part = fc.string({ unit: fc.constantFrom(..."aZ9é.-_=&+я@ '"), maxLength: 12 })
  const email = fc.tuple(part, fc.constantFrom('@', '', '@@'), part).map((parts) => parts.join(''))
  fc.assert(
    fc.property(email, (text) => {
      expect(isEmail(text)).toBe(isEmailOfRecords(text))
    }),
    { numRuns: 2000 },
  )
})
