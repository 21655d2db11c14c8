import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac, randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { flag, number, text } from '../database/columns.ts'
import type { Db, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { tooManyRequests, type ApiError } from '../errors.ts'
import { newId } from '../random.ts'
import { lockRow } from '../write/rows.ts'
import type { AuthCollection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { transact } from '../write/transaction.ts'
import { mailRecord } from './mail.ts'
import type { AccountDeps } from './mail-links.ts'
import { otpHash } from './otp.ts'

/** A mail with a code. */
export interface OtpMail {
  to: string
  code: string
  otpId: string
  /** The account, reduced by `mailRecord`. */
  record: StoredRecord
}

/** Codes sent to one account within the window. */
const maxSends = 3
const sendWindow = 10 * 60_000

/** Milliseconds to let the response go out first, as SQLite's writes block the process. */
const answered = 50

interface Deps extends AccountDeps {
  send(mail: OtpMail): void
}

interface OtpRequest {
  /** The account's id; '' if no account has the address, which must take as long. */
  record: string
  /** The half-done sign-in that the viewer names; '' for none. */
  mfaId: string
}

/**
 * Mails a code. A viewer who names a live half-done sign-in has already given the account's
 * password, and gets a new code that replaces the last one. Anyone else may be a stranger: they can
 * have the sign-in's first code mailed to its owner, but can neither replace it nor use up the
 * mails allowed.
 *
 * @returns the code's id; a made-up one if no code is sent, there is no account or no half-done
 *   sign-in
 * @throws ApiError 429 for a viewer who names a live sign-in and was sent three codes in ten
 *   minutes
 */
export async function requestOtp(
  deps: Deps,
  collection: AuthCollection,
  request: OtpRequest,
): Promise<string> {
  const { core, secret } = deps
  const plan = await planOtp(core.database, collection, request, secret, core.now().getTime())
  if (plan.isNamed) return startOtp(deps, collection, request)
  // Creating a code takes time, which must not show in the response time.
  if (plan.sends)
    deps.background(
      setTimeout(answered).then(() => startOtp(deps, collection, request, plan.otpId)),
    )
  return plan.otpId
}

/** @param promised the id that the response has already named */
async function startOtp(
  deps: Deps,
  collection: AuthCollection,
  request: OtpRequest,
  promised?: string,
): Promise<string> {
  const { core, secret } = deps
  // The commit may run in another request's async context.
  const inRequest = AsyncLocalStorage.snapshot()
  return transact(core, async (tx) => {
    const account = await lockRow(tx, collection, request.record, 'update')
    if (!account) return newId()
    const now = core.now().getTime()
    const plan = await planOtp(tx, collection, request, secret, now)
    if (!plan.sends) return plan.otpId
    const otpId = promised ?? plan.otpId
    const mail = await makeOtp(tx, collection, account, { otpId, secret, now })
    tx.afterCommit(() => inRequest(() => deps.send(mail)))
    return otpId
  })
}

interface OtpPlan {
  otpId: string
  /** Whether to create and mail a code with this id. */
  sends: boolean
  /** Whether the viewer named a live sign-in of the account. */
  isNamed: boolean
}

async function planOtp(
  db: Db,
  collection: AuthCollection,
  { record, mfaId }: OtpRequest,
  secret: string,
  now: number,
): Promise<OtpPlan> {
  const needsMfa = collection.auth.mfa.life > 0
  const halves = await query(
    db,
    sql`SELECT id, created FROM _mfas WHERE record = ${record} AND collection = ${collection.id} AND expires > ${now} ORDER BY created DESC, id`,
    { id: text, created: number },
  )
  const codes = await readCodes(db, collection, record, now)
  const isNamed = needsMfa && halves.some(({ id }) => id === mfaId)
  const nothing = (otpId = newId()): OtpPlan => ({ otpId, sends: false, isNamed })
  const newest = halves[0]
  if (!record || (needsMfa && !newest)) return nothing()
  const live = codes.find(({ isLive }) => isLive)
  const third = codes.filter(({ created }) => Math.abs(now - created) < sendWindow)[maxSends - 1]
  if (third && isNamed) throw sentTooOften(third.created + sendWindow - now)
  if (third) return nothing(live?.id)
  if (isNamed || !newest) return { otpId: newId(), sends: true, isNamed }
  if (live) return nothing(live.id)
  // The id is derived from the sign-in, so concurrent requests return the same code's id.
  const first = firstId(secret, newest.id)
  if (codes.some(({ id, created }) => created >= newest.created || id === first)) return nothing()
  return { otpId: first, sends: true, isNamed }
}

/** @returns the account's codes, newest first */
async function readCodes(
  db: Db,
  collection: AuthCollection,
  record: string,
  now: number,
): Promise<{ id: string; created: number; isLive: boolean }[]> {
  const rows = await query(
    db,
    sql`SELECT id, created, expires, dead, tries FROM _otps WHERE record = ${record} AND collection = ${collection.id} ORDER BY created DESC, id`,
    { id: text, created: number, expires: number, dead: flag, tries: number },
  )
  return rows.map(({ id, created, expires, dead, tries }) => ({
    id,
    created,
    isLive: !dead && expires > now && tries < collection.auth.otp.tries,
  }))
}

async function makeOtp(
  tx: Transaction,
  collection: AuthCollection,
  account: StoredRecord,
  { otpId, secret, now }: { otpId: string; secret: string; now: number },
): Promise<OtpMail> {
  const { otp, mfa } = collection.auth
  const code = String(randomInt(10 ** otp.digits)).padStart(otp.digits, '0')
  const email = String(account['email'])
  // Where a code alone signs in, anyone may request one, so a new code must not invalidate another.
  if (mfa.life > 0)
    await modify(tx, '_otps', sql`UPDATE _otps SET dead = TRUE WHERE record = ${account.id}`)
  await modify(tx, '_otps', sql`DELETE FROM _otps WHERE expires <= ${now - sendWindow}`)
  await modify(
    tx,
    '_otps',
    sql`INSERT INTO _otps (id, collection, record, hash, email, created, expires) VALUES (${otpId}, ${collection.id}, ${account.id}, ${otpHash(secret, otpId, code)}, ${email}, ${now}, ${now + (otp.life + (otp.delivery ?? 0)) * 1000})`,
  )
  return { to: email, code, otpId, record: mailRecord(collection, account) }
}

/** @returns the id of a half-done sign-in's first code, in the format of a record id */
function firstId(secret: string, mfaId: string): string {
  const hash = createHmac('sha256', secret).update(`first otp ${mfaId}`).digest('hex')
  return BigInt(`0x${hash}`).toString(36).padStart(15, '0').slice(-15)
}

function sentTooOften(wait: number): ApiError {
  const minutes = Math.max(1, Math.ceil(wait / 60_000))
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return tooManyRequests(wait, `Too many codes were sent. Please try again in ${when}.`)
}
