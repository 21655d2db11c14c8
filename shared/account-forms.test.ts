import { describe, expect, it } from 'vitest'
import { loginForm, signUpForm } from './account-forms.ts'
import { ruleInEnglish } from './english.ts'
import { refusalOf } from './rule.ts'
import { usernamePattern } from './username.ts'

/** First message of each field that is wrong. */
function messages(form: typeof signUpForm | typeof loginForm, value: unknown) {
  const issues = form.safeParse(value).error?.issues ?? []
  return Object.fromEntries(
    issues.toReversed().map((issue) => [issue.path.join('.'), ruleInEnglish(refusalOf(issue))]),
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
