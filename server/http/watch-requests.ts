import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { currentRequest, inRequest, type RequestContext } from '../request-context.ts'
import { isFromTrustedProxy } from './client-address.ts'

/** A request that was answered, or whose client went away. */
export interface AnsweredRequest {
  method: string
  route: string
  /** 0 where there was no answer. */
  status: number
  seconds: number
  /** Whether the answer was a stream of events, which lasts as long as its client likes. */
  isStream: boolean
}

/** What is told of requests, where anybody wants to know. */
export interface RequestWatch {
  /** Answers a request, and tells of it once it is over. */
  answer: (request: IncomingMessage, response: ServerResponse, work: () => void) => void
  /** Notes the route; to be the first of an application's middleware. */
  route: MiddlewareHandler
  /** Notes the account. */
  account: (id: string) => void
}

/** An id of a proxy that is taken over: it is written to the log and sent back. */
const wellFormed = /^[\w.:=-]{1,100}$/

/** Characters of a path that are logged. */
const longestPath = 500

/**
 * Watches requests for the log at `debug`, where each is a line, and for metrics. Query strings are
 * left out of it all: they may hold tokens.
 *
 * @param screenOf the pattern of the screen at a path
 * @param onAnswered hears of every request, for metrics
 * @returns undefined where neither wants to know, so that it costs nothing
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
      const line = { request: id, method, path: path.slice(0, longestPath), route, status }
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
      // A page asks the API inside the process: the request is the page's all the same.
      if (context) context.route ||= routeOf(c, screenOf)
      await next()
    },
    account(id) {
      const context = currentRequest()
      if (context) context.account = id
    },
  }
}

/** The pattern of whatever answers; one with a star in it is a middleware's, or that of pages. */
function routeOf(c: Context, screenOf: (path: string) => string): string {
  const found = matchedRoutes(c).find(({ path }) => !path.endsWith('*'))
  if (found) return found.path
  const { path } = c.req
  const [, folder = ''] = /^\/(api|assets|covers|previews)\//.exec(path) ?? []
  return folder ? `/${folder}/*` : screenOf(path)
}
