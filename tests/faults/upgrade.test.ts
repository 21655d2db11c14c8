import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres, openSqlite } from '#records/index.ts'
import { schemaOf } from '#server/migrations/migrate.ts'
import { version } from '#server/runtime/version.ts'
import { newPostgresUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { fillOld, oldSchema } from '#tests/old-library.ts'
import { copyStarterIndex } from '#tests/prepared.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** @returns settings that start on a library of an earlier schema */
async function oldLibrary(engine: 'sqlite' | 'postgres') {
  const folder = newFolder()
  await copyStarterIndex(folder)
  const url = engine === 'postgres' ? await newPostgresUrl() : ''
  const database = url ? await openPostgres(url) : openSqlite(join(folder, 'octavo.db'))
  await fillOld(folder, database)
  await database.close()
  return { DATA_DIR: folder, DATABASE_URL: url }
}

test('a start says its version, and which backup it made before it upgraded', async () => {
  const settings = await oldLibrary('sqlite')
  const octavo = await startOctavo({ ...settings, LOG_LEVEL: 'info' })
  expect(octavo.output()).toContain(`Octavo ${version}\n`)
  await expect
    .poll(() => octavo.output())
    .toMatch(/^\{.*"schema":\d+.*"msg":"Octavo [\d.]+ starts"\}$/m)
  const [, backup = ''] = /^Backed up to (.*)$/m.exec(octavo.output()) ?? []
  expect(backup).toMatch(new RegExp(`^${settings.DATA_DIR}/backups/octavo-before-schema-`))
  expect(existsSync(join(backup, 'manifest.json'))).toBe(true)
  await octavo.stop()
  const again = await startOctavo(settings)
  expect(again.output()).not.toContain('Upgrading')
  await again.stop()
})

test('a start that finds no pg_dump says how to go on, with it and without a backup', async () => {
  const settings = await oldLibrary('postgres')
  const start = startOctavo({ ...settings, PATH: '' })
  await expect(start).rejects.toThrow(
    /ended with 1: .*pg_dump was not found.*To do: install PostgreSQL's client programs .*BACKUP_BEFORE_UPGRADE=off\n$/s,
  )
  const database = await openPostgres(settings.DATABASE_URL)
  onTestFinished(() => database.close())
  expect(await schemaOf(database)).toBe(oldSchema)
  const octavo = await startOctavo({ ...settings, PATH: '', BACKUP_BEFORE_UPGRADE: 'off' })
  expect(await octavo.stop()).toBe(0)
  expect(await schemaOf(database)).toBeGreaterThan(oldSchema)
})

/** A process that sees a disk of its own, with a copy of the library on it. */
const onSmallDisk = (folder: string, library: string) => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=48m tmpfs '${folder}' && cp -r '${library}/.' '${folder}' && exec "$@"`,
  'sh',
]
const [command = '', ...words] = onSmallDisk(tmpdir(), import.meta.dirname)
const canMount = spawnSync(command, [...words, 'true']).status === 0

test.runIf(canMount)('a start without room for the backup changes nothing', async () => {
  const { DATA_DIR: library } = await oldLibrary('sqlite')
  const folder = newFolder()
  const start = startOctavo({ DATA_DIR: folder }, onSmallDisk(folder, library))
  await expect(start).rejects.toThrow(
    /it and the upgrade may take \d+ MB, and .*\/backups has room for \d+ MB\. Nothing was changed/,
  )
})
