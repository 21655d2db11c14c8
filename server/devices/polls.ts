import { sql } from 'kysely'
import type { Logger } from 'pino'
import { ApiError, formatDate, text, type Database } from '#records/index.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { retryDelay, tableJobs, type JobTable, type Retries } from '#server/runtime/job-table.ts'
import { runJobs, type JobRunner } from '#server/runtime/jobs.ts'
import { serviceKinds, type ConnectionProblem } from '#shared/connection.ts'
import { pollAudiobookshelf } from './audiobookshelf.ts'
import { pollReadwise } from './readwise.ts'
import type { StatisticsSender } from './reading-times.ts'
import { ServiceError, type Services } from './service-client.ts'

const minute = 60_000

/** Between two readings of a service, and longer each time after it has failed. */
const intervals: Retries = {
  delays: [5, 10, 20, 40, 80, 160, 320, 360].map((minutes) => minutes * minute),
  spread: 0.1,
}

/** The services that are due. */
const pollJobs: JobTable<{ id: string; user: string }> = {
  name: 'connections',
  key: ['id'],
  columns: { id: text, user: text },
  time: formatDate,
  claim: 2 * minute,
  latest: 25 * 60 * minute,
  which: sql`due <> '' AND paused = FALSE AND kind IN (${sql.join(serviceKinds)})`,
  // As in their index.
  order: sql`due, id`,
}
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

/** The connections that are due. A reader's services that are slow hold up no others'. */
export function duePolls(deps: PollDeps) {
  return tableJobs(deps.database, pollJobs, {
    concurrency,
    owner: 'user',
    run: ({ id }, signal) => pollOne(deps, id, signal),
  })
}

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
    const delay = Math.max(wait, retryDelay(intervals, Math.max(0, tries - 1)))
    const due = formatDate(Date.now() + (hasMore ? 0 : delay))
    const used = problem ? {} : { last_used: formatDate(now()) }
    await tx.update('connections', id, { problem, tries, due, ...used })
  })
}
