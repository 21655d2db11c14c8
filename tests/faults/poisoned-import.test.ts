import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { ImportRecord } from '#shared/import.ts'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { engines, openInstallation } from './installation.ts'

/** A small archive of a large table, which takes seconds to look through. */
async function largeFile(): Promise<File> {
  const zip = new ZipFile()
  const row = `Volume,${'A Name, '.repeat(100)}\n`
  zip.addBuffer(Buffer.from(`Title,Review\n${row.repeat(99_000)}`), 'export.csv')
  zip.end()
  const bytes = await buffer(zip.outputStream as Readable)
  return new File([bytes], 'export.zip')
}

const importsOf = (octavo: Octavo, token: string) =>
  signedIn(octavo, token).collection<ImportRecord>('imports')

test.for(engines)(
  'R57: a file that takes long holds up neither another reader’s nor a stop, and is given up (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { post, start, dataDir } = await openInstallation(engine)
    let octavo = await start()
    const slow = await signUp(octavo, post, 'slow')
    const quick = await signUp(octavo, post, 'quick')
    const files = () => readdirSync(join(dataDir, 'importing'))
    const isReading = async () =>
      await expect.poll(files).toContainEqual(expect.stringMatching(`^file-${octavo.process.pid}-`))

    const { id } = await importsOf(octavo, slow).create({ file: await largeFile() })
    await isReading()
    const small = new File(['Title,Author\nEmma,Jane Austen\n'], 'small.csv')
    const other = await importsOf(octavo, quick).create({ file: small })
    await expect
      .poll(async () => (await importsOf(octavo, quick).getOne(other.id)).state)
      .toBe('waiting')
    expect(await importsOf(octavo, slow).getOne(id)).toMatchObject({ state: 'reading', total: 0 })

    const before = performance.now()
    const stopped = once(octavo.process, 'exit')
    octavo.process.kill('SIGTERM')
    expect((await stopped)[0]).toBe(0)
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(files()).toEqual([])

    for (let tries = 0; tries < 2; tries++) {
      octavo = await start()
      await isReading()
      const killed = once(octavo.process, 'exit')
      octavo.process.kill('SIGKILL')
      await killed
      expect(files()).toHaveLength(1)
    }
    octavo = await start()
    await expect
      .poll(() => importsOf(octavo, slow).getOne(id))
      .toMatchObject({ state: 'failed', error: expect.stringMatching(/^We stopped after two/) })
    await expect.poll(files).toEqual([])
  },
)
