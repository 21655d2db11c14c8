import { Hono } from 'hono'
import { ApiError } from '#records/index.ts'
import { accountOf, type LibraryRecords } from '#server/collections/stored.ts'
import { readerApi } from './reader-api.ts'

interface McpDeps {
  records: Pick<LibraryRecords, 'authenticate'>
  /** Calls the API in process, with what is known of the connection. */
  fetch: (request: Request, env?: object) => Response | Promise<Response>
  /** The site's address. */
  appUrl: string
}

/**
 * `POST /mcp`: the Model Context Protocol of 2026-07-28, and of 2025 for older clients, without
 * sessions. A reader's assistant signs in with an API token and calls tools; each tool calls the API
 * with that token.
 */
export function mcpRoutes({ records, fetch, appUrl }: McpDeps): Hono {
  const { origin } = new URL(appUrl)
  return new Hono().all('/', async (c) => {
    c.header('Cache-Control', 'private, no-store')
    const request = c.req.raw
    refuseForeignOrigin(request, origin)
    // A cookie would let any page speak for its reader.
    const isSigned = request.headers.has('authorization')
    const viewer = isSigned ? await records.authenticate(request, 'read') : null
    if (!viewer) {
      c.header('WWW-Authenticate', 'Bearer realm="Octavo"')
      throw new ApiError(401, 'Send an API token as Authorization: Bearer.')
    }
    const { id, username } = accountOf(viewer)
    const api = readerApi(request, { id, username }, async (one) => fetch(one, c.env as object))
    // It takes 35 MB and is for few.
    const { answerMcp } = await import('./answer.ts')
    return answerMcp(request, api, viewer)
  })
}

/** Source: the specification's transports, "Security Warning". @throws ApiError 403 */
function refuseForeignOrigin(request: Request, own: string): void {
  const origin = request.headers.get('origin')
  if (origin && origin !== own && origin !== new URL(request.url).origin) throw new ApiError(403)
}
