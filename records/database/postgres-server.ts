import pg from 'pg'

/** SQL for what tells a database from those of other servers. */
export const identity = `SELECT EXTRACT(EPOCH FROM pg_postmaster_start_time())::text,
  (SELECT oid::text FROM pg_database WHERE datname = current_database())`

/** The properties of a server that decide how it can be used. */
interface Server {
  /** The row of {@link identity}, as text. */
  identity: string
  /** False with a pooler in transaction mode in between. */
  keepsSessions: boolean
  /** False if it acknowledges commits that it may lose. */
  isDurable: boolean
}

/** @throws if the server can't be reached within five seconds */
export async function inspectServer(url: string): Promise<Server> {
  const client = await connect(url)
  try {
    const keeps = (await backend(client)) === greeted(client) || (await keepsSessions(url, client))
    const text = `${identity}, current_setting('synchronous_commit')`
    const { rows } = await client.query<string[]>({ text, rowMode: 'array' })
    const [start, database, durable] = rows[0]!
    return {
      identity: String([start, database]),
      keepsSessions: keeps,
      isDurable: durable !== 'off',
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The process id that the greeting named: a pooler makes one up. */
const greeted = (client: pg.Client) => (client as { processID?: number | null }).processID

async function backend(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]!.pid
}

/** Milliseconds after which a pooler has no connection left for a second client. */
const patience = 2000
/** How often two clients take turns: other clients of a busy pooler may hide that they share. */
const rounds = 5

/**
 * Finds out whether what answers gives each client a session of its own, as a pooler in session
 * mode does. Otherwise two clients get the same backend one after the other, or one gets another
 * while the first is in a transaction.
 */
async function keepsSessions(url: string, one: pg.Client): Promise<boolean> {
  const other = await connect(url)
  try {
    for (let round = 0; round < rounds; round++) {
      const own = await backend(one)
      if ((await backend(other)) === own) return false
      await other.query('BEGIN')
      const late = new Promise<number>((resolve) => setTimeout(resolve, patience, 0).unref())
      const now = await Promise.race([backend(one), late])
      await other.query('ROLLBACK')
      if (now !== own) return false
    }
    return true
  } catch {
    // In statement mode there are no transactions.
    return false
  } finally {
    await other.end().catch(() => undefined)
  }
}
