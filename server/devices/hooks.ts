import { sql } from 'kysely'
import { formatDate, prepared } from '#records/index.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { roomFor } from '#server/library/room.ts'
import { isOwnBook, unknownBook } from '#server/library/readings.ts'
import type { LibraryChange, LibraryHooks, LibraryTransaction } from '#server/collections/stored.ts'
import { fieldError } from '#server/http/field-error.ts'
import { connectionForm, isService, maxConnections, serviceForm } from '#shared/connection.ts'
import { effectOf, takeBack } from './binding.ts'
import { authKey, hashKey, randomTypable } from './password.ts'
import { modify } from '#server/storage/query.ts'
import { recentPushes } from './pushes.ts'
import type { Services } from './service-client.ts'

/**
 * Hooks of connections: a device's gets a username and a password, which are shown once, and a
 * service is asked as soon as it is there or changed.
 *
 * @param mayReach whether a service's address may be asked
 * @param wake called when a service is to be asked
 * @param readwise the address of Readwise, which readers don't choose
 */
export function connectionHooks(
  mayReach: Services['mayReach'],
  wake: () => void,
  readwise: string,
): LibraryHooks<'connections'> {
  return {
    async prepare(change, tx) {
      const { action, before, after } = change
      if (!after) return
      const wrong: FieldProblems = {}
      const form = checkSchema(connectionForm, after, wrong)
      if (after.kind === 'readwise') after.address = readwise
      else after.sends = false
      const service = isService(after.kind) && checkService(change, mayReach, wrong)
      throwFieldErrors(action, wrong)
      Object.assign(after, form, service || noService)
      if (service && asked.some((name) => before?.[name] !== after[name]))
        Object.assign(after, { problem: '', tries: 0, due: formatDate(new Date()) })
      if (before) return
      await requireRoom(tx, after.user)
      if (service) return
      const password = randomTypable()
      after.username = await freeUsername(tx, after.user)
      after.secret = hashKey(authKey(password))
      change.revealed = { username: after.username, password }
    },
    async applied({ before, after, request }, tx) {
      if (before && !after) await forgetSent(tx, before.id)
      if (request && after && isService(after.kind)) wake()
    },
  }
}

/** Forgets what has been sent to a service that is revoked. */
const forgetSent = (tx: LibraryTransaction, connection: string) =>
  modify(tx, 'sent_quotes', sql`DELETE FROM sent_quotes WHERE connection = ${connection}`)

/** What a service is asked anew with, and what devices don't have. */
const asked = ['address', 'token', 'paused', 'sends'] as const
const noService = { address: '', token: '', sends: false }

/** @returns the service's address and token, as far as they are right */
function checkService(
  { before, after }: LibraryChange<'connections'>,
  mayReach: Services['mayReach'],
  wrong: FieldProblems,
) {
  const form = checkSchema(serviceForm, after, wrong)
  const isMoved = before !== null && form !== undefined && form.address !== before.address
  if (form && form.address !== before?.address && !mayReach(form.address))
    wrong['address'] = fieldError('connectionNetwork')
  // Or whoever has the session for a moment could have the token sent to themselves.
  if (isMoved && after?.kind !== 'readwise' && after?.token === before.token)
    wrong['token'] = fieldError('connectionToken')
  return form
}

const requireRoom = roomFor('connections', {
  max: maxConnections,
  field: 'name',
  rule: 'tooManyConnections',
})

/** @returns the reader's username with two more characters that no other connection has */
async function freeUsername(tx: LibraryTransaction, user: string): Promise<string> {
  const reader = await tx.find('users', user)
  for (let length = 2; ; length++) {
    const username = `${reader?.username}-${randomTypable(length)}`
    if ((await withName(tx, { username })).length === 0) return username
  }
}

const withName = prepared<{ username: unknown }>(
  (value) => sql`SELECT 1 FROM connections WHERE username = ${value('username')}`,
)

/**
 * Hooks of the books on a reader's devices: when the reader says which book it is, recent pushes are
 * applied to it, and what was applied to another one is taken back.
 *
 * @param wake called when pushes are to be applied
 */
export function deviceBookHooks(now: () => Date, wake: () => void): LibraryHooks<'device_books'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!before || !after || !request || before.book_key === after.book_key) return
      const wrong: FieldProblems = {}
      if (after.book_key && !(await isOwnBook(tx, after))) wrong['book_key'] = unknownBook
      throwFieldErrors(action, wrong)
      after.pushes = recentPushes(after.pushes, now()).map((push) => ({ ...push, applied: false }))
      after.effect = null
      // The job may have applied some of its days.
      if (before.pending && !before.timed_key) after.timed_key = before.book_key
      // Or taken some of them back.
      else if (after.book_key === before.timed_key) after.timed_key = ''
      after.pending = after.book_key !== '' || after.timed_key !== ''
    },
    async applied({ before, after, request }, tx) {
      if (!request) return
      const effect = before && effectOf(before)
      if (after && effect && before.book_key !== after.book_key) await takeBack(tx, before, effect)
      wake()
    },
  }
}
