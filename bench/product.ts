import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Tokens } from '#records/auth/tokens.ts'
import { schema } from '#server/collections/schema.ts'
import { startArguments } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { isShort } from './measure.ts'
import { startServer, type ServerProcess } from './server-process.ts'

/** What tokens are signed with. */
export const secret = 'only for the bench. '.repeat(3).trim()

/**
 * Starts Octavo as `npm start` would, without limits on requests.
 *
 * @param folder of its data
 * @param env settings on top of these; SQLite in the folder unless they name a database
 */
export async function startProduct(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  if (isShort && !existsSync(join(folder, 'catalogue.db'))) await copyStarterIndex(folder)
  const server = await startServer(startArguments, {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: '',
    SECRET: secret,
    CATALOGUE_SOURCES: '',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    NODE_ENV: 'production',
    ...env,
  })
  if (!isShort) await calm(server)
  return server
}

/** What a start leaves for the background, such as counting what is popular, is not measured. */
async function calm(server: ServerProcess): Promise<void> {
  const step = 0.5
  let busy = Number.POSITIVE_INFINITY
  for (let waited = 0; busy > step / 10 && waited < 120; waited += step) {
    const before = server.cpuSeconds()
    await setTimeout(step * 1000)
    busy = server.cpuSeconds() - before
  }
}

/**
 * Signs an account in past the screens; to be asked for before the start.
 *
 * @param sid of the session, where it has several
 * @returns the token of its new session
 */
export async function signedIn(
  file: string,
  id: string,
  collection = schema.find('users')!,
  sid = `bench${id}`,
): Promise<string> {
  const { id: collectionId, name } = collection
  const db = new DatabaseSync(file)
  db.prepare(
    'INSERT INTO _sessions (id, collection, record, created, used) VALUES (?, ?, ?, ?, ?)',
  ).run(sid, collectionId, id, Date.now(), Date.now())
  const row = db.prepare(`SELECT "tokenKey" FROM ${name} WHERE id = ?`).get(id)
  db.close()
  const exp = Math.floor(Date.now() / 1000) + 86_400
  const claims = { type: 'auth', id, collectionId, refreshable: true, exp, sid, gen: 0 } as const
  return new Tokens(secret).sign(claims, String(row?.['tokenKey']))
}
