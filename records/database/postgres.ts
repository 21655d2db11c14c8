import pg from 'pg'
import {
  SlowError,
  UniqueError,
  type Connection,
  type Database,
  type Row,
  type Transaction,
} from './database.ts'
import { FairLine } from './fair-line.ts'
import { isCancelled } from './late.ts'
import { openListener } from './listener.ts'
import { postgres } from './postgres-dialect.ts'
import type { Value } from './slot.ts'

/** Statements a connection keeps prepared. */
const maxNamed = 1000
/** Connections, and how many of them are for what may look at very many rows. */
const connections = { all: 10, searches: 6 }
/** Milliseconds that a statement outside a transaction may take: what clients ask for is read so. */
const readWithin = 5000

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

  function connection(client: pg.Pool | pg.PoolClient): Connection['query'] {
    return async (text, parameters = []) => {
      let name = names.get(text)
      // A named statement stays prepared; the shapes of filters come from the outside without end.
      if (!name && names.size < maxNamed) names.set(text, (name = `s${names.size}`))
      try {
        const result = await client.query<Row[]>({
          name,
          text,
          values: parameters as Value[],
          rowMode: 'array',
          types,
        } as unknown as pg.QueryArrayConfig)
        return result.rows as unknown as Row[]
      } catch (error) {
        const known = uniqueError(error) ?? (client === pool ? slowError(error) : undefined)
        throw known ?? lostError(error)
      }
    }
  }

  const query = connection(pool)
  const searches = new FairLine(connections.searches)
  const durable = await query(
    `SELECT current_setting('synchronous_commit'), current_setting('fsync')`,
  )
  if (durable[0]?.[0] === 'off')
    throw new Error('the PostgreSQL server runs with synchronous_commit=off and would lose commits')

  return {
    dialect: postgres,
    query,
    search: (text, parameters, asker = '') => searches.take(asker, () => query(text, parameters)),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw lostError(error)
      })
      return inTransaction(client, connection(client), work, 2 * within)
    },
    listen: (channel, heard, lost) => openListener(url, channel, heard, lost),
    async close() {
      searches.close()
      await pool.end()
    },
  }
}

/** Who only waits is told so, and not that they asked for too much. */
const limits = (within: number) =>
  `SET statement_timeout = ${within}; SET lock_timeout = ${Math.floor(within * 0.9)}`

async function inTransaction<T>(
  client: pg.PoolClient,
  query: Connection['query'],
  work: (tx: Transaction) => Promise<T>,
  waitAtMost: number,
): Promise<T> {
  const effects: (() => void)[] = []
  let broken: Error | undefined
  try {
    // Whoever waits has a connection that others need.
    await client.query(
      `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${waitAtMost}`,
    )
    const result = await work({
      dialect: postgres,
      query,
      afterCommit: (effect) => effects.push(effect),
    })
    await client.query('COMMIT')
    queueMicrotask(() => {
      for (const effect of effects) effect()
    })
    return result
  } catch (error) {
    // A connection that cannot roll back is thrown away.
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause))
    throw lostError(error)
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

function slowError(error: unknown): SlowError | undefined {
  return isCancelled(error) ? new SlowError(error) : undefined
}

/** What the driver says of a connection that is gone has no number; it gets SQL's for it. */
function lostError(error: unknown): unknown {
  const isLost =
    error instanceof Error &&
    /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when)/.test(
      error.message,
    )
  if (!isLost) return error
  return Object.assign(new Error('the connection to PostgreSQL was lost', { cause: error }), {
    code: '08006',
  })
}
