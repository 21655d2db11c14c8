import { sql, type RawBuilder } from 'kysely'
import { modify, named, type Database, type Row, type Transaction } from '#records/index.ts'
import { whileRenewing, type Jobs } from './jobs.ts'

/*
 * Jobs that are rows of a table. Each is due from the time in its column `due` on. A process that
 * claims a row sets that time ahead, so that several processes share the jobs, and the job of a
 * process that was killed is due again once its claim has ended.
 */

/** A table whose rows are jobs. */
export interface JobTable<Job> {
  /** The table's plain name. */
  name: string
  /** The columns that name a row. */
  key: readonly (keyof Job & string)[]
  /** The columns that a claim reads. */
  columns: { [Name in keyof Job]: (value: Row[number]) => Job[Name] }
  /** How `due` holds a time in milliseconds since 1970. */
  time: (milliseconds: number) => string | number
  /** Milliseconds for which a claim holds without being renewed. */
  claim: number
  /**
   * Milliseconds within which every row is due. One that is due later was put off before the clock
   * was set back. Without it such a row waits.
   */
  latest?: number
  /** Which rows are jobs; all unless said. */
  which?: RawBuilder<unknown>
  /** Which are claimed first; those that have been due for longest unless said. */
  order?: RawBuilder<unknown>
  /** The column that counts the tries that failed. */
  tries?: keyof Job & string
  /** When a job that failed is tried again. */
  retries?: Retries
}

/** A job that this process has claimed, until the time in `due`. */
export type Claimed<Job> = Job & { due: string | number }

/** Milliseconds until each next try of a job that has failed. */
export interface Retries {
  /** After the first try, the second, and so on. Later ones wait for as long as the last. */
  delays: readonly number[]
  /** The part of a delay by which it varies, so that what failed together isn't tried together. */
  spread?: number
}

/**
 * @param tries how many have failed before this one
 * @returns milliseconds until the next one
 */
export function retryDelay({ delays, spread = 0 }: Retries, tries: number): number {
  const delay = delays[Math.min(tries, delays.length - 1)]!
  return delay * (1 + (2 * Math.random() - 1) * spread)
}

/** The condition on rows that are due. @param now milliseconds since 1970 */
export function isDue<Job>(
  { which = sql`TRUE`, time, latest }: JobTable<Job>,
  now: number,
): RawBuilder<unknown> {
  const isAhead = latest === undefined ? sql`` : sql`OR due > ${time(now + latest)}`
  return sql`${which} AND (due <= ${time(now)} ${isAhead})`
}

/**
 * Claims rows that are due, which no other process has claimed.
 *
 * @param options.now milliseconds since 1970
 * @param options.atMost rows; one unless said
 * @param options.among a condition on the rows
 */
export async function claimDue<Job>(
  database: Database,
  table: JobTable<Job>,
  {
    now,
    atMost = 1,
    among = sql`TRUE`,
  }: { now: number; atMost?: number; among?: RawBuilder<unknown> },
): Promise<Claimed<Job>[]> {
  const { name, columns, time, claim } = table
  const key = sql.join(table.key.map((column) => sql.ref(column)))
  const order = table.order ?? sql`due, ${key}`
  const due = time(now + claim)
  const rows = await database.transaction((tx) => {
    // Rows that another process is claiming aren't waited for.
    const lock = tx.dialect.name === 'postgres' ? sql`FOR UPDATE SKIP LOCKED` : sql``
    return modify(
      tx,
      name,
      sql`WITH next AS (SELECT ${key} FROM ${sql.table(name)}
          WHERE ${among} AND ${isDue(table, now)}
          ORDER BY ${order} LIMIT ${atMost} ${lock})
        UPDATE ${sql.table(name)} SET due = ${due} WHERE (${key}) IN (SELECT ${key} FROM next)
        RETURNING ${sql.join(Object.keys(columns).map((column) => sql.ref(column)))}`,
    )
  })
  return named(rows, columns as Parameters<typeof named>[1]).map((job) => ({
    ...(job as Job),
    due,
  }))
}

/** The condition on the row of a claimed job, unless another process has taken it over. */
export function claimedRow<Job>({ key }: JobTable<Job>, job: Claimed<Job>): RawBuilder<unknown> {
  const columns = key.map((column) => sql`${sql.ref(column)} = ${job[column]}`)
  return sql`${sql.join(columns, sql` AND `)} AND due = ${job.due}`
}

/**
 * Claims a job again, from now on.
 *
 * @returns whether this process still has it
 */
export async function renewClaim<Job>(
  database: Database,
  table: JobTable<Job>,
  job: Claimed<Job>,
  now: number,
): Promise<boolean> {
  const due = table.time(now + table.claim)
  const renew = sql`UPDATE ${sql.table(table.name)} SET due = ${due}
    WHERE ${claimedRow(table, job)} RETURNING due`
  const renewed = await database.transaction((tx) => modify(tx, table.name, renew))
  if (renewed.length > 0) job.due = due
  return renewed.length > 0
}

/** A table that says when its jobs are tried again. */
export type RetriedTable<Job> = JobTable<Job> & Required<Pick<JobTable<Job>, 'tries' | 'retries'>>

/** @returns when a job that fails now is tried again, in milliseconds since 1970 */
export function retryAt<Job>(table: RetriedTable<Job>, job: Job, now: number): number {
  return now + retryDelay(table.retries, Number(job[table.tries]))
}

/**
 * Counts a try that has failed and lets the job wait, unless another process has taken it over.
 *
 * @param due milliseconds since 1970; from {@link retryAt}
 */
export async function postponeJob<Job>(
  tx: Transaction,
  table: RetriedTable<Job>,
  job: Claimed<Job>,
  due: number,
): Promise<void> {
  const tries = sql.ref(table.tries)
  await modify(
    tx,
    table.name,
    sql`UPDATE ${sql.table(table.name)} SET ${tries} = ${tries} + 1, due = ${table.time(due)}
      WHERE ${claimedRow(table, job)}`,
  )
}

/** How the jobs of a table are done. */
export interface JobWork<Job> {
  /** Does a job, whose claim is renewed meanwhile. */
  run: (job: Claimed<Job>, signal: AbortSignal) => Promise<unknown>
  /** Jobs at a time; one unless said. */
  concurrency?: number
  /** The column that says whose a job is. Two jobs of one owner are never done at a time. */
  owner?: keyof Job & string
  /**
   * Whose jobs are left for later.
   *
   * @param busy the owners whose jobs are being done
   */
  leave?: (busy: ReadonlySet<string>) => ReadonlySet<string>
  /**
   * Called with what a job failed of, which is then tried again as its table says. Without it, a job
   * that fails is due again when its claim ends.
   */
  failed?: (job: Job, error: unknown) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The jobs of a table that are due, each claimed for this process. */
export function tableJobs<Job>(
  database: Database,
  table: JobTable<Job> | RetriedTable<Job>,
  work: JobWork<Job>,
): Jobs<Claimed<Job>> {
  const { concurrency = 1, owner, leave = (owners) => owners, failed, now = Date.now } = work
  const busy = new Set<string>()
  let lastClaim: Promise<unknown> = Promise.resolve()

  async function claim(): Promise<Claimed<Job> | undefined> {
    if (!owner) return (await claimDue(database, table, { now: now() }))[0]
    const left = [...leave(busy)]
    const among = left.length ? sql`${sql.ref(owner)} NOT IN (${sql.join(left)})` : sql`TRUE`
    const [job] = await claimDue(database, table, { now: now(), among })
    if (job) busy.add(String(job[owner]))
    return job
  }

  async function retry(job: Claimed<Job>, error: unknown): Promise<void> {
    if (!failed || !isRetried(table)) throw error
    failed(job, error)
    await database.transaction((tx) => postponeJob(tx, table, job, retryAt(table, job, now())))
  }

  return {
    concurrency,
    // One claim after the other, since each depends on those before.
    next() {
      const claimed = lastClaim.then(claim)
      lastClaim = claimed.catch(() => undefined)
      return claimed
    },
    async run(job, signal) {
      const renew = () => renewClaim(database, table, job, now())
      try {
        await whileRenewing(renew, table.claim / 4, () => work.run(job, signal))
      } catch (error) {
        await retry(job, error)
      } finally {
        if (owner) busy.delete(String(job[owner]))
      }
    },
  }
}

function isRetried<Job>(table: JobTable<Job>): table is RetriedTable<Job> {
  return table.tries !== undefined && table.retries !== undefined
}
