import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { runCommand } from './command.ts'
import { readConfig } from '../settings/config.ts'
import { keepSqliteFilesIn } from '../settings/environment.ts'
import { formatBytes } from '../runtime/format-bytes.ts'
import { openLibrary } from '#server/open/open-library.ts'

/** Milliseconds to wait for a running server: for its transaction, and for its readers. */
const patience = 10_000
const lookAgain = 100

/** Bytes to spare. */
const spare = 16 * 1_048_576

/** Counts what is still in the log, too. */
const sizeSql = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'

/**
 * Rewrites a SQLite file without the space and the content of what was deleted, and empties its
 * write-ahead log. A running server's writes wait meanwhile.
 *
 * @param dataDir the folder of `octavo.db`, which also takes SQLite's temporary copy
 * @returns the database's sizes in bytes
 * @throws if there is no room for it, or a running server doesn't let go of the log
 */
async function compact(dataDir: string): Promise<{ before: number; after: number }> {
  const file = join(dataDir, 'octavo.db')
  keepSqliteFilesIn(dataDir)
  using database = new DatabaseSync(file, { timeout: patience })
  const size = () => Number(database.prepare(sizeSql).get()?.['bytes'])
  const before = size()
  // Once as a temporary file and once in the log.
  const needed = 2 * before + spare
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < needed)
    throw new Error(
      `the disk of ${dataDir} has ${formatBytes(bavail * bsize)} free, and this takes ${formatBytes(needed)}`,
    )
  database.exec('VACUUM')
  for (const until = performance.now() + patience; ;) {
    // The log still holds pages as they were.
    const emptied = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    if (emptied?.['busy'] === 0) return { before, after: size() }
    if (performance.now() > until)
      throw new Error('Octavo is using the write-ahead log: run this again, or stop Octavo first')
    await setTimeout(lookAgain)
  }
}

await runCommand(
  'npm run compact --',
  {
    about: 'Shrinks the SQLite database and erases what was deleted from it.',
    failure: 'The database was not compacted',
    async run() {
      const config = readConfig({ ...process.env })
      if (config.databaseUrl)
        throw new Error('the library is in PostgreSQL; run VACUUM (FULL) there instead')
      await (await openLibrary(config)).close()
      const { before, after } = await compact(config.dataDir)
      console.log(`Compacted octavo.db from ${formatBytes(before)} to ${formatBytes(after)}.`)
    },
  },
  process.argv.slice(2),
)
