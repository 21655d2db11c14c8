import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openPostgres, openSqlite, type Database, type Transaction } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { unmarkPostgresUsed, openDataFolder } from '../storage/data-folder.ts'
import { knownSchema, migrate, schemaOf } from '../migrations/migrate.ts'

/** Rows in one read. */
const batchSize = 500

/** PostgreSQL may take a moment to notice that a client has left; `interval` in milliseconds. */
const leaving = { looks: 10, interval: 200 }

/**
 * Copies a snapshot of a PostgreSQL database into the data folder's SQLite database, which then
 * exists completely or not at all. The source stays as it is.
 *
 * @returns the number of rows by table
 * @throws in words an operator can act on, if Octavo runs on the folder, somebody else is connected
 *   to the source, the source has another version, or the target exists already
 */
export async function moveToSqlite({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Map<string, number>> {
  if (!databaseUrl) throw new Error('set DATABASE_URL to the PostgreSQL database to move')
  using _held = openDataFolder(dataDir)
  const file = join(dataDir, 'octavo.db')
  const partial = `${file}.moving`
  const forget = async () => {
    for (const rest of ['', '-wal', '-shm']) await rm(partial + rest, { force: true })
  }
  try {
    if (existsSync(file)) throw new Error(`${file} already exists: move it away`)
    await forget()
    const copied = await copyToSqlite(databaseUrl, partial)
    await rename(partial, file)
    unmarkPostgresUsed(dataDir)
    return copied
  } finally {
    await forget()
  }
}

async function copyToSqlite(url: string, file: string): Promise<Map<string, number>> {
  await using from = await openPostgres(url)
  await refuseOther(from)
  await using target = openSqlite(file)
  await migrate(target)
  return await from.transaction(async (source) => {
    await source.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return await target.transaction((tx) => copyTables(source, tx))
  })
}

async function refuseOther(from: Database): Promise<void> {
  const [known] = await from.query(`SELECT to_regclass('_migrations') IS NOT NULL`)
  if (!known?.[0])
    throw new Error('there is nothing to move: the database at DATABASE_URL is empty')
  const schema = await schemaOf(from)
  if (schema !== knownSchema)
    throw new Error(
      `the PostgreSQL database has schema ${schema}, and this version needs ${knownSchema}: start this Octavo with it once`,
    )
  await refuseShared(from)
}

/**
 * Refuses a PostgreSQL database that others use: what they write from here on would be lost.
 *
 * @throws in words an operator can act on
 */
export async function refuseShared(from: Database): Promise<void> {
  for (let looks = 1; await isShared(from); looks++) {
    if (looks === leaving.looks)
      throw new Error('the database at DATABASE_URL is in use: stop every Octavo that uses it')
    await setTimeout(leaving.interval)
  }
}

async function isShared(database: Database): Promise<boolean> {
  const others = await database.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`,
  )
  return others.length > 0
}

async function copyTables(source: Transaction, tx: Transaction): Promise<Map<string, number>> {
  // Skip the table of subscriptions of other processes: SQLite has one process.
  const tables = await source.query(
    `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
      AND tablename NOT IN ('_migrations', '_audiences', '_news') ORDER BY tablename`,
  )
  const copied = new Map<string, number>()
  for (const [table] of tables)
    copied.set(String(table), await copyTable(source, tx, String(table)))
  return copied
}

/** @throws if the numbers of rows differ afterwards */
async function copyTable(source: Transaction, tx: Transaction, table: string): Promise<number> {
  const columns = (
    await source.query(
      `SELECT column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = $1`,
      [table],
    )
  ).map(([name]) => String(name))
  const names = columns.map((name) => `"${name}"`).join(', ')
  const insert = `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`
  // SQLite returns unsorted rows in the order of insertion.
  const order = columns.includes('created') ? 'created, ctid' : 'ctid'
  await source.query(
    `DECLARE "all ${table}" CURSOR FOR SELECT ${names} FROM "${table}" ORDER BY ${order}`,
  )
  for (;;) {
    const rows = await source.query(`FETCH ${batchSize} FROM "all ${table}"`)
    if (!rows.length) break
    for (const row of rows) await tx.query(insert, row)
  }
  const count = async (db: Transaction) =>
    Number((await db.query(`SELECT COUNT(*) FROM "${table}"`))[0]?.[0])
  const [sent, there] = [await count(source), await count(tx)]
  if (there !== sent) throw new Error(`only ${there} of ${sent} rows of ${table} arrived`)
  return there
}
