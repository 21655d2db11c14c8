import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openPostgres, type Transaction } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import {
  markPostgresUsed,
  openDataFolder,
  postgresUsed,
  requireKnownDatabase,
} from '../storage/data-folder.ts'
import { knownSchema, migrate } from '../migrations/migrate.ts'
import { requireEmpty } from './restore.ts'

/** Rows in one statement. */
const batchSize = 500

/**
 * Copies the data folder's SQLite database into an empty PostgreSQL database, in one transaction.
 * The source stays as it is; a note in the folder keeps it from being used by mistake.
 *
 * @returns the number of rows by table
 * @throws in words an operator can act on, if Octavo runs on the folder, if there is nothing to
 *   copy or it has another version, or if the target is not empty
 */
export async function moveToPostgres({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Map<string, number>> {
  if (!databaseUrl) throw new Error('set DATABASE_URL to an empty PostgreSQL database')
  const file = join(dataDir, 'octavo.db')
  if (!existsSync(file)) throw new Error(`there is nothing to move: ${file} does not exist`)
  using _held = openDataFolder(dataDir)
  const used = postgresUsed(dataDir)
  if (used !== undefined)
    throw new Error(`the library of ${dataDir} is already in PostgreSQL (${used})`)
  requireKnownDatabase({ dataDir, databaseUrl: undefined })
  const copied = await copyToPostgres(file, databaseUrl)
  markPostgresUsed(dataDir, databaseUrl)
  return copied
}

/**
 * @param file a SQLite database without writers
 * @param url the address of an empty PostgreSQL database
 * @returns the number of rows by table
 */
export async function copyToPostgres(file: string, url: string): Promise<Map<string, number>> {
  using from = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  await using target = await openPostgres(url)
  // One snapshot, whatever is written meanwhile.
  from.exec('BEGIN')
  refuseOther(from)
  return await target.transaction(async (tx) => {
    await requireEmpty(tx)
    await migrate({ ...target, transaction: (work) => work(tx) })
    const copied = new Map<string, number>()
    for (const table of tablesOf(from)) copied.set(table, await copyTable(from, tx, table))
    await tx.query('ANALYZE')
    return copied
  })
}

function refuseOther(from: DatabaseSync): void {
  const schema = Number(from.prepare('SELECT MAX(number) AS last FROM _migrations').get()?.['last'])
  if (schema !== knownSchema)
    throw new Error(
      `the SQLite database has schema ${schema}, and this version needs ${knownSchema}: start this Octavo with it once`,
    )
}

function tablesOf(from: DatabaseSync): string[] {
  return from
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name <> '_migrations' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name))
}

/** @throws if the target table isn't empty, or the numbers of rows differ afterwards */
async function copyTable(from: DatabaseSync, tx: Transaction, table: string): Promise<number> {
  const columns = from.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const names = columns.map(({ name }) => `"${String(name)}"`).join(', ')
  const count = async () => Number((await tx.query(`SELECT COUNT(*) FROM "${table}"`))[0]?.[0])
  // Another start or move was faster.
  if (await count()) throw new Error(`the table ${table} at DATABASE_URL is not empty`)
  const insert = `INSERT INTO "${table}" (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::"${table}", $1::json)`
  let sent = 0
  let rows: unknown[] = []
  const send = async () => {
    await tx.query(insert, [JSON.stringify(rows)])
    sent += rows.length
    rows = []
  }
  // In the order of insertion.
  for (const row of from.prepare(`SELECT ${names} FROM "${table}" ORDER BY rowid`).iterate())
    if (rows.push(row) === batchSize) await send()
  if (rows.length) await send()
  const there = await count()
  if (there !== sent) throw new Error(`only ${there} of ${sent} rows of ${table} arrived`)
  return there
}
