import { sql } from 'kysely'
import {
  ApiError,
  newId,
  tooManyRequests,
  type Database,
  flag,
  named,
  text,
} from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'
import { lockReader } from '#server/collections/locks.ts'
import { updateAllWorks } from '#server/library/work-readers.ts'
import { modify, query } from '#server/storage/query.ts'
import { maxReportsPerDay, type ReportForm, type ReportReason } from '#shared/report.ts'
import { usernamePattern } from '#shared/username.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

const day = 24 * 60 * 60 * 1000

/** A report as the operator sees it. */
export interface Report {
  id: string
  /** The current username; '' once the account is deleted. */
  reporter: string
  reported: string
  reason: ReportReason
  details: string
  created: string
  /** '' while it is open. */
  closed: string
  isHidden: boolean
}

/**
 * Stores a reader's report about another's profile.
 *
 * @param reporter id of the reporting reader
 * @param username of the reported profile, in any case
 * @returns the report
 * @throws ApiError 404 if the reporter cannot see such a profile; 409 if it is their own or they
 *   have reported it already; 429 if they have reported too many today
 */
export async function fileReport(
  tx: LibraryTransaction,
  reporter: string,
  username: string,
  { reason, details }: ReportForm,
  now: Date,
): Promise<Report> {
  const name = username.toLowerCase()
  const rows = usernamePattern.test(name)
    ? await query(
        tx,
        sql`SELECT u.id FROM users u JOIN settings s ON s."user" = u.id
          WHERE u.username = ${name} AND (u.id = ${reporter} OR ${isPublicProfile(sql`s`)})`,
      )
    : []
  const [found] = named(rows, { id: text })
  if (!found) throw new ApiError(404, answers.profileNotFound)
  const { id: reported } = found
  if (reported === reporter) throw new ApiError(409, answers.reportYourself)
  // Locked, so that concurrent reports are all counted.
  await lockReader(tx, reporter)
  await refuseTooMany(tx, reporter, reported, now)
  const id = newId()
  await modify(
    tx,
    'reports',
    sql`INSERT INTO reports (id, reporter, reported, reason, details, created)
      VALUES (${id}, ${reporter}, ${reported}, ${reason}, ${details}, ${now.toISOString()})`,
  )
  const kept = await findReport(tx, id)
  if (!kept) throw new Error('the new report has disappeared')
  return kept
}

async function refuseTooMany(
  tx: LibraryTransaction,
  reporter: string,
  reported: string,
  now: Date,
) {
  const open = await query(
    tx,
    sql`SELECT 1 FROM reports
      WHERE reporter = ${reporter} AND reported = ${reported} AND closed = ''`,
  )
  if (open.length > 0) throw new ApiError(409, answers.reportAgain)
  const [since, until] = [-day, day].map((by) => new Date(now.getTime() + by).toISOString())
  const today = await query(
    tx,
    sql`SELECT created FROM reports WHERE reporter = ${reporter} AND created > ${since} AND created < ${until}
      ORDER BY created`,
  )
  const [first] = named(today, { created: text })
  if (!first || today.length < maxReportsPerDay) return
  const free = Date.parse(first.created) + day
  throw tooManyRequests(free - now.getTime(), answers.reportTooMany)
}

/** Deletes reports about a deleted account and anonymises those by it. */
export async function detachReports(tx: LibraryTransaction, user: string): Promise<void> {
  await modify(tx, 'reports', sql`DELETE FROM reports WHERE reported = ${user}`)
  await modify(tx, 'reports', sql`UPDATE reports SET reporter = '' WHERE reporter = ${user}`)
}

type Queryable = Parameters<typeof query>[0]

const reports = sql`SELECT r.id, COALESCE(a.username, ''), b.username, r.reason, r.details, r.created,
    r.closed, COALESCE(s."isHidden", FALSE)
  FROM reports r JOIN users b ON b.id = r.reported LEFT JOIN users a ON a.id = r.reporter
    LEFT JOIN settings s ON s."user" = r.reported`

/** @returns the report, or null if there is none */
export async function findReport(database: Queryable, id: string): Promise<Report | null> {
  const rows = await query(database, sql`${reports} WHERE r.id = ${id}`)
  return named(rows, reportColumns)[0] ?? null
}

/** @returns the open reports, oldest first */
export async function listOpenReports(database: Queryable): Promise<Report[]> {
  const rows = await query(database, sql`${reports} WHERE r.closed = '' ORDER BY r.created, r.id`)
  return named(rows, reportColumns)
}

/** @returns whether there was such an open report */
export async function closeReport(database: Database, id: string, now: Date): Promise<boolean> {
  const closed = await database.transaction((tx) =>
    modify(
      tx,
      'reports',
      sql`UPDATE reports SET closed = ${now.toISOString()} WHERE id = ${id} AND closed = ''
        RETURNING id`,
    ),
  )
  return closed.length > 0
}

/**
 * Hides a profile from everybody but its owner, or shows it again. The owner's own setting stays: a
 * private profile remains private.
 *
 * @returns whether there is such a reader
 */
export async function setProfileHidden(
  database: Database,
  username: string,
  isHidden: boolean,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [row] = await modify(
      tx,
      'settings',
      sql`UPDATE settings SET "isHidden" = ${sql.lit(isHidden)}
        WHERE "user" = (SELECT id FROM users WHERE username = ${username.toLowerCase()})
        RETURNING "user"`,
      { user: text },
    )
    if (row) await updateAllWorks(tx, row.user)
    return row !== undefined
  })
}

const reportColumns = {
  id: text,
  reporter: text,
  reported: text,
  reason: (reason: unknown) => reason as ReportReason,
  details: text,
  created: text,
  closed: text,
  isHidden: flag,
}
