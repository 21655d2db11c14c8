import { sql } from 'kysely'
import { named, number, text, texts } from '../database/columns.ts'
import type { Db, Dialect, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { newId } from '../random.ts'
import type { Collection } from '../schema/collection.ts'
import { textType } from '../schema/table.ts'

/** Passkeys of one account. */
export const maxPasskeys = 20

/** The table of passkeys (WebAuthn credentials): public keys, which are no secrets. */
export function passkeyTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  return [
    `CREATE TABLE _passkeys (id ${text} PRIMARY KEY, collection ${text}, record ${text},
      credential ${text}, "publicKey" ${text}, counter BIGINT NOT NULL, transports ${text},
      name ${text}, created BIGINT NOT NULL, used BIGINT NOT NULL)`,
    `CREATE INDEX _passkeys_record ON _passkeys (record)`,
    `CREATE UNIQUE INDEX _passkeys_credential ON _passkeys (collection, credential)`,
  ]
}

/** A stored passkey; times in milliseconds since 1970, a `used` of 0 for never. */
export interface Passkey {
  id: string
  record: string
  /** Its id at the authenticator, base64url. */
  credential: string
  /** COSE, base64url. */
  publicKey: string
  /** How often the authenticator says it was used; 0 if it doesn't count. */
  counter: number
  /** How browsers reach it, such as `usb` or `internal`. */
  transports: string[]
  name: string
  created: number
  used: number
}

const columns = {
  id: text,
  record: text,
  credential: text,
  publicKey: text,
  counter: number,
  transports: texts,
  name: text,
  created: number,
  used: number,
}
const selected = sql`id, record, credential, "publicKey", counter, transports, name, created, used`

/** @returns the passkeys of an account, the oldest first */
export async function listPasskeys(
  db: Db,
  collection: Collection,
  record: string,
): Promise<Passkey[]> {
  const rows = await query(
    db,
    sql`SELECT ${selected} FROM _passkeys WHERE collection = ${collection.id} AND record = ${record} ORDER BY created, id`,
  )
  return named(rows, columns)
}

/** @returns the passkey with this id at its authenticator; undefined if there is none */
export async function findPasskey(
  db: Db,
  collection: Collection,
  credential: string,
): Promise<Passkey | undefined> {
  const rows = await query(
    db,
    sql`SELECT ${selected} FROM _passkeys WHERE collection = ${collection.id} AND credential = ${credential}`,
  )
  return named(rows, columns)[0]
}

/** @throws UniqueError if an account has the credential already */
export async function addPasskey(
  tx: Transaction,
  collection: Collection,
  passkey: Omit<Passkey, 'id' | 'used'>,
): Promise<Passkey> {
  const id = newId()
  const { record, credential, publicKey, counter, transports, name, created } = passkey
  await modify(
    tx,
    '_passkeys',
    sql`INSERT INTO _passkeys (id, collection, record, credential, "publicKey", counter, transports, name, created, used) VALUES (${id}, ${collection.id}, ${record}, ${credential}, ${publicKey}, ${counter}, ${JSON.stringify(transports)}, ${name}, ${created}, 0)`,
  )
  return { ...passkey, id, used: 0 }
}

/**
 * Notes that a passkey was used.
 *
 * @returns false if it is gone, or was used by another request meanwhile
 */
export async function touchPasskey(
  tx: Transaction,
  { id, counter }: Passkey,
  newCounter: number,
  now: number,
): Promise<boolean> {
  const rows = await modify(
    tx,
    '_passkeys',
    sql`UPDATE _passkeys SET counter = ${newCounter}, used = ${now} WHERE id = ${id} AND counter = ${counter} RETURNING id`,
  )
  return rows.length > 0
}

/** @returns whether the account has such a passkey */
export async function renamePasskey(
  tx: Transaction,
  record: string,
  id: string,
  name: string,
): Promise<boolean> {
  const rows = await modify(
    tx,
    '_passkeys',
    sql`UPDATE _passkeys SET name = ${name} WHERE id = ${id} AND record = ${record} RETURNING id`,
  )
  return rows.length > 0
}

/** @returns whether the account had such a passkey */
export async function deletePasskey(tx: Transaction, record: string, id: string): Promise<boolean> {
  const rows = await modify(
    tx,
    '_passkeys',
    sql`DELETE FROM _passkeys WHERE id = ${id} AND record = ${record} RETURNING id`,
  )
  return rows.length > 0
}

/** @returns whether the account had any */
export async function deletePasskeys(tx: Transaction, record: string): Promise<boolean> {
  const rows = await modify(
    tx,
    '_passkeys',
    sql`DELETE FROM _passkeys WHERE record = ${record} RETURNING id`,
  )
  return rows.length > 0
}
