import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { diskStorage, type Database } from '#records/index.ts'
import { migrate, migrations } from '#server/migrations/migrate.ts'

/** Of a library as an earlier Octavo left it; a later step counts what is in it. */
export const oldSchema = 15
export const picture = 'users/ann/face_1.png'
export const entries = 103

/** A row of a table, with nothing in the columns that are not named. */
async function insert(database: Database, table: string, values: Record<string, string>) {
  const columns = await database.query(
    database.dialect.name === 'sqlite'
      ? `SELECT name, type FROM pragma_table_info('${table}')`
      : `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '${table}'`,
  )
  const blank = (type: string) => (/text/i.test(type) ? `''` : /bool/i.test(type) ? 'FALSE' : '0')
  const names = columns.map(([name]) => `"${String(name)}"`)
  const cells = columns.map(([name, type]) => {
    const value = values[String(name)]
    return value === undefined ? blank(String(type)) : `'${value}'`
  })
  await database.transaction((tx) =>
    tx.query(`INSERT INTO ${table} (${names.join()}) VALUES (${cells.join()})`),
  )
}

/** Makes a library of an earlier schema: Ann, a picture of hers and a timeline of many entries. */
export async function fillOld(dataDir: string, database: Database): Promise<void> {
  const secret = 'a secret of more than 32 characters\n'
  writeFileSync(join(dataDir, 'secret'), secret, { mode: 0o600 })
  await migrate(database, migrations.slice(0, oldSchema))
  await insert(database, 'users', { id: 'ann', email: 'ann@example.org', username: 'ann' })
  const day = (number: number) => `2026-01-01 00:00:00.${String(number).padStart(3, '0')}Z`
  const since = { activities_since: day(2), activities_public_since: '' }
  await insert(database, 'settings', { id: 'set', user: 'ann', ...since })
  for (let number = 0; number < entries; number++)
    await insert(database, 'activities', { id: `a${number}`, user: 'ann', created: day(number) })
  const face = Buffer.from('a face')
  await diskStorage(join(dataDir, 'files')).put(picture, face)
  const [collection, record, name] = picture.split('/') as [string, string, string]
  await insert(database, '_files', {
    collection,
    record,
    name,
    account: 'ann',
    size: String(face.length),
  })
}
