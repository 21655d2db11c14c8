import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeAbandoned, temporaryFolder } from './spool.ts'

it('R58: removes the temporary folders of processes that have ended, and only those', async () => {
  const within = mkdtempSync(join(tmpdir(), 'octavo-spool-'))
  onTestFinished(() => rmSync(within, { recursive: true }))
  const { pid } = spawnSync(process.execPath, ['--version'])
  mkdirSync(join(within, `upload-${pid}-a1b2c3`))
  mkdirSync(join(within, 'file-d4e5f6'))
  const other = `upload-${process.ppid}-a1b2c3`
  mkdirSync(join(within, other))
  const own = await temporaryFolder(within, 'file')
  await removeAbandoned(within)
  expect(readdirSync(within).map((name) => join(within, name))).toEqual(
    [own, join(within, other)].toSorted(),
  )
  // In a container, each process that is started has the same number.
  await removeAbandoned(within, Date.now() + 60_000)
  expect(readdirSync(within)).toEqual([other])
})
