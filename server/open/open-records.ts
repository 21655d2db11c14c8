import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRecords, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import type { Config } from '#server/settings/config.ts'
import { readSecret } from '#server/storage/data-folder.ts'
import { openStorage } from '#server/storage/files.ts'
import { createSchema } from '#server/collections/schema.ts'
import { createHooks } from './hooks.ts'
import { deleteStoredMails } from '#server/mail/file-transport.ts'
import { openLibrary } from './open-library.ts'

/** The library for a command. */
export interface CommandLibrary extends AsyncDisposable {
  database: Database
  /** The same record service as the server's, without mails. */
  records: LibraryRecords
}

/**
 * Opens the library for a command that changes accounts, whether or not a server is running. A
 * running server learns of its writes.
 *
 * @throws in words an operator can act on, as `openLibrary` does, and if the server's secret is not
 *   where the command looks for it
 */
export async function openRecords(config: Config): Promise<CommandLibrary> {
  const { dataDir, planDefault, signInCode, passwordSignIn, appUrl } = config
  const { completeBooks } = config.catalogue
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openLibrary(config))
  // With the wrong secret links wouldn't work, and with the wrong folder pictures would stay
  // behind.
  if (!config.secret && !existsSync(join(dataDir, 'secret')))
    throw new Error(`there is no secret in ${dataDir}; set DATA_DIR or SECRET as the server has it`)
  const forgetting: Promise<number>[] = []
  opened.defer(async () => void (await Promise.all(forgetting)))
  const onForget = (email: string) => void forgetting.push(deleteStoredMails(dataDir, email))
  const records = createRecords({
    database,
    schema: createSchema(planDefault, signInCode, passwordSignIn),
    secret: readSecret(dataDir, config.secret),
    hooks: createHooks({ planDefault, onForget, completeBooks }),
    files: openStorage(config),
    appUrl,
    limits: false,
    onOtp: () => undefined,
  })
  opened.defer(() => records.close())
  const owned = opened.move()
  return { database, records, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
