import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Core } from '../write/core.ts'
import { text } from '../database/columns.ts'
import type { Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { ApiError } from '../errors.ts'
import { codeAttempts } from '../limits/attempts.ts'
import { newId } from '../random.ts'
import { lockRow } from '../write/rows.ts'
import type { AuthCollection, Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { WriteContext } from '../write/context.ts'

/**
 * Begins a half-done sign-in: the password was right and the code is still to come.
 *
 * @param account as read when the password was checked
 * @returns the sign-in's id; null if the password has changed since
 */
export async function startMfa(
  tx: WriteContext,
  collection: AuthCollection,
  account: StoredRecord,
  now: number,
): Promise<string | null> {
  const stored = await lockRow(tx, collection, account.id, 'refer')
  if (stored?.['password'] !== account['password']) return null
  const id = newId()
  const expires = now + collection.auth.mfa.life * 1000
  await modify(tx, '_mfas', sql`DELETE FROM _mfas WHERE expires <= ${now}`)
  await modify(
    tx,
    '_mfas',
    sql`INSERT INTO _mfas (id, collection, record, method, created, expires) VALUES (${id}, ${collection.id}, ${account.id}, 'password', ${now}, ${expires})`,
  )
  return id
}

/**
 * @returns the id of a half-done sign-in's account; null if the sign-in is unknown or has expired
 */
export async function findMfaAccount(
  { database, now }: Pick<Core, 'database' | 'now'>,
  collection: Collection,
  mfaId: string,
): Promise<string | null> {
  const [row] = await query(
    database,
    sql`SELECT record FROM _mfas WHERE id = ${mfaId} AND collection = ${collection.id} AND expires > ${now().getTime()}`,
    { record: text },
  )
  return row?.record ?? null
}

/**
 * Refuses a password as the second step of a sign-in: the first step was the password already.
 *
 * @param record the account whose password was right
 * @param mfaId the half-done sign-in that the password was meant to complete
 * @throws ApiError 400 always
 */
export async function refuseSecondPassword(
  core: Pick<Core, 'database' | 'now'>,
  collection: Collection,
  record: string,
  mfaId: string,
): Promise<never> {
  const begun = await findMfaAccount(core, collection, mfaId)
  if (begun === null) throw new ApiError(400, 'Invalid or expired MFA session.')
  const isOwn = begun === record
  throw new ApiError(
    400,
    isOwn ? 'A different authentication method is required.' : 'Invalid MFA session.',
  )
}

/**
 * Starts the life of the code that was just mailed to an address: mail can take longer than a code
 * lives.
 */
export async function startOtpLife(
  { database, now }: Pick<Core, 'database' | 'now'>,
  { id, auth }: Collection,
  email: string,
): Promise<void> {
  const expires = now().getTime() + (auth?.otp.life ?? 0) * 1000
  await database.transaction((tx) =>
    modify(
      tx,
      '_otps',
      sql`UPDATE _otps SET expires = ${expires} WHERE collection = ${id} AND email = ${email} AND NOT dead AND expires > ${expires}`,
    ),
  )
}

/** Deletes a code whose mail couldn't be sent. */
export async function deleteOtp(tx: Transaction, otpId: string): Promise<void> {
  await modify(tx, '_otps', sql`DELETE FROM _otps WHERE id = ${otpId}`)
}

interface Attempt {
  otpId: string
  code: string
  mfaId: string
}

/**
 * Counts an attempt at a code and checks it. The count is stored with the code and stays whatever
 * the request's outcome, so that using many network addresses gives a guesser no more attempts.
 *
 * @param onLockout called when an account is locked out, with the lockout's length in milliseconds
 * @returns the account, and the address the code was sent to
 * @throws ApiError 400, the same whether the code is wrong, used, out of attempts, expired or
 *   unknown; 429 after too many wrong codes
 */
export async function verifyOtp(
  core: Core,
  collection: AuthCollection,
  attempt: Attempt,
  { secret, onLockout }: { secret: string; onLockout: (record: string, wait: number) => void },
): Promise<{ record: string; email: string }> {
  const now = core.now().getTime()
  let ofSession = sql``
  if (collection.auth.mfa.life > 0) {
    const account = await findMfaAccount(core, collection, attempt.mfaId)
    // A stranger without the password can't use up the owner's attempts.
    if (account === null) throw new ApiError(400, 'Invalid or expired MFA session.')
    ofSession = sql` AND record = ${account}`
  }
  const [row] = await core.database.transaction((tx) =>
    modify(
      tx,
      '_otps',
      sql`UPDATE _otps SET tries = tries + 1 WHERE id = ${attempt.otpId} AND collection = ${collection.id}${ofSession} AND tries < ${collection.auth.otp.tries} AND NOT dead AND expires > ${now} RETURNING hash, record, email`,
      { hash: text, record: text, email: text },
    ),
  )
  if (!row) throw invalidOtp()
  const { hash, record, email } = row
  return core.limits.attempt(
    codeAttempts(record, (wait) => onLockout(record, wait)),
    async () => {
      const expected = Buffer.from(otpHash(secret, attempt.otpId, attempt.code))
      if (!timingSafeEqual(expected, Buffer.from(hash))) throw invalidOtp()
      return { record, email }
    },
  )
}

/**
 * Deletes a correct code, and the half-done sign-in it completes.
 *
 * @throws ApiError 400 if another request used it first
 */
export async function consumeOtp(
  tx: WriteContext,
  collection: AuthCollection,
  attempt: Attempt,
): Promise<void> {
  const now = tx.core.now().getTime()
  const used = await modify(
    tx,
    '_otps',
    sql`DELETE FROM _otps WHERE id = ${attempt.otpId} AND NOT dead AND expires > ${now} RETURNING id`,
  )
  if (!used.length) throw invalidOtp()
  if (collection.auth.mfa.life <= 0) return
  if ((await consumeMfa(tx, attempt.mfaId)) === null)
    throw new ApiError(400, 'Invalid or expired MFA session.')
}

/** @returns the account of the half-done sign-in that is now completed; null if there is none */
export async function consumeMfa(tx: WriteContext, mfaId: string): Promise<string | null> {
  const now = tx.core.now().getTime()
  const [completed] = await modify(
    tx,
    '_mfas',
    sql`DELETE FROM _mfas WHERE id = ${mfaId} AND expires > ${now} RETURNING record`,
    { record: text },
  )
  return completed?.record ?? null
}

function invalidOtp(): ApiError {
  return new ApiError(400, 'Invalid or expired OTP.')
}

/**
 * Keyed with the server's secret: six digits are few enough to find from a stolen table of plain
 * hashes.
 */
export function otpHash(secret: string, otpId: string, code: string): string {
  return createHmac('sha256', secret).update(`otp ${otpId} ${code}`).digest('hex')
}
