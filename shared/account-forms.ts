import * as z from 'zod'
import { isEmail, typedEmail } from './email.ts'
import { refusal, rule } from './rule.ts'

const email = z.string(rule('email')).overwrite(typedEmail).refine(isEmail, rule('email'))

/** 8 to 71 characters, counted as code points. */
const password = z
  .string()
  .refine((value) => [...value].length >= 8, refusal('passwordTooShort', { min: 8 }))
  .refine((value) => [...value].length <= 71, refusal('passwordTooLong', { max: 71 }))

export const loginForm = z.object({ email, password })

const passwordsMatch = (form: { password: string; confirmPassword: string }) =>
  form.password === form.confirmPassword

const passwordMismatch = {
  path: ['confirmPassword'],
  ...refusal('passwordsDiffer'),
  // Checked even if other fields are invalid.
  when: () => true,
}

const newPassword = {
  password,
  confirmPassword: password,
}

export const signUpForm = z
  .object({ email, ...newPassword })
  .refine(passwordsMatch, passwordMismatch)
export type SignUpForm = z.infer<typeof signUpForm>

export const otpForm = z.object({
  code: z.string().regex(/^\d{6}$/, rule('signInCode')),
})

export const forgotPasswordForm = z.object({ email })

export const newPasswordForm = z.object(newPassword).refine(passwordsMatch, passwordMismatch)

export const changePasswordForm = z
  .object({ oldPassword: password, ...newPassword })
  .refine(passwordsMatch, passwordMismatch)

export const changeEmailForm = z.object({ email })

/** An account's password, as proof of ownership. */
export const passwordForm = z.object({ password })
