import { resolve } from 'node:path'
import { runCommands } from './command.ts'
import { readConfig } from '#server/settings/config.ts'
import { backUp } from '#server/backup/back-up.ts'
import { lostPictures, type Manifest } from '#server/backup/manifest.ts'
import { moveToPostgres } from '#server/backup/move-to-postgres.ts'
import { moveToSqlite } from '#server/backup/move-to-sqlite.ts'
import { restore } from '#server/backup/restore.ts'

/** The exit code of a backup that lacks lost pictures. */
const incomplete = 3

const config = () => readConfig({ ...process.env })

await runCommands((name) => `npm run ${name} --`, {
  backup: {
    words: ['[folder]'],
    about: 'Backs up the library into a new folder in ./backups, whether Octavo runs or not.',
    failure: 'Nothing was backed up',
    async run({ words: [into = 'backups'] }) {
      const { folder, manifest } = await backUp(config(), resolve(into))
      console.log(`Backed up to ${folder}: ${contents(manifest)}`)
      if (!manifest.missing.length) return 0
      console.error(`Without ${lostPictures(manifest)}`)
      return incomplete
    },
  },
  restore: {
    words: ['<backup>'],
    about:
      'Restores a backup into an empty DATA_DIR and, on PostgreSQL, the empty database at DATABASE_URL.',
    failure: 'Nothing was restored',
    async run({ words: [backup = ''] }) {
      const target = config()
      const manifest = await restore(target, resolve(backup))
      console.log(`Restored into ${target.dataDir}: ${contents(manifest)}`)
      if (manifest.missing.length)
        console.error(`The backup was made without ${lostPictures(manifest)}`)
    },
  },
  'move-to-postgres': {
    about: 'Copies the library from DATA_DIR into the empty PostgreSQL database at DATABASE_URL.',
    failure: 'Nothing was moved',
    async run() {
      listRows(await moveToPostgres(config()))
      console.log(
        'Moved into the database at DATABASE_URL. Start with DATABASE_URL and the same DATA_DIR. Its octavo.db is unchanged and no longer used.',
      )
    },
  },
  'move-to-sqlite': {
    about: 'Copies the library from DATABASE_URL into DATA_DIR/octavo.db.',
    failure: 'Nothing was moved',
    async run() {
      const from = config()
      listRows(await moveToSqlite(from))
      console.log(
        `Moved into ${from.dataDir}/octavo.db. Start without DATABASE_URL and with the same DATA_DIR. The database at DATABASE_URL is unchanged.`,
      )
    },
  },
})

function listRows(tables: ReadonlyMap<string, number>): void {
  for (const [table, rows] of tables)
    console.log(`${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`)
}

function contents({ taken, database, pictures }: Manifest): string {
  const engine = database === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const noun = pictures.count === 1 ? 'picture' : 'pictures'
  return `the ${engine} database as of ${taken} and ${pictures.count} ${noun}`
}
