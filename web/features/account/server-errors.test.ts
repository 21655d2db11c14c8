import { ClientResponseError } from 'pocketbase'
import { expect, test } from 'vitest'
import type { SignUpForm } from '#shared/account-forms.ts'
import { showFieldErrors } from './server-errors.ts'

const refused = (data: Record<string, { code: string; message: string }>) =>
  new ClientResponseError({
    url: '/',
    status: 400,
    response: { status: 400, message: 'Failed to create record.', data },
  })

function shown(error: unknown) {
  const said: { field: string; message: unknown; focused: unknown }[] = []
  const all = showFieldErrors<SignUpForm>(error, ['email', 'password'], (field, problem, options) =>
    said.push({ field, message: problem.message, focused: options?.shouldFocus }),
  )
  return {
    all,
    messages: said.map(({ field, message }) => [field, message]),
    focused: said.map((one) => one.focused),
  }
}

test('a taken address is said at its field, in words about accounts', () => {
  const { all, messages } = shown(
    refused({ email: { code: 'validation_not_unique', message: 'Value must be unique.' } }),
  )
  expect(all).toBe(true)
  expect(messages).toEqual([['email', 'There’s already an account with this email.']])
})

test('the own address and a wrong password are said in words about accounts', () => {
  const said: unknown[] = []
  const error = refused({
    newEmail: { code: 'validation_not_in_invalid', message: 'Must not be in list.' },
    oldPassword: { code: 'validation_invalid_old_password', message: 'Missing or invalid.' },
  })
  showFieldErrors<Record<string, string>>(error, ['newEmail', 'oldPassword'], (_, problem) =>
    said.push(problem.message),
  )
  expect(said).toEqual(['This is already your email.', 'This is not your current password.'])
})

test("the server's other sentences stand as they are, and the first field is focused", () => {
  const { messages, focused } = shown(
    refused({
      email: { code: 'validation_is_email', message: 'Must be a valid email address.' },
      password: { code: 'validation_length_out_of_range', message: 'Too long.' },
    }),
  )
  expect(messages).toEqual([
    ['email', 'Must be a valid email address.'],
    ['password', 'Too long.'],
  ])
  expect(focused).toEqual([true, false])
})

test('what belongs to no field of the form is left for the alert', () => {
  const other = { code: 'validation_invalid_value', message: 'Invalid value.' }
  expect(shown(refused({ captcha: other }))).toMatchObject({ all: false, messages: [] })
  expect(shown(refused({}))).toMatchObject({ all: false, messages: [] })
  expect(shown(new Error('offline'))).toMatchObject({ all: false, messages: [] })
})
