import { sql } from 'kysely'
import { text } from '../database/columns.ts'
import type { Db } from '../database/database.ts'
import { query } from '../database/query.ts'
import { lockRow } from '../write/rows.ts'
import { coerce } from '../schema/coerce.ts'
import { identityFields } from '../schema/auth-options.ts'
import { fieldOf, type Collection } from '../schema/collection.ts'
import { unicodeEmail } from '../schema/email-url.ts'
import type { Field } from '../schema/field.ts'
import { toRecord, type StoredRecord } from '../schema/values.ts'
import type { WriteContext } from '../write/context.ts'

/** @returns the account with this email in any case, locked for a write; null if there is none */
export async function findAccount(
  tx: WriteContext,
  collection: Collection,
  email: string,
): Promise<StoredRecord | null> {
  for (const address of formsOf(emailField(collection), email)) {
    const [row] = await query(
      tx,
      sql`SELECT id FROM ${sql.table(collection.name)} WHERE email = ${address} AND email <> ''`,
      { id: text },
    )
    const account = row ? await lockRow(tx, collection, row.id, 'update') : null
    if (account?.['email'] === address) return account
  }
  return null
}

/** @returns the account with this email in any case, as it is stored now; null if there is none */
export async function readAccount(
  db: Db,
  collection: Collection,
  email: string,
): Promise<StoredRecord | null> {
  return readBy(db, collection, 'email', email)
}

export interface PasswordAttempt {
  identity: string
  /** The field to look the identity up in; '' tries every identity field, email first. */
  by: string
  password: string
  /** The id of a half-done sign-in; '' for none. */
  mfaId: string
}

/** @returns the account with this identity, as it is stored now; null if there is none */
export async function readIdentity(
  db: Db,
  collection: Collection,
  { identity, by }: Pick<PasswordAttempt, 'identity' | 'by'>,
): Promise<StoredRecord | null> {
  const isEmail = (name: string) => Number(name === 'email')
  const names = identityFields(collection).toSorted((a, b) => isEmail(b) - isEmail(a))
  for (const name of by ? [by] : names) {
    const found = await readBy(db, collection, name, identity)
    if (found) return found
  }
  return null
}

async function readBy(
  db: Db,
  collection: Collection,
  name: string,
  typed: string,
): Promise<StoredRecord | null> {
  const columns = sql.join(collection.fields.map((field) => sql.ref(field.name)))
  const [column, table] = [sql.ref(name), sql.table(collection.name)]
  for (const known of formsOf(fieldOf(collection, name), typed)) {
    // The `<> ''` lets the database use a partial index that leaves out empty values.
    const [row] = await query(
      db,
      sql`SELECT ${columns} FROM ${table} WHERE ${column} = ${known} AND ${column} <> ''`,
    )
    if (row) return toRecord(collection, row)
  }
  return null
}

/** @returns the forms in which what was typed may be stored */
function formsOf(field: Field, typed: string): ReadonlySet<string> {
  const value = String(coerce(field, typed))
  if (!value) return new Set()
  return new Set(field.type === 'email' ? [value, unicodeEmail(value)] : [value])
}

/** @returns the field for the email of a collection's accounts */
export function emailField(collection: Collection): Field {
  return fieldOf(collection, 'email')
}
