import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openCatalogue } from '#catalogue/index.ts'

/**
 * The starter catalogue in a folder of its own, for all tests of the file that awaits this at its
 * top; it ends with the file.
 */
export async function openStarter() {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-starter-'))
  const catalogue = await openCatalogue({ folder, workers: 1 })
  afterAll(async () => {
    await catalogue.close()
    rmSync(folder, { recursive: true })
  })
  return { catalogue, folder }
}
