import { sql } from 'kysely'
import type { Logger } from 'pino'
import { ApiError, formatDate, named, text, type Database } from '#records/index.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { runJobs, whileRenewing, type JobRunner, type Jobs } from '#server/runtime/jobs.ts'
import { modify } from '#server/storage/query.ts'
import { serviceKinds, type ConnectionProblem } from '#shared/connection.ts'
import { pollAudiobookshelf } from './audiobookshelf.ts'
import { pollReadwise } from './readwise.ts'
import type { StatisticsSender } from './reading-times.ts'
import { ServiceError, type Services } from './service-client.ts'

const minute = 60_000

/** Milliseconds between two readings of a service, and the most after it has failed. */
const [pollEvery, pollAtLeastEvery] = [5 * minute, 6 * 60 * minute]
/** The longest that a service waits; one that is due later was put off before the clock was set back. */
const latest = 25 * 60 * minute
/** Milliseconds for which a process has a service claimed, and between two renewals. */
const [claim, renewEvery] = [2 * minute, 30_000]
/** Services that are read at the same time, no two of them for one reader. */
const concurrency = 4
/** Milliseconds until a service has to have given all that it is asked for at a time. */
const pollWithin = 2 * minute

interface PollDeps {
  database: Database
  records: Pick<LibraryRecords, 'find' | 'write'>
  services: Services
  /** Called when something has been stored. */
  wake: () => void
  now?: (() => Date) | undefined
  /** Milliseconds for one reading of a service. */
  within?: number
}

/** One reading of a service. */
export interface Poll {
  connection: Stored<'connections'>
  database: Database
  services: Services
  /**
   * Writes what was read, unless the reader has paused, changed or revoked the connection meanwhile.
   *
   * @returns false if they have, or `write` has found no room
   */
  store: (
    write: (tx: LibraryTransaction, sender: StatisticsSender) => Promise<boolean>,
  ) => Promise<boolean>
  now: () => Date
  signal: AbortSignal
}

/** How each kind of service is read. @returns whether there is more to read at once */
const polls: Record<(typeof serviceKinds)[number], (poll: Poll) => Promise<boolean>> = {
  audiobookshelf: pollAudiobookshelf,
  readwise: pollReadwise,
}

/** Reads the services that readers have connected, in the background. */
export function runPolls(deps: PollDeps & { log: Pick<Logger, 'error'> }): JobRunner {
  const runner = runJobs(duePolls(deps), {
    every: 5000,
    onError: (error) => deps.log.error({ err: error }, 'failed to read a connected service'),
  })
  return {
    wake: () => runner.wake(),
    async close() {
      await runner.close()
      await deps.services.close()
    },
  }
}

/** The ids of the connections that are due. */
export function duePolls(deps: PollDeps): Jobs<{ id: string; user: string }> {
  const { database } = deps
  // A reader's services that are slow hold up no others'.
  const busy = new Set<string>()
  return {
    concurrency,
    async next() {
      const found = await claimNext(database, [...busy])
      if (found) busy.add(found.user)
      return found
    },
    run: ({ id, user }, signal) =>
      whileRenewing(
        () => renewClaim(database, id),
        renewEvery,
        () => pollOne(deps, id, signal),
      ).finally(() => busy.delete(user)),
  }
}

/** @param busy readers whose services are being read */
function claimNext(database: Database, busy: readonly string[]) {
  return database.transaction(async (tx) => {
    const now = Date.now()
    const isDue = sql`due <> '' AND paused = FALSE AND kind IN (${sql.join(serviceKinds)})
      AND (due <= ${formatDate(now)} OR due > ${formatDate(now + latest)})`
    const isOthers = busy.length ? sql`"user" NOT IN (${sql.join(busy)})` : sql`TRUE`
    const rows = await modify(
      tx,
      'connections',
      sql`UPDATE connections SET due = ${formatDate(now + claim)}
        WHERE ${isDue} AND id = (SELECT id FROM connections
          WHERE ${isDue} AND ${isOthers} ORDER BY due, id LIMIT 1)
        RETURNING id, "user"`,
    )
    return named(rows, { id: text, user: text })[0]
  })
}

const renewClaim = (database: Database, id: string) =>
  database.transaction((tx) =>
    modify(
      tx,
      'connections',
      sql`UPDATE connections SET due = ${formatDate(Date.now() + claim)} WHERE id = ${id}`,
    ),
  )

/** @throws an error of our own */
function failureOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  // The records refuse what the service says.
  if (error instanceof ApiError && error.status < 500) return new ServiceError('malformed')
  throw error
}

async function pollOne(deps: PollDeps, id: string, signal: AbortSignal): Promise<void> {
  const { database, records, services, wake, now = () => new Date(), within = pollWithin } = deps
  const connection = await records.find('connections', id)
  const poll = polls[connection?.kind as (typeof serviceKinds)[number]]
  if (!connection || !poll) return
  const isAsRead = (found: Stored<'connections'> | null) =>
    found !== null &&
    !found.paused &&
    found.address === connection.address &&
    found.token === connection.token
  const store: Poll['store'] = (write) =>
    records.write(async (tx) => {
      const { user, name } = connection
      if (!isAsRead(await tx.find('connections', id))) return false
      return write(tx, { user, connection: id, name })
    })
  const late = AbortSignal.timeout(within)
  let outcome: { problem: ConnectionProblem | ''; wait: number; hasMore: boolean }
  try {
    const until = AbortSignal.any([signal, late])
    const hasMore = await poll({ connection, database, services, store, now, signal: until })
    outcome = { problem: '', wait: 0, hasMore }
  } catch (error) {
    // Its claim ends, and it is read again.
    if (signal.aborted) return
    const { problem, wait } = late.aborted ? new ServiceError('slow') : failureOf(error)
    outcome = { problem, wait, hasMore: false }
  } finally {
    wake()
  }
  const { problem, wait, hasMore } = outcome
  await records.write(async (tx) => {
    const found = await tx.find('connections', id)
    if (!found || !isAsRead(found)) return
    const tries = problem ? found.tries + 1 : 0
    const delay = Math.max(
      wait,
      Math.min(pollEvery * 2 ** Math.max(0, tries - 1), pollAtLeastEvery),
    )
    // A tenth more or less, so that what failed together isn't tried together.
    const due = formatDate(Date.now() + (hasMore ? 0 : delay * (0.9 + Math.random() / 5)))
    const used = problem ? {} : { last_used: formatDate(now()) }
    await tx.update('connections', id, { problem, tries, due, ...used })
  })
}
