import { describe, expect, it } from 'vitest'
import { afterLogin, loginForm, safeOrigin, signUpForm, usernamePattern } from './account.ts'

/** First message of each field that is wrong. */
function messages(form: typeof signUpForm | typeof loginForm, value: unknown) {
  const issues = form.safeParse(value).error?.issues ?? []
  return Object.fromEntries(
    issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]),
  )
}

describe('sign-up', () => {
  const email = 'reader@example.org'
  it('accepts 8 and 71 characters, whatever their bytes', () => {
    for (const password of ['12345678', 'x'.repeat(71), '🦉'.repeat(71)])
      expect(messages(signUpForm, { email, password, confirmPassword: password })).toEqual({})
  })
  it('says what is too short', () =>
    expect(
      messages(signUpForm, { email, password: '1234567', confirmPassword: '1234567' }),
    ).toEqual({
      password: 'Password must be at least 8 character(s)',
      confirmPassword: 'Confirm password must be at least 8 character(s)',
    }))
  it('says what is too long', () => {
    const password = 'x'.repeat(72)
    expect(messages(signUpForm, { email, password, confirmPassword: password })).toEqual({
      password: 'Password must not exceed 71 character(s)',
      confirmPassword: 'Confirm password must not exceed 71 character(s)',
    })
  })
  it('says that two passwords differ, beside what else is wrong', () =>
    expect(
      messages(signUpForm, { email: 'nobody', password: '12345678', confirmPassword: '12345679' }),
    ).toEqual({
      email: 'Must be a valid email address.',
      confirmPassword: 'Passwords do not match',
    }))
})

it('login refuses a password that cannot be one', () =>
  expect(messages(loginForm, { email: 'a@example.org', password: 'short' })).toEqual({
    password: 'Password must be at least 8 character(s)',
  }))

it.each(['abc', 'quiet-owl.42', 'a_b', 'x'.repeat(30)])('%s can be a username', (name) =>
  expect(usernamePattern.test(name)).toBe(true),
)
it.each(['ab', '.abc', 'abc-', 'Abc', 'a b c', 'аbc', 'x'.repeat(31), 'ab\u200Bc'])(
  '%j cannot be a username',
  (name) => expect(usernamePattern.test(name)).toBe(false),
)

describe('the way back after signing in', () => {
  it.each([
    '/',
    '/explore',
    '/explore?q=frankenstein&page=2',
    '/book/frankenstein-9780141439471',
    '/book/%E9%9B%AA%E5%9B%BD-9784101001012',
    '/u/quiet-owl/books',
    '/shelf/abcdefghijklmno',
    '/account/settings',
  ])('follows %s', (origin) => expect(safeOrigin(origin)).toBe(origin))

  it.each([
    null,
    undefined,
    '',
    'explore',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '/%2f/evil.example',
    '/explore\\..\\evil',
    '/explore%5c',
    '/explore%00',
    '/explore\u0000',
    '/explore%0d%0aSet-Cookie:a=b',
    '/./explore/..//evil.example',
    '/../../evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/explore/../../evil.example',
    'http://evil.example',
    'https://evil.example/explore',
    'http:/evil.example',
    'http:evil.example',
    'https:explore',
    'HTTP://EVIL.EXAMPLE',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '/javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'ftp://evil.example',
    '//evil.example/explore',
    '//user@evil.example',
    '/@evil.example',
    '/explore@evil.example',
    '//[::1]/explore',
    '//127.0.0.1/explore',
    '//0x7f000001/',
    '//evil。example',
    '/／evil.example',
    '／／evil.example',
    '/api/v1/auth/logout',
    '/api/collections/users/records',
    '/login',
    '/login?origin=/login',
    '/signup',
    '/mailbox',
    '/assets/app.js',
    '/unknown',
    '/u//books',
    '/u/a/b/c',
    '/book/',
    '/explore/',
    '/%E0%A4%A',
    '/explore#//evil.example\\',
  ])('%j leads to Explore', (origin) => expect(safeOrigin(origin)).toBe(afterLogin))
})
