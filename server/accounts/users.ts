import { sql } from 'kysely'
import { newSettings } from '#server/collections/schema.ts'
import type { LibraryChange, LibraryHooks, LibraryTransaction } from '#server/collections/stored.ts'
import { cleanName, isReservedUsername, usernamePattern } from '#shared/username.ts'
import { dropQueued } from '#server/library/completion-queue.ts'
import { detachCustomer } from '#server/billing/customers.ts'
import { query } from '#server/storage/query.ts'
import type { SignUps } from '#shared/sign-up.ts'
import { fieldError } from '#server/http/field-error.ts'
import { throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { deleteWaitingMails } from '#server/mail/outbox.ts'
import { detachReports } from '#server/moderation/reports.ts'
import { retireUsernames, isReservedForAnother, reserveUsername } from './former-usernames.ts'
import { admitSignUp } from './invitations.ts'
import { suggestUsername } from './username.ts'

/**
 * Hooks of accounts: unique names and addresses whatever their spelling, and the settings record.
 *
 * @param signUps who can sign up
 * @param onForget called with the email of each deleted account
 */
export function userHooks(
  now: () => Date,
  signUps: SignUps,
  onForget: (email: string) => void,
): LibraryHooks<'users'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after) return
      if (action === 'create') await admitSignUp(tx, signUps, request, now())
      const wrong: FieldProblems = {}
      after.email = asciiLower(after.email)
      // Look-alike characters would allow a second account for one address.
      if (/[^\u0021-\u007E]/.test(after.email)) wrong.email = notAnEmail
      after.username =
        asciiLower(after.username.trim()) || (before?.username ?? (await freeUsername(tx)))
      after.name = cleanName(after.name)
      const { username } = after
      if (!usernamePattern.test(username)) wrong.username = notAUsername
      else if (username !== before?.username && isReservedUsername(username))
        wrong.username = reserved
      throwFieldErrors(action, wrong)
    },

    async applied(change, tx) {
      await settleUsername(change, tx, now())
      if (change.action === 'delete' && change.before) {
        await detachCustomer(tx, change.before.id, now())
        await detachReports(tx, change.before.id)
        await dropQueued(tx, change.before.id)
        const { email } = change.before
        await deleteWaitingMails(tx, email)
        tx.afterCommit(() => onForget(email))
      }
      if (change.action !== 'create' || !change.after) return
      await tx.create('settings', { user: change.after.id, ...newSettings })
    },
  }
}

/** Reserves a changed username for its reader, and retires that of a deleted account. */
async function settleUsername(
  { action, before, after }: LibraryChange<'users'>,
  tx: LibraryTransaction,
  now: Date,
): Promise<void> {
  if (after && after.username !== before?.username) {
    const isKept = await isReservedForAnother(tx, after.username, after.id, now)
    // The same error as for a name in use, so that nobody learns which of the two it is.
    throwFieldErrors(action, isKept ? { username: taken } : {})
    if (before) await reserveUsername(tx, before.username, before.id, now)
  }
  if (before && !after) await retireUsernames(tx, before.username, before.id, now)
}

const notAnEmail = { code: 'validation_is_email', message: 'Must be a valid email address.' }
const notAUsername = fieldError('username', {}, 'validation_invalid_format')
const reserved = fieldError('usernameReserved', {}, 'validation_not_in_invalid')
const taken = { code: 'validation_not_unique', message: 'Value must be unique.' }

/** Only ASCII: the patterns refuse everything else, which must not fold into a match. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

async function freeUsername(tx: LibraryTransaction): Promise<string> {
  for (let tries = 0; ; tries++) {
    const name = suggestUsername(tries)
    const taken = await query(
      tx,
      sql`SELECT 1 FROM users WHERE username = ${name}
        UNION SELECT 1 FROM former_usernames WHERE username = ${name}`,
    )
    if (taken.length === 0) return name
  }
}
