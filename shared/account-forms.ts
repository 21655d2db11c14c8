import * as z from 'zod'

const email = z.email('Must be a valid email address.').max(255, 'Must be a valid email address.')

/** 8 to 71 characters, counted as code points. */
const password = (name: string) =>
  z
    .string()
    .refine((value) => [...value].length >= 8, `${name} must be at least 8 character(s)`)
    .refine((value) => [...value].length <= 71, `${name} must not exceed 71 character(s)`)

export const loginForm = z.object({ email, password: password('Password') })

const passwordsMatch = (form: { password: string; confirmPassword: string }) =>
  form.password === form.confirmPassword

const passwordMismatch = {
  path: ['confirmPassword'],
  message: 'Passwords do not match',
  // Checked even if other fields are invalid.
  when: () => true,
}

const newPassword = {
  password: password('Password'),
  confirmPassword: password('Confirm password'),
}

export const signUpForm = z
  .object({ email, ...newPassword })
  .refine(passwordsMatch, passwordMismatch)
export type SignUpForm = z.infer<typeof signUpForm>

export const otpForm = z.object({
  code: z.string().regex(/^\d{6}$/, 'Enter the 6-digit code.'),
})

export const forgotPasswordForm = z.object({ email })

export const newPasswordForm = z.object(newPassword).refine(passwordsMatch, passwordMismatch)

export const changePasswordForm = z
  .object({ oldPassword: password('Current password'), ...newPassword })
  .refine(passwordsMatch, passwordMismatch)

export const changeEmailForm = z.object({ email })

/** An account's password, as proof of ownership. */
export const passwordForm = z.object({ password: password('Password') })
