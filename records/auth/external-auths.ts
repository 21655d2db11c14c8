import { sql } from 'kysely'
import { named, number, text } from '../database/columns.ts'
import type { Db, Dialect, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { newId } from '../random.ts'
import type { Collection } from '../schema/collection.ts'
import { textType } from '../schema/table.ts'

/**
 * When the providers' accounts last signed in, which sessions came from them, and the logout tokens
 * that were used already.
 */
export function providerTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  return [
    `ALTER TABLE "_externalAuths" ADD COLUMN used BIGINT NOT NULL DEFAULT 0`,
    `ALTER TABLE _sessions ADD COLUMN provider ${text} DEFAULT ''`,
    `ALTER TABLE _sessions ADD COLUMN "providerId" ${text} DEFAULT ''`,
    `ALTER TABLE _sessions ADD COLUMN "providerSession" ${text} DEFAULT ''`,
    `CREATE INDEX _sessions_provider ON _sessions (provider, "providerId") WHERE provider <> ''`,
    `CREATE TABLE "_usedTokens" (id ${text} PRIMARY KEY, expires BIGINT NOT NULL)`,
    `CREATE INDEX "_usedTokens_expires" ON "_usedTokens" (expires)`,
  ]
}

/** An account at a provider, identified by its subject and never by its email address. */
interface ExternalAuth {
  provider: string
  providerId: string
}

/** @returns the id of the record that the provider's account signs in to; undefined if none */
export async function findExternalAuth(
  db: Db,
  collection: Collection,
  { provider, providerId }: ExternalAuth,
): Promise<string | undefined> {
  const [row] = await query(
    db,
    sql`SELECT record FROM "_externalAuths" WHERE collection = ${collection.id} AND provider = ${provider} AND "providerId" = ${providerId}`,
    { record: text },
  )
  return row?.record
}

/** @throws UniqueError if the provider's account or the record is already linked */
export async function addExternalAuth(
  tx: Transaction,
  collection: Collection,
  record: string,
  { provider, providerId }: ExternalAuth,
  now: number,
): Promise<void> {
  await modify(
    tx,
    '_externalAuths',
    sql`INSERT INTO "_externalAuths" (id, collection, record, provider, "providerId", created) VALUES (${newId()}, ${collection.id}, ${record}, ${provider}, ${providerId}, ${now})`,
  )
}

/** Notes that the provider's account has signed in. */
export async function touchExternalAuth(
  tx: Transaction,
  collection: Collection,
  { provider, providerId }: ExternalAuth,
  now: number,
): Promise<void> {
  await modify(
    tx,
    '_externalAuths',
    sql`UPDATE "_externalAuths" SET used = ${now} WHERE collection = ${collection.id} AND provider = ${provider} AND "providerId" = ${providerId}`,
  )
}

/**
 * @returns the providers whose accounts sign in to a record, the first linked one first; times in
 *   milliseconds since 1970, a `used` of 0 for never
 */
export async function listExternalAuths(
  db: Db,
  collection: Collection,
  record: string,
): Promise<{ provider: string; created: number; used: number }[]> {
  const rows = await query(
    db,
    sql`SELECT provider, created, used FROM "_externalAuths" WHERE collection = ${collection.id} AND record = ${record} ORDER BY created, provider`,
  )
  return named(rows, { provider: text, created: number, used: number })
}

/** @returns whether the record was linked to an account at the provider */
export async function deleteExternalAuth(
  tx: Transaction,
  record: string,
  provider: string,
): Promise<boolean> {
  const dropped = await modify(
    tx,
    '_externalAuths',
    sql`DELETE FROM "_externalAuths" WHERE record = ${record} AND provider = ${provider} RETURNING id`,
  )
  return dropped.length > 0
}

/** @returns whether there were any */
export async function deleteExternalAuths(tx: Transaction, record: string): Promise<boolean> {
  const dropped = await modify(
    tx,
    '_externalAuths',
    sql`DELETE FROM "_externalAuths" WHERE record = ${record} RETURNING id`,
  )
  return dropped.length > 0
}
