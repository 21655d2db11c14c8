import type { Refusal } from './rule.ts'
import { isVisible, streamSafe } from './text.ts'

/** Lower-case, 3 to 30 of a-z 0-9 . _ - and starting and ending in a letter or digit. */
export const usernamePattern = /^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/

/** Names that would look official or collide with a path. */
export const reservedUsernames: ReadonlySet<string> = new Set(
  `about account activity admin administrator api app assets billing book books contact dashboard
  demo explore help home info login logout mail mailbox me moderator new null octavo official
  password premium pricing privacy profile profiles root scan search security settings shelf
  shelves signup staff status subscribe support system terms undefined user users webmaster
  wishlist www`.split(/\s+/),
)

/** Whether a lower-case username is a reserved word or looks like one: `0ctavo`, `ad.min`. */
export function isReservedUsername(username: string): boolean {
  return reservedUsernames.has(username) || reservedShapes.has(shapeOf(username))
}

const lookAlikes: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '5': 's' }

function shapeOf(username: string): string {
  return username.replace(/[._-]/g, '').replace(/[01i5]/g, (letter) => lookAlikes[letter]!)
}

const reservedShapes: ReadonlySet<string> = new Set([...reservedUsernames].map(shapeOf))

/**
 * Cleans a display name: removes direction marks, invisible characters and extra spaces. Joiners
 * stay, as Persian and emoji need them, but not alone.
 */
export function cleanName(name: string): string {
  if (!isVisible(name)) return ''
  return streamSafe(name)
    .normalize('NFC')
    .replace(/[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** The longest name, in characters. */
const maxNameLength = 100

/** A reader's names and privacy. */
export interface ProfileForm {
  name: string
  username: string
  isPrivate: boolean
}

/**
 * Parses a form into stored values; blank fields keep the current values.
 *
 * @param current the stored values
 * @returns the values, and why each invalid field is refused
 */
export function parseProfileForm(
  form: ProfileForm,
  current: ProfileForm,
): { values: ProfileForm; wrong: Partial<Record<'name' | 'username', Refusal>> } {
  const name = cleanName(form.name) || current.name
  const username = form.username.trim().toLowerCase() || current.username
  const wrong: Partial<Record<'name' | 'username', Refusal>> = {}
  if ([...name].length > maxNameLength)
    wrong.name = { key: 'charactersAtMost', params: { name: 'name', max: maxNameLength } }
  if (!usernamePattern.test(username)) wrong.username = { key: 'username' }
  else if (username !== current.username && isReservedUsername(username))
    wrong.username = { key: 'usernameReserved' }
  return { values: { name, username, isPrivate: form.isPrivate }, wrong }
}
