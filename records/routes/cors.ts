import type { MiddlewareHandler } from 'hono'
import { usesCookie } from '../auth/authenticate.ts'
import { cookieTokens } from '../auth/cookie.ts'
import { emptyResponse } from './response.ts'

/**
 * Lets pages of any origin make requests with a token or as visitors. Responses to requests with
 * the session cookie are only for the application's own pages.
 *
 * @param appOrigin the application's own origin, which needs no CORS headers
 */
export function cors(appOrigin: string): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') {
      const answer = emptyResponse()
      const asked = c.req.header('access-control-request-headers')
      answer.headers.set('Access-Control-Allow-Origin', '*')
      answer.headers.set('Access-Control-Allow-Methods', 'GET,HEAD,PUT,PATCH,POST,DELETE')
      if (asked) answer.headers.set('Access-Control-Allow-Headers', asked)
      return answer
    }
    await next()
    const origin = c.req.header('origin')
    if (origin === undefined || origin === appOrigin) return
    if (usesCookie(c.req.raw) && cookieTokens(c.req.raw.headers.get('cookie')).length) return
    c.res.headers.set('Access-Control-Allow-Origin', '*')
  }
}
