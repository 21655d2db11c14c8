import type { OwnStore } from './offer.ts'
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
  // Said beside the other errors, not only once they are gone.
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

/** Digits of the mailed code, and its life in seconds. */
export const otp = { digits: 6, life: 180, tries: 5 } as const

/** How long a browser that a reader trusts is asked for no code. */
export const trust = { days: 30 } as const

export const otpForm = z.object({
  code: z.string().regex(/^\d{6}$/, 'Enter the 6-digit code.'),
})

export const forgotPasswordForm = z.object({ email })

export const newPasswordForm = z.object(newPassword).refine(passwordsMatch, passwordMismatch)

export const changePasswordForm = z
  .object({ oldPassword: password('Current password'), ...newPassword })
  .refine(passwordsMatch, passwordMismatch)

export const changeEmailForm = z.object({ email })

/** The password of an account, to prove whose it is. */
export const passwordForm = z.object({ password: password('Password') })

/** A user as the API shows it; e-mail and verified only to the user. */
export interface User {
  id: string
  collectionId: string
  collectionName: string
  username: string
  name: string
  avatar: string
  email?: string
  verified?: boolean
}

/** A reader's public page. Numbers count each distinct book the viewer may see once. */
export interface Profile {
  id: string
  collectionId: string
  collectionName: string
  username: string
  name: string
  avatar: string
  background: string
  isPrivate: boolean
  /** Mean of the ratings above 0, 0 to 10; 0 when nothing is rated. */
  average_rating: number
  /** Distinct books on shelves. */
  books_count: number
  /** Distinct books finished; the "Books Read" of the statistics card. */
  books_read: number
  shelves_count: number
  pages_read: number
  created: string
}

/** A reader's subscription as the API shows it, to them alone. */
export interface Subscription {
  id: string
  user: string
  /** `active` is premium; anything else says why it is not. */
  status: string
  /** When it ends, if it was cancelled; else ''. */
  ends: string
  /** When at the latest a payment that failed must be made; else ''. */
  pay_by: string
}

export interface Settings {
  id: string
  user: string
  background: string
  isPrivate: boolean
  /** Whether the operator hides the profile from everybody else. */
  isHidden: boolean
  default_add_status: string
  /** Where books are bought, two letters; empty: not chosen. */
  country: string
  /** Stores of the reader's own. */
  stores: OwnStore[] | null
  /** One of `accents`; '' is the first. Shown with premium alone. */
  accent: string
  /** One of `languages`; '' is the browser's. */
  language: string
  /** One of `ratingScales`; '' is the first. */
  rating_scale: string
}
