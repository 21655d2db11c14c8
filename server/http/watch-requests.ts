import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Logger } from 'pino'
import type { Config } from '../settings/config.ts'
import { currentRequest, inRequest, type RequestContext } from '../runtime/request-context.ts'
import { loggedPath } from './logged-path.ts'
import { isFromTrustedProxy } from '#server/network/client-address.ts'

/** A request that was answered or whose client disconnected. */
export interface AnsweredRequest {
  method: string
  route: string
  /** 0 if there was no response. */
  status: number
  seconds: number
  /** Whether the response was an event stream, which lasts as long as the client stays. */
  isStream: boolean
}

/** Observes requests for the log and for metrics. */
export interface RequestWatch {
  /** Runs a request and reports it when it ends. */
  answer: (request: IncomingMessage, response: ServerResponse, work: () => void) => void
  /** Records the route; must be the application's first middleware. */
  route: MiddlewareHandler
  /** Records the account. */
  account: (id: string) => void
}

/** A proxy's request id that is adopted: it is logged and sent back. */
const wellFormed = /^[\w.:=-]{1,100}$/

/**
 * Observes requests for the log at `debug`, one line each, and for metrics. Query strings are left
 * out, as they may hold tokens.
 *
 * @param screenOf returns the pattern of the screen at a path
 * @param onAnswered called with every request, for metrics
 * @returns undefined if neither is used, so that it costs nothing
 */
export function watchRequests(
  { trustProxy }: Pick<Config, 'trustProxy'>,
  log: Logger,
  screenOf: (path: string) => string,
  onAnswered?: (answered: AnsweredRequest) => void,
): RequestWatch | undefined {
  const isLogged = log.isLevelEnabled('debug')
  if (!isLogged && !onAnswered) return undefined
  const isTrusted = isFromTrustedProxy(trustProxy)

  function idOf(request: IncomingMessage): string {
    const given = request.headers['x-request-id']
    const isGood = typeof given === 'string' && wellFormed.test(given) && isTrusted(request)
    return isGood ? given : randomUUID()
  }

  function tell(context: RequestContext, request: IncomingMessage, response: ServerResponse) {
    const began = performance.now()
    response.once('close', () => {
      const took = performance.now() - began
      const status = response.headersSent ? response.statusCode : 0
      const { method = '' } = request
      const { id, route, account } = context
      const type = String(response.getHeader('content-type') ?? '')
      const isStream = type.startsWith('text/event-stream')
      onAnswered?.({ method, route, status, seconds: took / 1000, isStream })
      if (!isLogged) return
      const [path = ''] = (request.url ?? '').split('?')
      const who = account && { account }
      const line = { request: id, method, path: loggedPath(path), route, status }
      log.debug({ ...line, ms: Math.round(took * 10) / 10, ...who }, 'request')
    })
  }

  return {
    answer(request, response, work) {
      const context = { id: isLogged ? idOf(request) : '', route: '', account: '' }
      if (context.id) response.setHeader('X-Request-Id', context.id)
      tell(context, request, response)
      inRequest(context, work)
    },
    route: async (c, next) => {
      const context = currentRequest()
      // A page's in-process API calls belong to the page's request.
      if (context) context.route ||= routeOf(c, screenOf)
      await next()
    },
    account(id) {
      const context = currentRequest()
      if (context) context.account = id
    },
  }
}

/** The pattern of the route that answers; patterns with a star are middleware or pages. */
function routeOf(c: Context, screenOf: (path: string) => string): string {
  const found = matchedRoutes(c).find(({ path }) => !path.endsWith('*'))
  if (found) return found.path
  const { path } = c.req
  const [, folder = ''] = /^\/(api|assets|covers|previews)\//.exec(path) ?? []
  return folder ? `/${folder}/*` : screenOf(path)
}
