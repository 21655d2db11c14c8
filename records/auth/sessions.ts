import { memo } from '../memo.ts'
import { sql } from 'kysely'
import type { RequestInfo } from '../filter/request.ts'
import { named, number, text } from '../database/columns.ts'
import type { Db, Dialect, Statement, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { bind, placeholder } from '../database/placeholder.ts'
import { newId } from '../random.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { textType } from '../schema/table.ts'
import { toRecord, type StoredRecord } from '../schema/values.ts'
import type { Sessions } from '../write/core.ts'
import { endApiTokens } from './api-tokens.ts'
import type { Rotation } from './rotation.ts'

/** The tables of sessions, codes and half-done sign-ins; see `authTables` in ./tables.ts. */
export function sessionTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  const id = `id ${text} PRIMARY KEY, collection ${text}, record ${text}`
  return [
    `CREATE TABLE _sessions (${id}, created BIGINT NOT NULL, used BIGINT NOT NULL)`,
    `CREATE INDEX _sessions_record ON _sessions (record)`,
    `CREATE INDEX _sessions_used ON _sessions (used)`,
    // `hash` is keyed with the server's secret; `dead` codes are kept to count the mails sent.
    `CREATE TABLE _otps (${id}, hash ${text}, email ${text}, tries INTEGER NOT NULL DEFAULT 0,
      dead BOOLEAN NOT NULL DEFAULT FALSE, created BIGINT NOT NULL, expires BIGINT NOT NULL)`,
    `CREATE INDEX _otps_record ON _otps (record, created)`,
    `CREATE INDEX _otps_expires ON _otps (expires)`,
    `CREATE TABLE _mfas (${id}, method ${text}, created BIGINT NOT NULL, expires BIGINT NOT NULL)`,
    `CREATE INDEX _mfas_record ON _mfas (record)`,
    `CREATE INDEX _mfas_expires ON _mfas (expires)`,
  ]
}

interface Session extends Rotation {
  id: string
  created: number
  used: number
  /** The account as it is stored now. */
  record: StoredRecord
}

/** The browser and device a session began on. */
interface SessionOrigin {
  agent: string
  /** The trusted device's id; '' if it isn't one. */
  device: string
}

/** The account and session at a provider from which a session came; all '' if from none. */
export interface ProviderOrigin {
  provider: string
  providerId: string
  /** '' if the provider doesn't name its sessions. */
  providerSession: string
}

const noProvider: ProviderOrigin = { provider: '', providerId: '', providerSession: '' }

/** @returns the User-Agent header, cut to the length that is stored */
export function userAgentOf({ headers }: RequestInfo): string {
  return (headers['user_agent'] ?? '').slice(0, 200)
}

/** @returns the id of a new session of the account */
export async function startSession(
  tx: Transaction,
  collection: Collection,
  record: string,
  { agent, device, now, from = noProvider }: SessionOrigin & { now: number; from?: ProviderOrigin },
): Promise<string> {
  const id = newId() + newId()
  await modify(
    tx,
    '_sessions',
    sql`INSERT INTO _sessions (id, collection, record, created, used, agent, device, provider, "providerId", "providerSession") VALUES (${id}, ${collection.id}, ${record}, ${now}, ${now}, ${agent}, ${device}, ${from.provider}, ${from.providerId}, ${from.providerSession})`,
  )
  // Delete idle sessions, a few at a time to keep sign-in fast.
  const idle = now - (collection.auth?.sessionIdle ?? 0) * 1000
  await modify(
    tx,
    '_sessions',
    sql`DELETE FROM _sessions WHERE id IN (SELECT id FROM _sessions WHERE used < ${idle} AND collection = ${collection.id} LIMIT 50)`,
  )
  return id
}

/** Runs on every request with a session, so it is compiled once per collection and database. */
const readStatement = memo((collection: Collection) =>
  memo((dialect: Dialect): Statement => {
    const columns = sql.join(collection.fields.map((field) => sql.ref(`account.${field.name}`)))
    const id = placeholder<string>((session) => session)
    return dialect.compile(
      sql`SELECT _sessions.created, _sessions.used, _sessions.generation, _sessions.replaced, ${columns} FROM _sessions JOIN ${sql.table(collection.name)} AS account ON account.id = _sessions.record WHERE _sessions.id = ${id} AND _sessions.collection = ${sql.lit(collection.id)}`,
    )
  }),
)

/**
 * @returns the session and its account, read in one statement; null if either is gone or the
 *   session has expired
 */
export async function readSession(
  db: Db,
  collection: Collection,
  id: string,
  now: number,
): Promise<Session | null> {
  const statement = readStatement(collection)(db.dialect)
  const [row] = await db.query(statement.sql, bind(statement.parameters, id))
  if (!row || !collection.auth) return null
  const session = named([row], sessionColumns)[0]!
  const ends = Math.min(
    session.created + collection.auth.sessionLife * 1000,
    session.used + collection.auth.sessionIdle * 1000,
  )
  if (ends <= now) return null
  return { id, ...session, record: toRecord(collection, row.slice(4)) }
}

/** The session's own columns; those of its account follow. */
const sessionColumns = { created: number, used: number, generation: number, replaced: text }

/** Records the session's last use, which keeps it from expiring as idle. */
export async function touchSession(tx: Transaction, id: string, now: number): Promise<void> {
  await modify(tx, '_sessions', sql`UPDATE _sessions SET used = ${now} WHERE id = ${id}`)
}

/** @returns the account's open sessions, most recently used first */
export async function listSessions(
  db: Db,
  collection: Collection,
  record: string,
  now: number,
): Promise<(Pick<Session, 'id' | 'created' | 'used'> & SessionOrigin)[]> {
  const { sessionLife = 0, sessionIdle = 0 } = collection.auth ?? {}
  return query(
    db,
    sql`SELECT id, created, used, agent, device FROM _sessions WHERE record = ${record} AND collection = ${collection.id} AND created > ${now - sessionLife * 1000} AND used > ${now - sessionIdle * 1000} ORDER BY used DESC, id`,
    { id: text, created: number, used: number, agent: text, device: text },
  )
}

/** @returns the user agent that began the session; null if the account had no such session */
export async function endOneSession(
  tx: Transaction,
  record: string,
  id: string,
): Promise<Pick<SessionOrigin, 'agent'> | null> {
  const [ended] = await modify(
    tx,
    '_sessions',
    sql`DELETE FROM _sessions WHERE id = ${id} AND record = ${record} RETURNING agent`,
    { agent: text },
  )
  return ended ?? null
}

/**
 * Ends the sessions that came from a session at a provider, or from all of an account there.
 *
 * @param from without a `providerId` for any account, without a `providerSession` for all sessions.
 *   Sessions whose one at the provider is unknown count as the named one.
 * @returns the sessions and their records
 */
export async function endProviderSessions(
  tx: Transaction,
  collection: Collection,
  { provider, providerId, providerSession }: ProviderOrigin,
): Promise<{ id: string; record: string }[]> {
  const ofAccount = sql`"providerId" = ${providerId}`
  const ofSession = sql`"providerSession" = ${providerSession}`
  const which = !providerSession
    ? ofAccount
    : !providerId
      ? ofSession
      : sql`${ofAccount} AND (${ofSession} OR "providerSession" = '')`
  return modify(
    tx,
    '_sessions',
    sql`DELETE FROM _sessions WHERE collection = ${collection.id} AND provider = ${provider} AND ${which} RETURNING id, record`,
    { id: text, record: text },
  )
}

/** Ends an account's sessions and half-done sign-ins, and forgets its trusted devices. */
export async function endAccountSessions(tx: Transaction, record: string): Promise<void> {
  for (const table of ['_sessions', '_otps', '_mfas', '_devices'])
    await modify(tx, table, sql`DELETE FROM ${sql.table(table)} WHERE record = ${record}`)
}

/** For writes of accounts. */
export const sessionsOf = (schema: Schema): Sessions => ({
  async end(tx, record) {
    await endAccountSessions(tx, record)
    await endApiTokens(tx, schema, record)
  },
  async forgetOrigins(tx, record) {
    await modify(tx, '_authOrigins', sql`DELETE FROM "_authOrigins" WHERE record = ${record}`)
  },
  async forgetAccount(tx, record) {
    for (const table of ['_mailLinks', '_externalAuths', '_authOrigins', '_passkeys'])
      await modify(tx, table, sql`DELETE FROM ${sql.table(table)} WHERE record = ${record}`)
  },
})
