import { performance } from 'node:perf_hooks'
import pg from 'pg'
import {
  QueryTimeoutError,
  UniqueError,
  type Connection,
  type Database,
  type Row,
  type Transaction,
} from './database.ts'
import { FairQueue } from './fair-queue.ts'
import { isStatementTimeout } from './statement-timeout.ts'
import { openListener } from './listener.ts'
import { currentBudget, withBudget } from './request-budget.ts'
import { postgres } from './postgres-dialect.ts'
import type { Value } from './placeholder.ts'

/** Statements a connection keeps prepared. */
const maxNamed = 1000
/** Connections, and how many of them are for what may look at very many rows. */
const connections = { all: 10, searches: 6 }
/** Milliseconds that a statement outside a transaction may take: what clients ask for is read so. */
const readWithin = 5000
/** Milliseconds that a statement is charged for, but for searches: longer ones wait for a lock. */
const maxCharged = 250

/**
 * Opens a pool of connections to PostgreSQL.
 *
 * @param url a `postgres://` address; a socket folder goes in `?host=`
 * @param within milliseconds for a statement outside a transaction; one inside may wait twice as
 *   long for what somebody else has locked, and then go on as long as it takes
 * @throws if the server cannot be reached within five seconds, or does not keep what it commits
 */
export async function openPostgres(url: string, within = readWithin): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections.all,
    connectionTimeoutMillis: 5000,
    // A server that has vanished is noticed even where nobody says so.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Not among what is said on connecting, which a pooler in between may refuse.
    onConnect: async (client) => void (await client.query(limits(within))),
  })
  // An idle connection that the server closes must not end the process; the next query opens anew.
  pool.on('error', () => undefined)
  // Nor one in use: what was asked over it fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const names = new Map<string, string>()

  async function ask(
    client: pg.PoolClient,
    text: string,
    parameters: readonly Value[] = [],
    isSearch = false,
  ): Promise<Row[]> {
    let name = names.get(text)
    // A named statement stays prepared; the shapes of filters come from the outside without end.
    if (!name && names.size < maxNamed) names.set(text, (name = `s${names.size}`))
    const config = { name, text, values: parameters as Value[], rowMode: 'array', types }
    const start = performance.nodeTiming.idleTime
    try {
      const result = await client.query<Row[]>(config as unknown as pg.QueryArrayConfig)
      return result.rows as unknown as Row[]
    } finally {
      // Only as long as this process had nothing to do: while it is busy, every statement seems long.
      const took = performance.nodeTiming.idleTime - start
      currentBudget()?.charge(isSearch ? took : Math.min(took, maxCharged))
    }
  }

  /** Waiting for a connection is not charged, as others have them. */
  async function query(...asked: [string, (readonly Value[])?, boolean?]): Promise<Row[]> {
    let broken: Error | undefined
    const client = await connect()
    try {
      return await ask(client, ...asked)
    } catch (error) {
      broken = error as Error
      throw uniqueError(error) ?? slowError(error) ?? awayError(error)
    } finally {
      client.release(broken)
    }
  }

  function connect(): Promise<pg.PoolClient> {
    return pool.connect().catch((error: unknown) => {
      throw awayError(error)
    })
  }

  const searches = new FairQueue(connections.searches)
  const durable = await query(
    `SELECT current_setting('synchronous_commit'), current_setting('fsync')`,
  )
  if (durable[0]?.[0] === 'off')
    throw new Error('the PostgreSQL server runs with synchronous_commit=off and could lose commits')

  async function close() {
    searches.close()
    await pool.end()
  }

  return {
    dialect: postgres,
    query,
    search: (text, parameters, client = '', scan = 'broad') =>
      scan === 'narrow'
        ? query(text, parameters)
        : searches.run(client, async () => {
            // It may have been spent on what was asked before, while this one waited.
            currentBudget()?.refuseIfSpent()
            return query(text, parameters, true)
          }),
    async transaction(work) {
      const client = await connect()
      const inside: Connection['query'] = (text, parameters) =>
        ask(client, text, parameters).catch((error: unknown) => {
          throw uniqueError(error) ?? awayError(error)
        })
      return inTransaction(client, inside, work, 2 * within)
    },
    // What is heard is for everybody, whoever happens to be the first to listen.
    listen: (channel, heard, lost) =>
      withBudget(undefined, () => openListener(url, channel, heard, lost)).catch(
        (error: unknown) => {
          throw awayError(error)
        },
      ),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Who only waits is told so, and not that they asked for too much. */
const limits = (within: number) =>
  `SET statement_timeout = ${within}; SET lock_timeout = ${Math.floor(within * 0.9)}`

async function inTransaction<T>(
  client: pg.PoolClient,
  query: Connection['query'],
  work: (tx: Transaction) => Promise<T>,
  lockTimeout: number,
): Promise<T> {
  const effects: (() => void)[] = []
  let broken: Error | undefined
  try {
    // Whoever waits has a connection that others need.
    await control(
      client,
      `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${lockTimeout}`,
    )
    const result = await work({
      dialect: postgres,
      query,
      afterCommit: (effect) => effects.push(effect),
    })
    await client.query('COMMIT')
    queueMicrotask(() =>
      withBudget(undefined, () => {
        for (const effect of effects) effect()
      }),
    )
    return result
  } catch (error) {
    // A connection that cannot roll back is thrown away.
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause))
    // Nor is one kept to a server that only reads: after a failover another takes the writes.
    if (isReadOnly(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

/** bigint (count) and numeric arrive as numbers: counts stay far below 2^53. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 20 || oid === 1700) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

function uniqueError(error: unknown): UniqueError | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined
  const columns = /^Key \((.+?)\)=/
    .exec(error.detail ?? '')?.[1]
    ?.replaceAll('"', '')
    .split(', ')
  return new UniqueError(error.table ?? '', columns ?? [], error)
}

function slowError(error: unknown): QueryTimeoutError | undefined {
  return isStatementTimeout(error) ? new QueryTimeoutError(error) : undefined
}

/** Begins or ends a transaction. */
async function control(client: pg.PoolClient, text: string): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    throw awayError(error)
  })
}

const isReadOnly = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === '25006'

/** What a server says that takes nobody in: of passwords, databases, connections, its own state. */
const refusesAll = /^(?:08|28|3D|53300|53400|57P)/

/**
 * However a server is away, from a socket that is gone to one that is still starting, it is one
 * trouble to who asks and to the log: it gets SQL's number for a connection that failed. What the
 * driver throws is of the connection, but for its TypeErrors and RangeErrors, which are our mistakes.
 */
function awayError(error: unknown): unknown {
  const isAway =
    error instanceof pg.DatabaseError
      ? refusesAll.test(error.code ?? '')
      : error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
  if (!isAway) return error
  const reason = (error as Error).message
  return Object.assign(new Error(`PostgreSQL is away: ${reason}`, { cause: error }), {
    code: '08006',
  })
}
