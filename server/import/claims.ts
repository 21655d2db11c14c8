import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { isRunning, number, text, type Database } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { modify, query } from '#server/storage/query.ts'

/** Milliseconds for which a claim holds without being renewed. */
export const claimLife = 15_000
/** Milliseconds by which clocks of processes differ. A claim that goes on for longer was made before one was set back. */
const clocksDiffer = 60_000

/** Times an import is tried before it is given up, unless it got further meanwhile. */
export const triesAtMost = 2

/** This process, in a way that another one on this machine can tell whether it has ended. */
const self = JSON.stringify([hostname(), process.pid, randomUUID()])

/**
 * Claims an import for this process. Several may run on one database: the servers, and a command.
 *
 * @returns how often it has been tried without getting further, including this time; null if
 *   another process has it
 */
export function claimImport(database: Database, id: string): Promise<number | null> {
  const now = Date.now()
  return database.transaction(async (tx) => {
    const [row] = await query(tx, sql`SELECT worker, until FROM import_work WHERE import = ${id}`, {
      worker: text,
      until: number,
    })
    const { worker, until } = row ?? { worker: '', until: 0 }
    const left = until - now
    const isHeld = left > 0 && left <= claimLife + clocksDiffer
    if (worker !== self && isHeld && !hasEnded(worker)) return null
    const [claimed] = await modify(
      tx,
      'import_work',
      sql`INSERT INTO import_work (import, worker, until, tries)
        VALUES (${id}, ${self}, ${now + claimLife}, 1)
        ON CONFLICT (import) DO UPDATE
          SET worker = ${self}, until = ${now + claimLife}, tries = import_work.tries + 1
          WHERE import_work.worker = ${worker}
        RETURNING tries`,
      { tries: number },
    )
    return claimed?.tries ?? null
  })
}

function hasEnded(worker: string): boolean {
  if (!worker) return true
  const [host, pid] = JSON.parse(worker) as [string, number, string]
  // In a container, each process that is started has the same number.
  return host === hostname() && (pid === process.pid || !isRunning(pid))
}

/** Renews this process's claim of an import; nothing happens without one. */
export async function renewClaim(database: Database, id: string): Promise<void> {
  const renew = sql`UPDATE import_work SET until = ${Date.now() + claimLife}
    WHERE import = ${id} AND worker = ${self}`
  await database.transaction((tx) => modify(tx, 'import_work', renew), { isDurable: false })
}

/** Call when the work has ended, in whatever way: only a crash counts as a failed try. */
export async function releaseImport(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await modify(
      tx,
      'import_work',
      sql`UPDATE import_work SET worker = '', tries = 0 WHERE import = ${id} AND worker = ${self}`,
    )
    await modify(
      tx,
      'import_work',
      sql`DELETE FROM import_work WHERE import = ${id} AND worker = '' AND deleted = 0`,
    )
  })
}

/** Call in the transaction that brings an import further. */
export async function noteProgress(tx: LibraryTransaction, id: string): Promise<void> {
  const progress = sql`UPDATE import_work SET tries = 0 WHERE import = ${id} AND tries > 0`
  await modify(tx, 'import_work', progress)
}

/** Leaves the rows of an import to be deleted in the background, as there can be many. */
export async function markDeleted(tx: LibraryTransaction, id: string): Promise<void> {
  await modify(
    tx,
    'import_work',
    sql`INSERT INTO import_work (import, worker, until, tries, deleted)
      VALUES (${id}, '', 0, 0, 1) ON CONFLICT (import) DO UPDATE SET deleted = 1`,
  )
}

/** Call when the rows of a deleted import are gone. */
export async function forgetDeleted(database: Database, id: string): Promise<void> {
  const forget = sql`DELETE FROM import_work WHERE import = ${id} AND worker = ${self}`
  await database.transaction((tx) => modify(tx, 'import_work', forget))
}
