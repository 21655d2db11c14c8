import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { catalogueFiles } from '#catalogue/files.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { openPool } from './pool.ts'

test('starts threads on demand, and ends idle ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyStarterIndex(folder)
  const started: Worker[] = []
  const note = (message: unknown) => started.push((message as { worker: Worker }).worker)
  subscribe('worker_threads', note)
  onTestFinished(() => void unsubscribe('worker_threads', note))

  const pool = openPool(catalogueFiles(folder), { size: 2, idle: 1 })
  onTestFinished(() => pool.close())
  expect(started).toHaveLength(0)
  const [classics] = await Promise.all([
    pool.ask('section', 'classics'),
    pool.ask('section', 'manga'),
    pool.ask('section', 'manga'),
  ])
  expect(classics.length).toBeGreaterThan(0)
  expect(started).toHaveLength(2)
  for (const worker of started) if (worker.threadId >= 0) await once(worker, 'exit')
  expect(await pool.ask('section', 'classics')).toEqual(classics)
  expect(started).toHaveLength(3)
})
