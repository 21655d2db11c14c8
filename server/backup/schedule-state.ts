import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import { number, text, type Database } from '#records/index.ts'
import { modify, query } from '../storage/query.ts'

/** Milliseconds for which a process has a folder claimed; it renews this while it makes a backup. */
export const claim = 120_000

/** Milliseconds after a failed backup until the next attempt, unless the schedule is tighter. */
const retryAfter = 3_600_000

/** Milliseconds. A clock further behind what was stored than this was set back meanwhile. */
export const setBack = 60_000

/** What is known of a folder's scheduled backups; times are milliseconds since 1970. */
export interface ScheduleState {
  /** Stands in the manifest of each backup that this schedule made. */
  id: string
  /** When the folder was first scheduled. */
  created: number
  /** When the last attempt began; 0 if there was none. */
  attempted: number
  /** The last attempt: still running or interrupted, made, or failed. */
  result: '' | 'made' | 'failed'
  /** Why the last attempt failed; '' otherwise. */
  failure: string
  /** The name of the last backup that was made; '' if there is none. */
  name: string
  /** When it began; 0 if there is none. */
  made: number
  /** How many lost pictures it lacks. */
  missing: number
}

/** @returns undefined if no server has scheduled backups to the folder yet */
export async function readSchedule(
  database: Database,
  folder: string,
): Promise<ScheduleState | undefined> {
  const [row] = await query(
    database,
    sql`SELECT id, created, attempted, result, failure, name, made, missing
      FROM backup_schedules WHERE folder = ${folder}`,
    {
      id: text,
      created: number,
      attempted: number,
      result: (result) => result as ScheduleState['result'],
      failure: text,
      name: text,
      made: number,
      missing: number,
    },
  )
  return row
}

/**
 * Claims the folder's next backup if it is due and no process is making it.
 *
 * @param every milliseconds from one backup to the next
 * @returns the schedule's id; undefined if there is nothing to do
 */
export async function claimBackup(
  database: Database,
  folder: string,
  every: number,
  now: number,
): Promise<string | undefined> {
  const [row] = await database.transaction(async (tx) => {
    await modify(
      tx,
      'backup_schedules',
      sql`INSERT INTO backup_schedules (folder, id, created) VALUES (${folder}, ${nanoid()}, ${now})
        ON CONFLICT (folder) DO NOTHING`,
    )
    return modify(
      tx,
      'backup_schedules',
      sql`UPDATE backup_schedules
        SET attempted = ${now}, result = '', failure = '', claimed = ${now + claim}
        WHERE folder = ${folder}
          AND (claimed <= ${now} OR claimed > ${now + claim + setBack})
          AND (result = '' OR attempted > ${now + setBack}
            OR result = 'made' AND attempted <= ${now - every}
            OR result = 'failed' AND attempted <= ${now - Math.min(every, retryAfter)})
        RETURNING id`,
      { id: text },
    )
  })
  return row?.id
}

/** Keeps the claim of a backup that is being made. @param attempted when it began */
export async function renewClaim(
  database: Database,
  folder: string,
  attempted: number,
  now: number,
): Promise<void> {
  await update(database, folder, attempted, sql`claimed = ${now + claim}`)
}

/** Records that the attempt made a backup. */
export async function recordBackup(
  database: Database,
  folder: string,
  attempted: number,
  { name, missing }: { name: string; missing: number },
): Promise<void> {
  const values = sql`claimed = 0, result = 'made', name = ${name}, made = ${attempted}, missing = ${missing}`
  await update(database, folder, attempted, values)
}

/** Records why the attempt failed. */
export async function recordFailure(
  database: Database,
  folder: string,
  attempted: number,
  failure: string,
): Promise<void> {
  await update(
    database,
    folder,
    attempted,
    sql`claimed = 0, result = 'failed', failure = ${failure}`,
  )
}

/** Gives the claim back unused: the next start, or another process, makes the backup at once. */
export async function releaseClaim(
  database: Database,
  folder: string,
  attempted: number,
): Promise<void> {
  await update(database, folder, attempted, sql`claimed = 0`)
}

/** Changes nothing if another process has taken the claim over. */
async function update(
  database: Database,
  folder: string,
  attempted: number,
  values: ReturnType<typeof sql>,
): Promise<void> {
  await database.transaction((tx) =>
    modify(
      tx,
      'backup_schedules',
      sql`UPDATE backup_schedules SET ${values} WHERE folder = ${folder} AND attempted = ${attempted}`,
    ),
  )
}
