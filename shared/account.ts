import * as z from 'zod'

const email = z.email('Must be a valid email address.').max(255, 'Must be a valid email address.')

/** 8 to 71 characters, counted as code points. */
const password = (name: string) =>
  z
    .string()
    .refine((value) => [...value].length >= 8, `${name} must be at least 8 character(s)`)
    .refine((value) => [...value].length <= 71, `${name} must not exceed 71 character(s)`)

export const loginForm = z.object({ email, password: password('Password') })

const isTwice = (form: { password: string; confirmPassword: string }) =>
  form.password === form.confirmPassword

const notTwice = {
  path: ['confirmPassword'],
  message: 'Passwords do not match',
  // Said beside the other errors, not only once they are gone.
  when: () => true,
}

export const signUpForm = z
  .object({
    email,
    password: password('Password'),
    confirmPassword: password('Confirm password'),
  })
  .refine(isTwice, notTwice)

/** Digits of the mailed code, and its life in seconds. */
export const otp = { digits: 6, life: 180, tries: 5 } as const

/** How long a browser that a reader trusts is asked for no code. */
export const trust = { days: 30 } as const

export const otpForm = z.object({
  code: z.string().regex(/^\d{6}$/, 'The code has 6 digits.'),
})

export type LoginForm = z.infer<typeof loginForm>
export type SignUpForm = z.infer<typeof signUpForm>

/** Lower-case, 3 to 30 of a-z 0-9 . _ - and starting and ending in a letter or digit. */
export const usernamePattern = /^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/

/** Names that would read as the house itself, or collide with a path. */
export const reservedUsernames: ReadonlySet<string> = new Set(
  `about account activity admin administrator api app assets billing book books contact dashboard
  demo explore help home info login logout mail mailbox me moderator new null octavo official
  password premium pricing privacy profile profiles root scan search security settings shelf
  shelves signup staff status subscribe support system terms undefined user users webmaster
  wishlist www`.split(/\s+/),
)

export const usernameSentences = {
  pattern:
    'Username must be 3 to 30 of the letters a-z, digits, dots, underscores and hyphens, with a letter or digit at both ends.',
  reserved: 'This username is reserved.',
} as const

/** Whether a lower-case username is a reserved word, or would be read as one: `0ctavo`, `ad.min`. */
export function isReservedUsername(username: string): boolean {
  return reservedUsernames.has(username) || reservedShapes.has(shapeOf(username))
}

const lookAlikes: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '5': 's' }

function shapeOf(username: string): string {
  return username.replace(/[._-]/g, '').replace(/[01i5]/g, (letter) => lookAlikes[letter]!)
}

const reservedShapes: ReadonlySet<string> = new Set([...reservedUsernames].map(shapeOf))

/**
 * A name as it is shown: without what turns the direction of the text around it, what cannot be
 * seen, and runs of space. The joiners that Persian and emoji are written with stay.
 */
export function cleanName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** How long a reader's name may be, in characters. */
export const nameAtMost = 100

/** What a reader is called; blank fields stand for what they are called already. */
export const profileForm = z.object({
  name: z
    .string()
    .transform(cleanName)
    .refine(
      (name) => [...name].length <= nameAtMost,
      `Name cannot exceed ${nameAtMost} characters.`,
    ),
  username: z
    .string()
    .transform((username) => username.trim().toLowerCase())
    .refine((username) => !username || usernamePattern.test(username), usernameSentences.pattern),
  isPrivate: z.boolean(),
})

export const forgotPasswordForm = z.object({ email })

export const newPasswordForm = z
  .object({
    password: password('Password'),
    confirmPassword: password('Confirm password'),
  })
  .refine(isTwice, notTwice)

export const changePasswordForm = z
  .object({
    oldPassword: password('Current password'),
    password: password('Password'),
    confirmPassword: password('Confirm password'),
  })
  .refine(isTwice, notTwice)

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

export interface Settings {
  id: string
  user: string
  background: string
  isPrivate: boolean
  default_add_status: string
}
