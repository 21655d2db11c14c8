import { performance } from 'node:perf_hooks'
import pg from 'pg'
import {
  PooledError,
  QueryTimeoutError,
  UniqueError,
  type Connection,
  type Database,
  type Row,
  type Transaction,
} from './database.ts'
import { FairQueue } from './fair-queue.ts'
import { identity, inspectServer } from './postgres-server.ts'
import { isStatementTimeout } from './statement-timeout.ts'
import { openListener } from './listener.ts'
import { currentBudget, withBudget } from './request-budget.ts'
import { postgres } from './postgres-dialect.ts'
import type { Value } from './placeholder.ts'

/** Prepared statements per connection. */
const maxNamed = 1000
/** Connections in the pool, and how many of them searches may use. */
const connections = { all: 10, searches: 6 }
/**
 * Timeout in milliseconds for a statement outside a transaction, which is how clients' reads run.
 */
const readWithin = 5000
/**
 * Milliseconds charged for one statement at most, except for searches: a longer one waits for a
 * lock.
 */
const maxCharged = 250

interface Options {
  /**
   * Timeout in milliseconds for a statement outside a transaction. A statement inside one may wait
   * twice as long for a lock and then has no timeout.
   */
  within?: number
  /**
   * The address of a connection pooler in transaction mode, such as PgBouncer, in front of the same
   * database. Statements then go there, and leave nothing in a session.
   */
  pooledUrl?: string | undefined
}

/**
 * Opens a pool of connections to PostgreSQL.
 *
 * @param url a `postgres://` URL; a socket folder goes in `?host=`
 * @throws {@link PooledError} if a pooler in transaction mode answers at the URL
 * @throws if the server can't be reached within five seconds, runs with synchronous_commit off, or
 *   isn't the one behind the pooler
 */
export async function openPostgres(
  url: string,
  { within = readWithin, pooledUrl }: Options = {},
): Promise<Database> {
  const server = await inspectServer(url).catch((error: unknown) => {
    throw awayError(error)
  })
  if (!server.keepsSessions) throw new PooledError()
  if (!server.isDurable)
    throw new Error('the PostgreSQL server runs with synchronous_commit=off and could lose commits')
  const pool = new pg.Pool({
    connectionString: pooledUrl ?? url,
    max: connections.all,
    connectionTimeoutMillis: 5000,
    // Detects a server that has vanished without closing the connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Set by a statement rather than as startup parameters, which a connection pooler may refuse.
    // A pooler in transaction mode would pass them on to other clients.
    ...(!pooledUrl && {
      onConnect: async (client: pg.ClientBase) =>
        void (await client.query(settings('SET', within))),
    }),
  })
  // An idle connection closed by the server must not crash the process. The next query reconnects.
  pool.on('error', () => undefined)
  // The same for a connection in use: its query fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const names = new Map<string, string>()

  async function ask(
    client: pg.PoolClient,
    text: string,
    parameters: readonly Value[] = [],
    isSearch = false,
  ): Promise<Row[]> {
    let name = names.get(text)
    // Named statements stay prepared, so their number is limited: clients can send any number of
    // filter shapes. Behind a pooler the next transaction may reach another connection.
    if (!name && !pooledUrl && names.size < maxNamed) names.set(text, (name = `s${names.size}`))
    const config = { name, text, values: parameters as Value[], rowMode: 'array', types }
    const start = performance.nodeTiming.idleTime
    try {
      const result = await client.query<Row[]>(config as unknown as pg.QueryArrayConfig)
      return result.rows as unknown as Row[]
    } finally {
      // Charge only the time this process was idle: while it is busy, every statement seems slow.
      const took = performance.nodeTiming.idleTime - start
      currentBudget()?.charge(isSearch ? took : Math.min(took, maxCharged))
    }
  }

  /** Waiting for a connection isn't charged, as others hold them. */
  async function query(...asked: [string, (readonly Value[])?, boolean?]): Promise<Row[]> {
    const client = await connect()
    // Only a transaction can have a timeout of its own behind a pooler.
    if (pooledUrl)
      return inTransaction(client, settings('SET LOCAL', within), () =>
        ask(client, ...asked).catch((error: unknown) => {
          throw uniqueError(error) ?? slowError(error) ?? awayError(error)
        }),
      )
    let broken: Error | undefined
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

  async function close() {
    searches.close()
    await pool.end()
  }

  if (pooledUrl) {
    const behind = await query(identity).catch(async (error: unknown) => {
      await close()
      throw error
    })
    if (String(behind[0]) !== server.identity) {
      await close()
      throw new Error('the connection pooler leads to another database')
    }
  }

  return {
    dialect: postgres,
    query,
    search: (text, parameters, client = '', scan = 'broad') =>
      scan === 'narrow'
        ? query(text, parameters)
        : searches.run(client, async () => {
            // Earlier searches may have spent the budget while this one waited.
            currentBudget()?.refuseIfSpent()
            return query(text, parameters, true)
          }),
    async transaction(work) {
      const client = await connect()
      const inside: Connection['query'] = (text, parameters) =>
        ask(client, text, parameters).catch((error: unknown) => {
          throw uniqueError(error) ?? awayError(error)
        })
      // A transaction that waits for a lock holds a connection that others need.
      return inTransaction(client, settings('SET LOCAL', 0, 2 * within), (afterCommit) =>
        work({ dialect: postgres, query: inside, afterCommit }),
      )
    },
    // Notifications are for everyone, so no request pays for the listener.
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

/**
 * The lock timeout is shorter, so that waiting for a lock isn't reported as a slow query. A long
 * filter would take seconds to compile and milliseconds to run, so nothing is compiled.
 */
const settings = (
  set: 'SET' | 'SET LOCAL',
  statementTimeout: number,
  lockTimeout = Math.floor(statementTimeout * 0.9),
) =>
  `${set} statement_timeout = ${statementTimeout}; ${set} lock_timeout = ${lockTimeout}; ${set} jit = off`

/** @param begin the settings of the transaction */
async function inTransaction<T>(
  client: pg.PoolClient,
  begin: string,
  work: (afterCommit: Transaction['afterCommit']) => Promise<T>,
): Promise<T> {
  const effects: (() => void)[] = []
  let broken: Error | undefined
  try {
    await control(client, `BEGIN; ${begin}`)
    const result = await work((effect) => effects.push(effect))
    await control(client, 'COMMIT')
    queueMicrotask(() =>
      withBudget(undefined, () => {
        for (const effect of effects) effect()
      }),
    )
    return result
  } catch (error) {
    // Discard a connection that can't roll back.
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause))
    // Also discard one to a read-only server: after a failover, another server takes the writes.
    if (isReadOnly(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

/** Parses bigint (counts) and numeric as numbers: counts stay far below 2^53. */
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

/**
 * SQLSTATEs of a server that accepts no connections: bad credentials, no such database, too many
 * connections, starting or stopping.
 */
const refusesAll = /^(?:08|28|3D|53300|53400|57P)/

/**
 * Reports every way for a server to be unavailable, from a missing socket to a server that is still
 * starting, as one error with SQLSTATE 08006 (connection failure). Errors of the driver itself
 * count as connection failures, except TypeErrors and RangeErrors, which are our own bugs.
 */
function awayError(error: unknown): unknown {
  const isAway =
    error instanceof pg.DatabaseError
      ? refusesAll.test(error.code ?? '')
      : error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
  if (!isAway) return error
  const reason = (error as Error).message
  return Object.assign(new Error(`PostgreSQL is unavailable: ${reason}`, { cause: error }), {
    code: '08006',
  })
}
