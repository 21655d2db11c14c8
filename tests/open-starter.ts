import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import {
  openCatalogue,
  withSources,
  type Catalogue,
  type SourcesOptions,
  type FederatedCatalogue,
} from '#catalogue/index.ts'
import { copyStarterIndex } from './prepared.ts'

/**
 * The starter catalogue in a folder of its own, for all tests of the file that awaits this at its
 * top; it ends with the file.
 */
export function openStarter() {
  return open((catalogue) => catalogue)
}

/**
 * The same with what other sites say.
 *
 * @param outside which sites are asked and where they are; none unless given
 */
export async function openFederatedStarter(
  outside: Partial<SourcesOptions> = {},
): Promise<FederatedCatalogue> {
  const { catalogue } = await open((index, folder) => federate(index, folder, outside))
  return catalogue
}

/**
 * @returns a function that gives the same starter catalogue with sites of which nothing was asked
 *   yet, so that no test comes to the limit of what a site may be asked
 */
export async function openFreshSources(outside: Partial<SourcesOptions>) {
  const { catalogue, folder } = await openStarter()
  const index = { ...catalogue, close: () => Promise.resolve() }
  return () => federate(index, folder, outside)
}

function federate(index: Catalogue, folder: string, outside: Partial<SourcesOptions>) {
  return withSources(index, {
    folder,
    sources: [],
    openLibraryUrl: 'http://127.0.0.1:1',
    googleBooksUrl: 'http://127.0.0.1:1',
    country: 'US',
    userAgent: 'Octavo/1 (test@example.org)',
    log: { info: () => undefined, warn: () => undefined },
    ...outside,
  })
}

async function open<Books extends Pick<Catalogue, 'close'>>(
  make: (index: Catalogue, folder: string) => Books,
) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-starter-'))
  await copyStarterIndex(folder)
  const catalogue = make(await openCatalogue({ folder, workers: 1 }), folder)
  afterAll(async () => {
    await catalogue.close()
    rmSync(folder, { recursive: true })
  })
  return { catalogue, folder }
}
