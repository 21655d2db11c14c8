import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import { named, number, text, type Database } from '#records/index.ts'
import { modify, query, queryNumber } from '#server/storage/query.ts'
import { adminPageSize, type AdminAct, type AdminLogEntry } from '#shared/admin.ts'
import { toPage, type Page } from '#shared/directory.ts'

/** What is done, by whom and to whom. */
export interface Act {
  /** The administrator's username; '' for a command of the operator. */
  actor: string
  act: AdminAct
  /** A reader's username, or the id of an invitation. */
  subject: string
}

/**
 * Does something to readers or the site, and keeps in the log that it was done. The entry is written
 * first, so that nothing is done without one, and goes again if it fails.
 *
 * @returns what the work returns
 * @throws what the work throws
 */
export async function logged<T>(
  database: Database,
  act: Act,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  const id = await addEntry(database, act, now)
  try {
    return await work()
  } catch (error) {
    await database.transaction((tx) =>
      modify(tx, 'admin_log', sql`DELETE FROM admin_log WHERE id = ${id}`),
    )
    throw error
  }
}

/** {@link logged} for a command of the operator. */
export function loggedCommand<T>(
  database: Database,
  act: AdminAct,
  subject: string,
  work: () => Promise<T>,
): Promise<T> {
  return logged(database, { actor: '', act, subject }, new Date(), work)
}

/** Adds an entry, for an act whose subject is only known afterwards. @returns its id */
export async function addEntry(
  database: Database,
  { actor, act, subject }: Act,
  now: Date,
): Promise<string> {
  const id = nanoid()
  await database.transaction((tx) =>
    modify(
      tx,
      'admin_log',
      sql`INSERT INTO admin_log (id, at, actor, act, subject)
        VALUES (${id}, ${now.getTime()}, ${actor}, ${act}, ${subject})`,
    ),
  )
  return id
}

/** @returns one page of what was done, the newest first */
export async function listLog(database: Database, page: number): Promise<Page<AdminLogEntry>> {
  const rows = await query(
    database,
    sql`SELECT id, at, actor, act, subject FROM admin_log ORDER BY at DESC, id
      LIMIT ${sql.lit(adminPageSize)} OFFSET ${(page - 1) * adminPageSize}`,
  )
  const entries = named(rows, {
    id: text,
    at: number,
    actor: text,
    act: (act) => String(act) as AdminAct,
    subject: text,
  })
  const total = await queryNumber(database, sql`SELECT COUNT(*) FROM admin_log`)
  const items = entries.map(({ at, ...entry }) => ({ ...entry, at: new Date(at).toISOString() }))
  return toPage(items, page, adminPageSize, total)
}
