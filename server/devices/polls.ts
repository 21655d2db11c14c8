import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatDate, named, text, type Database } from '#records/index.ts'
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
/** Services that are read at the same time. */
const concurrency = 4

interface PollDeps {
  database: Database
  records: Pick<LibraryRecords, 'find' | 'write'>
  services: Services
  /** Called when something has been stored. */
  wake: () => void
  now?: (() => Date) | undefined
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
export function duePolls(deps: PollDeps): Jobs<string> {
  const { database } = deps
  return {
    concurrency,
    next: () => claimNext(database),
    run: (id, signal) =>
      whileRenewing(
        () => renewClaim(database, id),
        renewEvery,
        () => pollOne(deps, id, signal),
      ),
  }
}

function claimNext(database: Database): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const now = Date.now()
    const isDue = sql`due <> '' AND paused = FALSE AND kind IN (${sql.join(serviceKinds)})
      AND (due <= ${formatDate(now)} OR due > ${formatDate(now + latest)})`
    const rows = await modify(
      tx,
      'connections',
      sql`UPDATE connections SET due = ${formatDate(now + claim)}
        WHERE ${isDue} AND id = (SELECT id FROM connections
          WHERE ${isDue} ORDER BY due, id LIMIT 1)
        RETURNING id`,
    )
    return named(rows, { id: text })[0]?.id
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

async function pollOne(deps: PollDeps, id: string, signal: AbortSignal): Promise<void> {
  const { database, records, services, wake, now = () => new Date() } = deps
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
  let outcome: { problem: ConnectionProblem | ''; wait: number; hasMore: boolean }
  try {
    const hasMore = await poll({ connection, database, services, store, now, signal })
    outcome = { problem: '', wait: 0, hasMore }
  } catch (error) {
    // Its claim ends, and it is read again.
    if (signal.aborted) return
    if (!(error instanceof ServiceError)) throw error
    outcome = { problem: error.problem, wait: error.wait, hasMore: false }
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
