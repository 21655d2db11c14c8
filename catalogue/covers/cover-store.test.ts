import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCoverStore } from './cover-store.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-covers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Bytes of all files. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

it('stays within its size under parallel writes', async () => {
  const folder = emptyFolder()
  const maxBytes = 100_000
  const store = openCoverStore(folder, maxBytes)
  for (let round = 0; round < 5; round++)
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => store.write(`${round} ${n}`, new Uint8Array(5000))),
    )
  expect(sizeOf(folder)).toBeLessThanOrEqual(maxBytes)
  expect(sizeOf(folder)).toBeGreaterThan(maxBytes / 2)
})

it('finds and counts the pictures of an earlier run', async () => {
  const folder = emptyFolder()
  const bytes = new Uint8Array(4000).fill(7)
  await openCoverStore(folder, 10_000).write('one', bytes)
  const store = openCoverStore(folder, 10_000)
  expect((await store.read('one'))?.bytes).toHaveLength(4000)
  expect(await store.read('another')).toBeNull()
  await store.write('two', bytes)
  await store.write('three', bytes)
  expect(sizeOf(folder)).toBeLessThanOrEqual(9000)
  expect((await store.read('three'))?.bytes).toHaveLength(4000)
})

it('keeps nothing where nothing may be kept', async () => {
  const folder = emptyFolder()
  const store = openCoverStore(folder, 0)
  await store.write('one', new Uint8Array(10))
  expect(await store.read('one')).toBeNull()
})
