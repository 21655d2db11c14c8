import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '#records/index.ts'
import { migrate } from '../migrations/migrate.ts'
import { openMetrics } from './metrics.ts'

test('metrics do without a folder that cannot be read, and have it once it can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-metrics-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = openSqlite(join(folder, 'library.db'))
  onTestFinished(() => database.close())
  await migrate(database)
  const dataDir = join(folder, 'data')
  const metrics = openMetrics('SQLite')
  metrics.look({ database, dataDir, clients: () => 3, backups: undefined })
  const without = await metrics.text()
  expect(without).toContain('octavo_realtime_clients 3\n')
  expect(without).toContain('octavo_mails_waiting 0\n')
  expect(without).not.toMatch(/octavo_(?:data|disk)_bytes\{/)
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret'), 'ten bytes.')
  const found = await metrics.text()
  expect(found).toContain('octavo_data_bytes{part="other"} 10\n')
  expect(found).toMatch(/octavo_disk_bytes\{state="free"\} \d+/)
})
