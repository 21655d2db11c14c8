import { sql } from 'kysely'
import { number, text } from '../database/columns.ts'
import type { Db, Dialect, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { textType } from '../schema/table.ts'

/** A row of the table of stored files. */
export interface FileRow {
  /** The collection's id. */
  collection: string
  record: string
  name: string
  /** The account whose quota it counts towards; '' for none. */
  account: string
  /** Detected from its content. */
  mime: string
  /** Bytes. */
  size: number
  /** Milliseconds since 1970. */
  created: number
}

/**
 * The statements that create the table of stored files, for a migration to run one by one. A file
 * has a row while a record names it; any other file in the storage is left over.
 */
export function fileTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  return [
    `CREATE TABLE _files (collection ${text}, record ${text}, name ${text}, account ${text},
      mime ${text}, size BIGINT NOT NULL, created BIGINT NOT NULL,
      PRIMARY KEY (collection, record, name))`,
    `CREATE INDEX _files_account ON _files (account)`,
  ]
}

/** Adds the row of a file that a record now names. */
export async function addFileRow(tx: Transaction, row: FileRow): Promise<void> {
  const { collection, record, name, account, mime, size, created } = row
  await modify(
    tx,
    '_files',
    sql`INSERT INTO _files (collection, record, name, account, mime, size, created)
      VALUES (${collection}, ${record}, ${name}, ${account}, ${mime}, ${size}, ${created})`,
  )
}

/**
 * Deletes the rows of files that a record no longer names. The files themselves stay in the
 * storage.
 *
 * @param names at least one
 */
export async function deleteFileRows(
  tx: Transaction,
  collection: string,
  record: string,
  names: readonly string[],
): Promise<void> {
  await modify(
    tx,
    '_files',
    sql`DELETE FROM _files WHERE collection = ${collection} AND record = ${record} AND name IN (${sql.join(names)})`,
  )
}

/** @returns the file's row; null if the record has no such file */
export async function findFileRow(
  db: Db,
  collection: string,
  record: string,
  name: string,
): Promise<FileRow | null> {
  const [row] = await query(
    db,
    sql`SELECT account, mime, size, created FROM _files WHERE collection = ${collection} AND record = ${record} AND name = ${name}`,
    { account: text, mime: text, size: number, created: number },
  )
  return row ? { collection, record, name, ...row } : null
}

/** The total size and number of an account's files, locked until the transaction ends. */
export async function fileUsage(
  tx: Transaction,
  account: string,
): Promise<{ bytes: number; count: number }> {
  if (tx.dialect.name === 'postgres')
    await query(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended(${account}, 0))`)
  const [usage] = await query(
    tx,
    sql`SELECT COALESCE(SUM(size), 0), COUNT(*) FROM _files WHERE account = ${account}`,
    { bytes: number, count: number },
  )
  return usage!
}

/** @returns the records' files that are in use, as `collection/record/name` */
export async function usedKeys(db: Db, records: readonly string[]): Promise<Set<string>> {
  if (!records.length) return new Set()
  const rows = await query(
    db,
    sql`SELECT collection, record, name FROM _files WHERE record IN (${sql.join(records)})`,
  )
  return new Set(rows.map((row) => row.join('/')))
}
