import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../settings/config.ts'
import { StartError } from '../storage/data-folder.ts'
import { dataHeaderValues } from '../http/headers.ts'
import { isLoopbackHost } from '#server/network/client-address.ts'
import type { Metrics } from './metrics.ts'

/**
 * Serves `/metrics` on its own port to clients with the token or, without a token, to this machine
 * only. Everything else gets a 404.
 *
 * @returns a function that closes it
 * @throws StartError if the port is taken or not allowed
 */
export async function startMetricsServer(
  { host, port, token }: NonNullable<Config['metrics']>,
  metrics: Metrics,
  log: Logger,
): Promise<() => Promise<void>> {
  const mayAsk = token === undefined ? isFromHere : bearerOf(token)
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000 },
    (request, answer) => {
      const [path] = (request.url ?? '').split('?')
      const headers = { ...dataHeaderValues, 'Cache-Control': 'no-store' }
      if (request.method !== 'GET' || path !== '/metrics' || !mayAsk(request)) {
        answer.writeHead(404, headers).end()
        return
      }
      metrics.text().then(
        (text) =>
          answer.writeHead(200, { ...headers, 'Content-Type': metrics.contentType }).end(text),
        (error: unknown) => {
          log.error({ err: error }, 'metrics could not be collected')
          answer.writeHead(500, headers).end()
        },
      )
    },
  )
  server.listen(port, host)
  await once(server, 'listening').catch((error: Error) => {
    throw new StartError(`Octavo cannot listen on METRICS=${host}:${port}: ${error.message}`)
  })
  const { port: opened } = server.address() as { port: number }
  console.log(`Metrics: http://${host.includes(':') ? `[${host}]` : host}:${opened}/metrics`)
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

/** Prevents DNS rebinding: only requests for a loopback address are allowed. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const [, name = ''] = /^\[?([\w.:]+?)\]?(?::\d+)?$/.exec(headers.host ?? '') ?? []
  return isLoopbackHost(name)
}

function bearerOf(token: string): (request: IncomingMessage) => boolean {
  // Compares digests, which always have the same length.
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const right = digest(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ''), right)
}
