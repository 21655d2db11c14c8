import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalogue } from '#catalogue/index.ts'

/**
 * Puts the index of the starter books into a data folder, so that what opens it need not build it.
 * It is built once per run.
 */
export async function copyStarterIndex(folder: string): Promise<void> {
  const shared = join(tmpdir(), 'starter-index')
  if (!existsSync(shared)) await build(shared)
  copyFileSync(join(shared, 'catalogue.db'), join(folder, 'catalogue.db'))
}

async function build(shared: string): Promise<void> {
  const folder = mkdtempSync(`${shared}-`)
  const catalogue = await openCatalogue({ folder, workers: 1 })
  await catalogue.close()
  // Another worker may have come first.
  try {
    renameSync(folder, shared)
  } catch {
    rmSync(folder, { recursive: true })
  }
}
