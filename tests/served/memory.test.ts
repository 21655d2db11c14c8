import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'

/** Megabytes after a start; some 180 are usual. */
const most = 230

/** What most libraries at home never use, or not before the first mail, picture or search abroad. */
const later = [
  '@aws-sdk/client-s3',
  'file-type',
  'nodemailer',
  'openid-client',
  'pg',
  'sharp',
  'stripe',
  'undici',
  'vite',
]

test('a second start takes little memory and loads only what it uses', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'octavo-memory-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  // What the first start compiles, the second finds.
  await (await startOctavo({ DATA_DIR: dataDir })).stop()
  const octavo = await startOctavo({
    DATA_DIR: dataDir,
    // Node tells of every module it takes from its cache.
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  })
  try {
    const { status } = await fetch(`${octavo.url}/api/ready`)
    expect(status).toBe(200)
    expect(memory(octavo.process.pid)).toBeLessThan(most)
  } finally {
    await octavo.stop()
  }
  const loaded = new Set(
    [...octavo.output().matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name]) => name),
  )
  expect(loaded).toContain('kysely')
  expect(later.filter((name) => loaded.has(name))).toEqual([])
})

/** @returns the megabytes that a process has in memory; 0 where the system does not tell */
function memory(pid = 0): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1000
}
