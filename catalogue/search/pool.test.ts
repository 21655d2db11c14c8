import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { catalogueFiles } from '#catalogue/files.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { openCatalogue } from '#catalogue/index.ts'
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

test('R60: background work waits for requests, one at a time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyStarterIndex(folder)
  const pool = openPool(catalogueFiles(folder), { size: 1, idle: 60_000 })
  onTestFinished(() => pool.close())
  const answered: string[] = []
  const note = (name: string) => () => void answered.push(name)
  const later = (name: string) => pool.askLater('named', []).then(note(name))
  const now = (name: string) => pool.ask('section', 'manga').then(note(name))
  await Promise.all([later('first'), later('second'), later('third'), now('a'), now('b')])
  expect(answered).toEqual(['a', 'b', 'first', 'second', 'third'])
})

test('R60: a look-up by any number of authors takes a few words of the index', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyStarterIndex(folder)
  const took: number[] = []
  const meter = () => (milliseconds: number) => void took.push(milliseconds)
  const catalogue = await openCatalogue({ folder, workers: 1, meter })
  onTestFinished(() => catalogue.close())
  const authors = Array.from({ length: 120_000 }, (_, n) => `Somebody Else${n}`)
  const titles = [Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ')]
  const [found] = await catalogue.named([{ isbn: '', titles, authors }])
  expect(found).toEqual({ byIsbn: null, byName: [] })
  expect(Math.max(...took)).toBeLessThan(100)
})
