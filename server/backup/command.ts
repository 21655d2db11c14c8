import '../node-env.ts'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { backUp } from './back-up.ts'
import type { Manifest } from './manifest.ts'
import { moveToPostgres } from './move-to-postgres.ts'
import { moveToSqlite } from './move-to-sqlite.ts'
import { restore } from './restore.ts'

/**
 * `npm run backup -- [folder]`, `npm run restore -- <backup>`, `npm run move-to-postgres` and
 * `npm run move-to-sqlite`, with the server's environment.
 */
const [deed = 'backup', place] = process.argv.slice(2)
const undone: Readonly<Record<string, string>> = {
  backup: 'Nothing was backed up',
  restore: 'Nothing was restored',
  'move-to-postgres': 'Nothing was moved',
  'move-to-sqlite': 'Nothing was moved',
}

try {
  const config = readConfig({ ...process.env })
  if (deed === 'restore') {
    if (!place) throw new Error('say which backup: npm run restore -- <folder>')
    const manifest = await restore(config, resolve(place))
    console.log(`Restored into ${config.dataDir}: ${contents(manifest)}`)
  } else if (deed === 'move-to-postgres') {
    tellRows(await moveToPostgres(config))
    console.log(
      'Moved into the database of DATABASE_URL. Start with it and the same DATA_DIR, whose octavo.db is as it was',
    )
  } else if (deed === 'move-to-sqlite') {
    tellRows(await moveToSqlite(config))
    console.log(
      `Moved into ${config.dataDir}/octavo.db. Start without DATABASE_URL and with the same DATA_DIR; the database of DATABASE_URL is as it was`,
    )
  } else {
    const { folder, manifest } = await backUp(config, resolve(place ?? 'backups'))
    console.log(`Backed up to ${folder}: ${contents(manifest)}`)
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`${undone[deed] ?? undone['backup']}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`)
  process.exitCode = 1
}

function tellRows(tables: ReadonlyMap<string, number>): void {
  for (const [table, rows] of tables)
    console.log(`${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`)
}

function contents({ taken, database, pictures }: Manifest): string {
  const engine = database === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const noun = pictures.count === 1 ? 'picture' : 'pictures'
  return `the ${engine} database as of ${taken} and ${pictures.count} ${noun}`
}
