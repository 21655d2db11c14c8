import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { performance } from 'node:perf_hooks'

/** Milliseconds for requests in flight to end after a SIGTERM. */
const drainTime = 10_000
/** Turns of the event loop to wait for one in which nothing arrives. */
const mostTurns = 100

/**
 * Accepts no more requests and waits for those in flight; after {@link drainTime} they are cut off.
 * Their responses carry `Connection: close`.
 *
 * @param latest the latest response of each connection, sent or not
 * @param idle milliseconds to keep idle connections open, so that a proxy can notice the stop before
 *   it sends a request into the end of one
 */
export async function drain(
  server: Server,
  latest: Iterable<ServerResponse>,
  idle = 0,
): Promise<void> {
  const began = performance.now()
  const part = (response: ServerResponse) =>
    void (response.headersSent || response.setHeader('Connection', 'close'))
  for (const response of latest) part(response)
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) =>
    part(response),
  )
  const cut = setTimeout(() => server.closeAllConnections(), drainTime)
  // The kernel resets connections that were not accepted when their port closes.
  await untilNothingArrives()
  const closed = new Promise<void>((resolve) => {
    // Not http's own end: it closes idle connections over which a request may have come.
    TcpServer.prototype.close.call(server, () => resolve())
  })
  // A connection that is idle would otherwise hold the process open.
  const sweep = setInterval(
    () =>
      performance.now() - began >= idle &&
      void untilNothingArrives().then(() => server.closeIdleConnections()),
    100,
  )
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

/** Resolves in the turn of the event loop in which nothing was read or accepted, or the last of many. */
function untilNothingArrives(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = -1
  let turns = 0
  function look(): void {
    const { events } = performance.nodeTiming.uvMetricsInfo
    if (events === arrived || ++turns > mostTurns) return resolve()
    arrived = events
    setImmediate(look)
  }
  setImmediate(look)
  return promise
}
