import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Core } from '../write/core.ts'
import { modify, query } from '../database/query.ts'
import { invalidForm, type ApiError, type FieldError } from '../errors.ts'
import { findRecord } from '../read/read.ts'
import { newId } from '../random.ts'
import { lockRow } from '../write/rows.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { transact } from '../write/transaction.ts'
import type { WriteContext } from '../write/context.ts'
import type { AuthMail } from './mail.ts'

/** Dependencies of the account operations. */
export interface AccountDeps {
  core: Core
  secret: string
  /** Sends a mail in the background; `undo` is called if that fails. */
  mail(mail: AuthMail, undo?: () => Promise<unknown>): void
  /** Runs work that no response waits for. */
  background: (work: Promise<unknown>) => void
}

/** The origin for links in a request's mails; undefined for the usual one. */
export type LinkOrigin = (c: Context) => string | undefined

/** @returns the dependencies for one request */
export function accountDepsFor(
  accounts: AccountDeps,
  linkOrigin: LinkOrigin | undefined,
): (c: Context) => AccountDeps {
  return (c) => {
    const origin = linkOrigin?.(c)
    const about = origin === undefined ? {} : { origin }
    // The commit may run in another request's async context.
    const inRequest = AsyncLocalStorage.snapshot()
    return {
      ...accounts,
      mail: (mail, undo) => inRequest(() => accounts.mail({ ...mail, ...about }, undo)),
    }
  }
}

type LinkKind = 'verification' | 'passwordReset' | 'emailChange'

/** A verified token from a link. */
export interface Link {
  id: string
  kind: LinkKind
  collection: Collection
  /** The account as it is stored now; its address is the one the token was made for. */
  account: StoredRecord
  /** The address to change to; '' for other kinds. */
  newEmail: string
  /**
   * Whether it was mailed to the account's address, which proves that whoever has it can read that
   * mail.
   */
  isMailed: boolean
}

/** Optional claims of a link's token. */
interface LinkOptions {
  newEmail?: string
  /** False for a link handed over in another way, which proves nothing about the address. */
  isMailed?: boolean
}

/** How long a link works, and how soon another of the same kind may be sent; milliseconds. */
const life = 30 * 60_000
const minInterval = 2 * 60_000

/** The `by` claim of a link that was not mailed. */
const byHand = 'hand'

/** Password attempts allowed per link. */
const maxTries = 5

/**
 * Creates a link's token and mails it after the commit. Each account gets at most one mail of a
 * kind in two minutes, across all processes.
 *
 * @param account locked by this transaction
 */
export async function sendLink(
  tx: WriteContext,
  deps: AccountDeps,
  collection: Collection,
  account: StoredRecord,
  kind: LinkKind,
  newEmail = '',
): Promise<void> {
  const now = tx.core.now().getTime()
  const recent = await query(
    tx,
    sql`SELECT 1 FROM "_mailLinks" WHERE record = ${account.id} AND kind = ${kind} AND created > ${now - minInterval} AND created < ${now + minInterval}`,
  )
  if (recent.length) return
  const { id, token, expires } = await makeLink(tx, deps, collection, account, kind, { newEmail })
  const mail: AuthMail = {
    kind,
    to: newEmail || String(account['email']),
    collection: collection.name,
    record: account,
    token,
    expires,
  }
  // A mail that failed to send must not delay the next one.
  const undo = () =>
    transact(tx.core, (again) =>
      modify(again, '_mailLinks', sql`DELETE FROM "_mailLinks" WHERE id = ${id}`),
    )
  tx.afterCommit(() => deps.mail(mail, undo))
}

/**
 * Creates a link's token; the caller delivers it to the account's owner.
 *
 * @param account locked by this transaction
 */
export async function makeLink(
  tx: WriteContext,
  { secret }: Pick<AccountDeps, 'secret'>,
  collection: Collection,
  account: StoredRecord,
  kind: LinkKind,
  { newEmail = '', isMailed = true }: LinkOptions = {},
): Promise<{ id: string; token: string; expires: Date }> {
  const now = tx.core.now().getTime()
  const id = newId()
  const expires = now + life
  await modify(tx, '_mailLinks', sql`DELETE FROM "_mailLinks" WHERE expires <= ${now}`)
  await modify(
    tx,
    '_mailLinks',
    sql`INSERT INTO "_mailLinks" (id, collection, record, kind, created, expires) VALUES (${id}, ${collection.id}, ${account.id}, ${kind}, ${now}, ${expires})`,
  )
  const claims = {
    type: kind,
    id: account.id,
    collectionId: collection.id,
    email: account['email'],
  }
  const optional = { ...(newEmail && { newEmail }), ...(!isMailed && { by: byHand }) }
  const token = await new SignJWT({ ...claims, ...optional })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(id)
    .setExpirationTime(Math.floor(expires / 1000))
    .sign(key(secret, kind, account))
  return { id, token, expires: new Date(expires) }
}

/**
 * Verifies a link's token.
 *
 * @throws ApiError 400 with the error of `token` if it is damaged, expired or of another kind, or
 *   if the account's password or address has changed since
 */
export async function verifyLink(
  deps: AccountDeps,
  collection: Collection,
  kind: LinkKind,
  token: string,
): Promise<Link> {
  const { core, secret } = deps
  const claims = decode(token)
  const owner = core.schema.find(claims.collectionId)
  if (claims.type !== kind || owner?.type !== 'auth') throw invalidToken()
  const account = await findRecord(core.database, owner, claims.id)
  if (!account || account['email'] !== claims.email) throw invalidToken()
  try {
    const verifying = { algorithms: ['HS256'], currentDate: core.now() }
    await jwtVerify(token, key(secret, kind, account), verifying)
  } catch (error) {
    throw invalidToken(error)
  }
  if (owner.id !== collection.id)
    throw refusedToken({
      code: 'validation_token_collection_mismatch',
      message: 'The provided token is for different auth collection.',
    })
  const isMailed = claims.by !== byHand
  return { id: claims.jti, kind, collection: owner, account, newEmail: claims.newEmail, isMailed }
}

/**
 * Counts an attempt at the link's password, whatever the request's outcome.
 *
 * @throws ApiError 400 after too many attempts, or if the link has been used
 */
export async function countLinkAttempt({ core }: AccountDeps, link: Link): Promise<void> {
  const counted = await core.database.transaction((tx) =>
    modify(
      tx,
      '_mailLinks',
      sql`UPDATE "_mailLinks" SET tries = tries + 1 WHERE id = ${link.id} AND NOT spent AND tries < ${maxTries} RETURNING id`,
    ),
  )
  if (!counted.length) throw invalidToken()
}

/**
 * Marks the link as used.
 *
 * @returns the account, locked, with the key the token was signed with
 * @throws ApiError 400 if another request was first
 */
export async function consumeLink(tx: WriteContext, link: Link): Promise<StoredRecord> {
  const account = await lockRow(tx, link.collection, link.account.id, 'update')
  if (account?.['tokenKey'] !== link.account['tokenKey']) throw invalidToken()
  const spent = await modify(
    tx,
    '_mailLinks',
    sql`UPDATE "_mailLinks" SET spent = TRUE WHERE id = ${link.id} AND kind = ${link.kind} AND record = ${account!.id} AND NOT spent AND expires > ${tx.core.now().getTime()} RETURNING id`,
  )
  if (!spent.length) throw invalidToken()
  return account!
}

/** @returns the error for a form whose token is invalid */
export function refusedToken(error: FieldError, cause?: unknown): ApiError {
  return invalidForm({ token: error }, cause)
}

function invalidToken(cause?: unknown): ApiError {
  const message = 'Invalid or expired token.'
  return refusedToken({ code: 'validation_invalid_token', message }, cause)
}

/** Reads a token's claims without verifying them. */
function decode(
  token: string,
): Record<'type' | 'id' | 'collectionId' | 'email' | 'newEmail' | 'by' | 'jti', string> {
  try {
    const claims: Readonly<Record<string, unknown>> = decodeJwt(token)
    const text = (name: string) => {
      const value = claims[name]
      return typeof value === 'string' && !value.includes('\0') ? value : ''
    }
    return {
      type: text('type'),
      id: text('id'),
      collectionId: text('collectionId'),
      email: text('email'),
      newEmail: text('newEmail'),
      by: text('by'),
      jti: text('jti'),
    }
  } catch (error) {
    throw invalidToken(error)
  }
}

/** A signing key bound to the kind of link and the account's current `tokenKey`. */
function key(secret: string, kind: LinkKind, account: StoredRecord): Uint8Array {
  return createHmac('sha256', secret)
    .update(`link ${kind} ${String(account['tokenKey'])}`)
    .digest()
}
