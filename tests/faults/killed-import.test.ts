import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { catalogueFiles } from '#catalogue/files.ts'
import { runCatalogueCommand } from '#catalogue/import/command.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { childEnv } from '#tests/child-env.ts'
import { author, authorRole, edition, work, writeDumps } from '#tests/dumps.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-killed-import-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** @returns the exit code of an import that nobody disturbs */
async function importWhole(data: string, args: string[]): Promise<number> {
  mkdirSync(data, { recursive: true })
  const silent = { start: () => {}, update: () => {}, stop: () => {} }
  return runCatalogueCommand(['import', ...args], data, () => {}, silent)
}

describe('an import that is ended', () => {
  // More editions than one transaction takes, so that it also goes on in the middle of a dump.
  const lands = Array.from({ length: 2100 }, (_, i) => i + 1)
  const many = {
    authors: lands.slice(0, 500).map((i) => author(i, `Writer ${i % 7} Name${i}`)),
    works: lands.map((i) => work(i, `Tale ${i} of ${i % 11} Rivers`, authorRole((i % 500) + 1))),
    editions: lands.flatMap((i) => [
      edition(i * 2, i, `Tale ${i} of ${i % 11} Rivers`, {
        isbn_10: [toIsbn13(`0${String(i).padStart(8, '0')}X`) ?? ''],
      }),
      edition(i * 2 + 1, i, `Conte ${i}`),
    ]),
    popularity: lands.slice(0, 900).map((i) => `/works/OL${i}W\t${i % 40}`),
  }
  const digest = (data: string) =>
    createHash('sha256')
      .update(readFileSync(catalogueFiles(data).file))
      .digest('hex')

  // 9 s: an import begins eleven times and more.
  test(
    'by a kill at ten points, and begun again, makes the same index',
    { timeout: 240_000 },
    async () => {
      const args = writeDumps(join(folder, 'dumps'), many)
      const whole = join(folder, 'whole')
      const began = performance.now()
      expect(await importWhole(whole, args)).toBe(0)
      const taken = performance.now() - began
      const killed = join(folder, 'killed')
      let survived = 0
      for (let i = 0; i < 10; i++) {
        mkdirSync(killed, { recursive: true })
        // A quarter of a second to begin, then anywhere up to the end.
        survived += (await importAndKill(killed, args, 250 + (taken * (i + 1)) / 12)) ? 1 : 0
      }
      expect(survived).toBeLessThan(10)
      expect(await importWhole(killed, args)).toBe(0)
      expect(digest(killed)).toBe(digest(whole))
    },
  )

  test('by nobody, but for a dump that was cut short, ends by itself', async () => {
    const args = writeDumps(join(folder, 'cut'), many)
    const file = join(folder, 'cut', 'editions.txt.gz')
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length / 2))
    const data = join(folder, 'cut-data')
    mkdirSync(data)
    const child = spawn(process.execPath, ['server/commands/catalogue.ts', 'import', ...args], {
      env: { ...childEnv, TMPDIR: tmpdir(), DATA_DIR: data },
    })
    const ended = once(child, 'exit')
    expect(await text(child.stdout)).toContain(`${file} cannot be read to the end`)
    expect(await ended).toEqual([1, null])
  })

  /** @returns whether it came to its end before it was killed */
  function importAndKill(data: string, args: string[], after: number): Promise<boolean> {
    const child = spawn(process.execPath, ['server/commands/catalogue.ts', 'import', ...args], {
      env: { ...childEnv, TMPDIR: tmpdir(), DATA_DIR: data },
      stdio: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), after)
    return new Promise((resolve) =>
      child.once('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0)
      }),
    )
  }
})
