import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres, openSqlite, type Database } from '#records/index.ts'
import type { Config } from '#server/settings/config.ts'
import { requireKnownDatabase } from '#server/storage/data-folder.ts'
import { knownSchema, schemaOf } from '#server/migrations/migrate.ts'

/**
 * Opens the library for a command, whether or not a server is running.
 *
 * @throws in words an operator can act on, if there is no library or it has another version
 */
export async function openLibrary(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
): Promise<Database> {
  requireKnownDatabase(config)
  const { dataDir, databaseUrl } = config
  const file = join(dataDir, 'octavo.db')
  if (!databaseUrl && !existsSync(file)) throw new Error(`there is no database at ${file}`)
  const database = databaseUrl ? await openPostgres(databaseUrl) : openSqlite(file)
  // Only a start migrates a database, as it makes a backup first.
  const schema = await schemaOf(database).catch(() => 0)
  if (schema === knownSchema) return database
  await database.close()
  throw new Error('the database is from another version; start this Octavo once')
}
