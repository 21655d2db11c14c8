import pg from 'pg'

/**
 * A separate connection that listens for NOTIFY messages from all of the database's transactions.
 */
export interface Listener {
  /**
   * The server's process id for this connection, by which other processes can tell whether it is
   * still open.
   */
  readonly backend: number
  /** Pings the server; without an answer in ten seconds the connection counts as lost. */
  check(): void
  close(): Promise<void>
}

/**
 * @param heard called with each payload, in the order of the commits
 * @param lost called once if the connection breaks; later messages are missed
 * @throws if the server cannot be reached within five seconds
 */
export async function openListener(
  url: string,
  channel: string,
  heard: (payload: string) => void,
  lost: () => void,
): Promise<Listener> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
    keepAlive: true,
  })
  let isOpen = true
  const lose = () => {
    if (!isOpen) return
    isOpen = false
    void client.end().catch(() => undefined)
    lost()
  }
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', ({ payload = '' }) => heard(payload))
  try {
    await client.connect()
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    return {
      backend: rows[0]!.pid,
      check: () => void client.query('SELECT 1').catch(lose),
      async close() {
        isOpen = false
        await client.end()
      },
    }
  } catch (error) {
    isOpen = false
    await client.end().catch(() => undefined)
    throw error
  }
}
