import { sql } from 'kysely'
import type { Hooks, WriteTransaction } from '#records/index.ts'
import { reservedUsernames, usernamePattern } from '#shared/account.ts'
import { query } from '#server/query.ts'
import { refuse, type Wrong } from '#server/library/refusal.ts'
import { suggestUsername } from './username.ts'

/** What is true about accounts: one spelling of a name and an address, and their settings. */
export const userHooks: Hooks = {
  async prepare({ action, before, after }, tx) {
    if (!after) return
    const wrong: Wrong = {}
    after.email = asciiLower(String(after.email))
    // Look-alikes of other scripts would be a second account for one address.
    if (/[^\u0021-\u007E]/.test(String(after.email))) wrong.email = notAnEmail
    after.username = asciiLower(String(after.username).trim()) || before?.username
    after.username ??= await freeUsername(tx)
    after.name = String(after.name).trim()
    const username = String(after.username)
    if (!usernamePattern.test(username)) wrong.username = notAUsername
    else if (username !== before?.username && reservedUsernames.has(username))
      wrong.username = reserved
    refuse(action, wrong)
  },

  async applied({ action, after }, tx) {
    if (action !== 'create' || !after) return
    await tx.create('settings', {
      user: after.id,
      isPrivate: false,
      default_add_status: 'reading',
    })
  },
}

const notAnEmail = { code: 'validation_is_email', message: 'Must be a valid email address.' }
const notAUsername = {
  code: 'validation_invalid_format',
  message:
    'Username must be 3 to 30 of the letters a-z, digits, dots, underscores and hyphens, with a letter or digit at both ends.',
}
const reserved = { code: 'validation_not_in_invalid', message: 'This username is reserved.' }

/** Only ASCII: everything else is refused by the patterns, and must not fold into a match. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

async function freeUsername(tx: WriteTransaction): Promise<string> {
  for (let tries = 0; ; tries++) {
    const name = suggestUsername(tries)
    const taken = await query(tx, sql`SELECT 1 FROM users WHERE username = ${name}`)
    if (taken.length === 0) return name
  }
}
