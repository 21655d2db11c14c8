import { sql } from 'kysely'
import { number } from '../database/columns.ts'
import { modify, query } from '../database/query.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../filter/request.ts'
import type { Core } from '../write/core.ts'
import { requirePasswords } from '../schema/auth-options.ts'
import { requirePassword } from './own-password.ts'

/** The column of `_sessions` with the time of its last confirmation; 0 for none. */
export const confirmationTables = (): string[] => [
  'ALTER TABLE _sessions ADD COLUMN confirmed BIGINT NOT NULL DEFAULT 0',
]

/** Milliseconds by which another process's clock may be ahead. */
const ahead = 60_000

/**
 * Stores in a session that its reader has just given the account's password again.
 *
 * @param network where the request comes from
 * @throws ApiError 400 with an error of `password` if it is wrong, or if accounts have no passwords;
 *   401 if the session has ended, 429 after too many wrong ones
 */
export async function confirmPassword(
  core: Core,
  viewer: Viewer,
  password: string,
  network: string,
): Promise<void> {
  requirePasswords(core.schema.get(viewer.collectionId))
  await requirePassword(core, viewer, password, network)
  // A new password ends all sessions, so a session that is still there has the one that was compared.
  const now = core.now().getTime()
  const [confirmed] = await core.database.transaction((tx) =>
    modify(
      tx,
      '_sessions',
      sql`UPDATE _sessions SET confirmed = ${now}
        WHERE id = ${viewer.session} AND record = ${viewer.id} RETURNING id`,
    ),
  )
  if (!confirmed) throw new ApiError(401)
}

/**
 * @returns when the viewer's session was last confirmed; null if it never was. Where accounts have no
 *   passwords, signing in confirms it.
 */
export async function confirmedAt(
  { database, schema, now }: Pick<Core, 'database' | 'schema' | 'now'>,
  viewer: Viewer,
): Promise<Date | null> {
  const hasPasswords = schema.get(viewer.collectionId).auth?.passwords !== false
  const column = sql.ref(hasPasswords ? 'confirmed' : 'created')
  const [row] = await query(
    database,
    sql`SELECT ${column} FROM _sessions WHERE id = ${viewer.session} AND record = ${viewer.id}`,
    { confirmed: number },
  )
  const confirmed = row?.confirmed ?? 0
  // The clock was set back since.
  if (confirmed > now().getTime() + ahead) return null
  return confirmed ? new Date(confirmed) : null
}
