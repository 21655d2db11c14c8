import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { openCatalogue } from '#catalogue/index.ts'
import { newId } from '#records/index.ts'
import { maxImportFileMegabytes, maxImportFileBytes, importRowStates } from '#shared/import.ts'
import { runCommand } from './command.ts'
import { readConfig, type Config } from '#server/settings/config.ts'
import { failureMessage } from '#server/runtime/failure.ts'
import { openStorage } from '#server/storage/files.ts'
import { openRecords, type CommandLibrary } from '#server/open/open-records.ts'
import { findReader } from '#server/readers/find.ts'
import { importFolder } from '#server/import/parse.ts'
import { runPendingImports } from '#server/import/runner.ts'

await runCommand(
  'npm run import --',
  {
    words: ['<file>'],
    about: 'Reads a file from another tracker for a reader and reports what it found.',
    options: {
      user: { type: 'string', value: 'name', about: 'the reader, by username or email' },
      apply: {
        type: 'boolean',
        about: 'adds the books; without it the import waits for the reader',
      },
    },
    failure: 'Nothing was imported',
    async run({ words: [path = ''], options }) {
      if (typeof options['user'] !== 'string') throw new Error('name the reader with --user')
      const config = readConfig({ ...process.env })
      const content = await openAsBlob(path)
      if (content.size > maxImportFileBytes)
        throw new Error(`the file is larger than ${maxImportFileMegabytes} MB`)
      await using library = await openRecords(config)
      const reader = await findReader(library.database, options['user'], new Date())
      const id = await addImport(library, { user: reader.id, path, content })
      return await bringIn(library, config, id, options['apply'] === true)
    },
  },
  process.argv.slice(2),
)

/** @returns the id of a new import that waits to be read */
async function addImport(
  { records }: CommandLibrary,
  { user, path, content }: { user: string; path: string; content: Blob },
): Promise<string> {
  const id = newId()
  const sent = { file: new File([content], basename(path)) }
  const stored = await records.storeUploads('imports', id, { account: user, sent })
  const values = { id, user, state: 'reading', options: { unmatched: 'file' } } as const
  await records.write((tx) => tx.create('imports', values, stored))
  return id
}

/** @returns the exit code */
async function bringIn(
  { database, records }: CommandLibrary,
  config: Config,
  id: string,
  isApplied: boolean,
): Promise<number> {
  const catalogue = await openCatalogue({ folder: config.dataDir, workers: 1 })
  const log = { error: ({ err }: { err: unknown }) => console.error(failureMessage(err)) }
  const { planDefault } = config
  const storage = openStorage(config)
  const work = async () => {
    const folder = importFolder(config.dataDir)
    await runPendingImports({ database, records, catalogue, storage, folder, planDefault, log }, id)
    return (await records.find('imports', id))!
  }
  try {
    let found = await work()
    const isAmbiguous = Boolean(found.options?.ambiguous_dates?.length)
    if (found.state === 'waiting' && isApplied && !isAmbiguous) {
      await records.write((tx) => tx.update('imports', id, { state: 'applying' }))
      found = await work()
    }
    console.log(`${found.total} rows`)
    for (const state of importRowStates) if (found[state]) console.log(`${found[state]} ${state}`)
    if (found.error) console.error(found.error)
    if (isAmbiguous)
      console.error(
        'The dates in this file are ambiguous. The reader has to choose how to read them.',
      )
    if (found.state === 'waiting')
      console.log(`Waiting for the reader at ${config.appUrl}/account/imports/${id}`)
    return found.error || (isApplied && found.state !== 'done') ? 1 : 0
  } finally {
    await catalogue.close()
  }
}
