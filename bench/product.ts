import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { Tokens } from '#records/auth/tokens.ts'
import { schema } from '#server/library/collections.ts'
import { startServer, type ServerProcess } from './server-process.ts'

const secret = 'only for the bench '.repeat(3)

/**
 * Starts Octavo as `npm start` would, without limits on requests.
 *
 * @param folder of its data
 * @param databaseUrl of a PostgreSQL database; SQLite in the folder without it
 */
export function startProduct(folder: string, databaseUrl = ''): Promise<ServerProcess> {
  return startServer([join(import.meta.dirname, '../server/start.ts')], {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    SECRET: secret,
    CATALOGUE_SOURCES: '',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    NODE_ENV: 'production',
  })
}

/** @returns the token of a new session of a seeded reader; to be asked for before the start */
export async function signedIn(file: string, user: string): Promise<string> {
  const { id: collectionId = '' } = schema.find('users') ?? {}
  const sid = `bench${user}`
  const db = new DatabaseSync(file)
  db.prepare(
    'INSERT INTO _sessions (id, collection, record, created, used) VALUES (?, ?, ?, ?, ?)',
  ).run(sid, collectionId, user, Date.now(), Date.now())
  const row = db.prepare('SELECT tokenKey FROM users WHERE id = ?').get(user)
  db.close()
  const exp = Math.floor(Date.now() / 1000) + 86_400
  const claims = { type: 'auth', id: user, collectionId, refreshable: true, exp, sid } as const
  return new Tokens(secret).sign(claims, String(row?.['tokenKey']))
}
