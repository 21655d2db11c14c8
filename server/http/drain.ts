import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'

/** Milliseconds that requests in flight have to end after a SIGTERM. */
const drainTime = 10_000

/**
 * Accepts no more requests and waits for those in flight; after {@link drainTime} they are cut off.
 * Their responses carry `Connection: close`.
 *
 * @param latest the latest response of each connection, sent or not
 */
export function drain(server: Server, latest: Iterable<ServerResponse>): Promise<void> {
  const part = (response: ServerResponse) =>
    void (response.headersSent || response.setHeader('Connection', 'close'))
  for (const response of latest) part(response)
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) =>
    part(response),
  )
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainTime)
    // A connection that is idle would otherwise hold the process open. Not before what its client has
    // sent meanwhile was read, which is after the turn of the timers; so not as http's own end, either.
    const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), 100)
    TcpServer.prototype.close.call(server, () => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
  })
}
