import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diskStorage, openPostgres, openSqlite, type Database } from '#records/index.ts'
import { newPostgresUrl } from '#tests/databases.ts'
import { entries, fillOld, oldSchema, picture } from '#tests/old-library.ts'
import { restore } from '#server/backup/restore.ts'
import { knownSchema, migrate, migrations, schemaOf } from '#server/migrations/migrate.ts'
import { upgrade } from './upgrade.ts'

const silent = pino({ level: 'silent' })

interface Place {
  dataDir: string
  databaseUrl: string | undefined
  s3: undefined
  backupBeforeUpgrade: boolean
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function newPlace(engine: string): Promise<Place> {
  const databaseUrl = engine === 'postgres' ? await newPostgresUrl() : undefined
  return { dataDir: newFolder(), databaseUrl, s3: undefined, backupBeforeUpgrade: true }
}

async function openAt({ dataDir, databaseUrl }: Place): Promise<Database> {
  const file = join(dataDir, 'octavo.db')
  const database = databaseUrl ? await openPostgres(databaseUrl) : openSqlite(file)
  onTestFinished(() => database.close().catch(() => undefined))
  return database
}

const backupsOf = ({ dataDir }: Place) => {
  const folder = join(dataDir, 'backups')
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
}

const newer = 'SELECT activities_newer FROM settings'

describe.for(['sqlite', 'postgres'] as const)('an upgrade of a library in %s', (engine) => {
  test('is made with a backup of the library as it was, which can be restored', async () => {
    const place = await newPlace(engine)
    const database = await openAt(place)
    await fillOld(place.dataDir, database)
    await upgrade(place, database, silent)
    expect(await schemaOf(database)).toBe(knownSchema)
    expect(await database.query(newer)).toEqual([[entries - 3]])

    const [backup = '', ...more] = backupsOf(place)
    expect(more).toEqual([])
    expect(backup).toMatch(new RegExp(`octavo-before-schema-${knownSchema}-\\d{8}T\\d{6}Z$`))
    const open = ['', ...readdirSync(backup, { recursive: true, encoding: 'utf8' })]
    expect(open.filter((name) => statSync(join(backup, name)).mode & 0o077)).toEqual([])
    // What is deleted from the library stays in the backup, although it took no room of its own.
    expect(statSync(join(backup, 'files', picture)).nlink).toBe(2)
    await diskStorage(join(place.dataDir, 'files')).delete(picture)

    const before = { ...(await newPlace(engine)), dataDir: join(newFolder(), 'data') }
    expect(await restore(before, backup)).toMatchObject({ schema: oldSchema })
    expect(readFileSync(join(before.dataDir, 'files', picture), 'utf8')).toBe('a face')
    const restored = await openAt(before)
    expect(await schemaOf(restored)).toBe(oldSchema)
    await expect(restored.query(newer)).rejects.toThrow('activities_newer')
    expect(await restored.query('SELECT COUNT(*) FROM activities')).toEqual([[entries]])
    await upgrade(before, restored, silent)
    expect(await restored.query(newer)).toEqual([[entries - 3]])
  })

  test('is made with a backup that lacks a lost picture, and warns of it', async () => {
    const place = await newPlace(engine)
    const database = await openAt(place)
    await fillOld(place.dataDir, database)
    rmSync(join(place.dataDir, 'files', picture))
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    await upgrade(place, database, log)
    expect(await schemaOf(database)).toBe(knownSchema)
    expect(lines).toEqual([
      expect.stringContaining(
        `The backup was made without 1 picture, which was missing or damaged: ${picture}`,
      ),
    ])
  })

  test('is made without one where that is turned off', async () => {
    const place = { ...(await newPlace(engine)), backupBeforeUpgrade: false }
    const database = await openAt(place)
    await fillOld(place.dataDir, database)
    await upgrade(place, database, silent)
    expect(await schemaOf(database)).toBe(knownSchema)
    expect(readdirSync(place.dataDir)).not.toContain('backups')
  })

  test('of a new library, or of one that is up to date, makes none', async () => {
    const place = await newPlace(engine)
    const database = await openAt(place)
    await upgrade(place, database, silent)
    await upgrade(place, database, silent)
    expect(readdirSync(place.dataDir)).not.toContain('backups')
  })

  test('keeps the three newest backups, one of each schema, and what others put there', async () => {
    const place = await newPlace(engine)
    const database = await openAt(place)
    await migrate(database, migrations.slice(0, 10))
    const backups = join(place.dataDir, 'backups')
    mkdirSync(join(backups, 'octavo-20200101T000000Z'), { recursive: true })
    const taken = (name: string) => /schema-(\d+)/.exec(name)?.[1]
    const names = () => readdirSync(backups).toSorted()
    for (const to of [11, 12, 13, 14])
      await upgrade(place, database, silent, migrations.slice(0, to))
    const kept = names()
    expect(kept.map(taken)).toEqual([undefined, '12', '13', '14'])
    const fails = { name: 'fails', statements: () => ['nonsense'] }
    const failing = () => upgrade(place, database, silent, [...migrations.slice(0, 14), fails])
    await expect(failing()).rejects.toThrow(/syntax/)
    // Their names tell seconds.
    const now = Math.floor(Date.now() / 1000)
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(now)
    await expect(failing()).rejects.toThrow(/syntax/)
    expect(await schemaOf(database)).toBe(14)
    expect(names().map(taken)).toEqual([undefined, '13', '14', '15'])
    expect(names().slice(0, 3)).toEqual([kept[0], ...kept.slice(2)])
  })

  test('counts no room as taken by the backup of a start that was killed', async () => {
    const place = await newPlace(engine)
    const database = await openAt(place)
    await fillOld(place.dataDir, database)
    const killed = '.octavo-before-schema-16-20260101T000000Z'
    const partial = join(place.dataDir, 'backups', `${killed}.${hostname()}-${process.pid}.partial`)
    mkdirSync(partial, { recursive: true })
    const sizes = /page_count|pg_table_size/
    const huge: Database = {
      ...database,
      query: (text, ...more) =>
        sizes.test(text) ? Promise.resolve([[1e18]]) : database.query(text, ...more),
    }
    await expect(upgrade(place, huge, silent)).rejects.toThrow(/has room for \d+ MB/)
    expect(backupsOf(place)).toEqual([])
  })

  test('that cannot be backed up says what to do, and changes nothing', async () => {
    const place = await newPlace(engine)
    const database = await openAt(place)
    await fillOld(place.dataDir, database)
    writeFileSync(join(place.dataDir, 'backups'), 'in the way')
    await expect(upgrade(place, database, silent)).rejects.toThrow(
      /^The backup before the library's upgrade failed: .*Nothing was changed\. To do: .*BACKUP_BEFORE_UPGRADE=off$/,
    )
    expect(await schemaOf(database)).toBe(oldSchema)
  })
})

test('processes that start together upgrade once, with one backup', async () => {
  const place = await newPlace('postgres')
  const database = await openAt(place)
  await fillOld(place.dataDir, database)
  const other = { ...place, dataDir: newFolder() }
  // Either may be first, and backs up the pictures, which both have.
  cpSync(place.dataDir, other.dataDir, { recursive: true })
  const another = await openAt(other)
  await Promise.all([upgrade(place, database, silent), upgrade(other, another, silent)])
  expect(await schemaOf(database)).toBe(knownSchema)
  const made = [place, other].flatMap(({ dataDir }) =>
    readdirSync(dataDir).filter((name) => name === 'backups'),
  )
  expect(made).toHaveLength(1)
})

test('processes that start together on a new database make one library, with no backup', async () => {
  const place = await newPlace('postgres')
  const places = [place, { ...place, dataDir: newFolder() }, { ...place, dataDir: newFolder() }]
  const databases = await Promise.all(places.map(openAt))
  await Promise.all(databases.map((one, i) => upgrade(places[i] ?? place, one, silent)))
  expect(await Promise.all(databases.map(schemaOf))).toEqual(places.map(() => knownSchema))
  expect(places.flatMap(({ dataDir }) => readdirSync(dataDir))).toEqual([])
})
