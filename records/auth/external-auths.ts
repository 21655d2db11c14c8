import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { newId } from '../random.ts'
import type { Collection } from '../schema/collection.ts'

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
  )
  return row && String(row[0])
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

/** @returns whether there were any */
export async function deleteExternalAuths(tx: Transaction, record: string): Promise<boolean> {
  const dropped = await modify(
    tx,
    '_externalAuths',
    sql`DELETE FROM "_externalAuths" WHERE record = ${record} RETURNING id`,
  )
  return dropped.length > 0
}
