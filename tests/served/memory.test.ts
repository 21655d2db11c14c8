import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { maxInMemory } from '#records/files/spool.ts'
import { maxImportFileBytes } from '#shared/import.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** Megabytes once nobody has asked for anything for a while; some 145 are usual. */
const most = 175

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

// Each measures its own process; the first mostly waits.
describe.concurrent('memory', () => {
  // 7 s: memory is given back only once nobody asked for anything for five seconds.
  test('a second start takes little memory and loads only what it uses', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'octavo-memory-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    await copyStarterIndex(dataDir)
    // What the first start compiles, the second finds.
    await (await startOctavo({ DATA_DIR: dataDir })).stop()
    // Node tells of every module it takes from its cache. A pipe that is full would lose some of it.
    const modules = join(dataDir, 'modules.log')
    const octavo = await startOctavo(
      { DATA_DIR: dataDir, NODE_DEBUG_NATIVE: 'COMPILE_CACHE', MODULES: modules },
      ['sh', '-c', 'exec "$@" 2>"$MODULES"', 'sh'],
    )
    try {
      const { status } = await fetch(`${octavo.url}/api/ready`)
      expect(status).toBe(200)
      await expect.poll(() => memory(octavo.process.pid)).toBeLessThan(most)
    } finally {
      await octavo.stop()
    }
    const loaded = new Set(
      [...readFileSync(modules, 'utf8').matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(
        ([, name]) => name,
      ),
    )
    expect(loaded).toContain('kysely')
    expect(later.filter((name) => loaded.has(name))).toEqual([])
  })

  test(
    'a file of 100 MB is taken in less memory than it has',
    { timeout: 120_000 },
    async ({ expect, onTestFinished }) => {
      const post = await openMailServer()
      onTestFinished(() => post.close())
      const octavo = await startOctavo({ SMTP_URL: post.url })
      onTestFinished(async () => void (await octavo.stop()))
      const client = signedIn(octavo, await signUp(octavo, post))
      const before = memory(octavo.process.pid, 'VmHWM')
      // Nothing can be read from it, which shows as soon as it is looked at.
      const bytes = new Uint8Array(maxImportFileBytes)
      const { id } = await client
        .collection('imports')
        .create({ file: new File([bytes], 'zeros.csv') })
      await expect
        .poll(async () => (await client.collection('imports').getOne(id))['state'] as unknown, {
          timeout: 60_000,
        })
        .toBe('failed')
      expect(memory(octavo.process.pid, 'VmHWM') - before).toBeLessThan(100)
      expect(readdirSync(join(octavo.dataDir, 'importing'))).toEqual([])
    },
  )

  test('large pictures of a batch leave nothing behind, taken or refused', async ({
    expect,
    onTestFinished,
  }) => {
    const post = await openMailServer()
    onTestFinished(() => post.close())
    const octavo = await startOctavo({ SMTP_URL: post.url })
    onTestFinished(async () => void (await octavo.stop()))
    const client = signedIn(octavo, await signUp(octavo, post))
    const { id } = await ownRecord(client)
    const send = (content: Buffer<ArrayBuffer>) => {
      const batch = client.createBatch()
      batch.collection('users').update(id, { avatar: new File([content], 'ann.png') })
      return batch.send()
    }
    const noise = randomBytes(3 * 1024 * 1024)
    const picture = await sharp(noise, { raw: { width: 1024, height: 1024, channels: 3 } })
      .png()
      .toBuffer()
    expect(picture.length).toBeGreaterThan(maxInMemory)
    const [changed] = await send(Buffer.from(picture))
    expect(changed).toMatchObject({ status: 200, body: { avatar: expect.stringMatching(/^ann/) } })
    await expect(send(noise)).rejects.toMatchObject({ status: 400 })
    expect(readdirSync(join(octavo.dataDir, 'importing'))).toEqual([])
  })
})

/** @returns megabytes of a process, now or at most so far; 0 where the system does not tell */
function memory(pid = 0, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1000
}
