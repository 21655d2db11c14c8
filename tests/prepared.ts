import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalogue } from '#catalogue/index.ts'
import { openSqlite } from '#records/database/sqlite.ts'
import { migrate } from '#server/migrations/migrate.ts'

/**
 * Puts the index of the starter books into a data folder, so that what opens it need not build it.
 * It is built once per run.
 */
export async function copyStarterIndex(folder: string): Promise<void> {
  const made = await once('starter-index', async (fresh) => {
    const catalogue = await openCatalogue({ folder: fresh, workers: 1 })
    await catalogue.close()
  })
  for (const name of ['catalogue.db', 'catalogue-learnt.db'])
    copyFileSync(join(made, name), join(folder, name))
}

/** Copies an empty SQLite library of the product's schema, which is migrated once per run. */
export async function copyLibrary(file: string): Promise<void> {
  const made = await once('migrated', async (fresh) => {
    const database = openSqlite(join(fresh, 'octavo.db'))
    await migrate(database)
    await database.close()
  })
  copyFileSync(join(made, 'octavo.db'), file)
}

/** @returns a folder in the run's temporary folder, filled the first time its name is asked for */
async function once(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const shared = join(tmpdir(), name)
  if (existsSync(shared)) return shared
  const fresh = mkdtempSync(`${shared}-`)
  await fill(fresh)
  // Another worker may have come first.
  try {
    renameSync(fresh, shared)
  } catch {
    rmSync(fresh, { recursive: true })
  }
  return shared
}
