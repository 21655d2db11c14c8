import type { Context, MiddlewareHandler } from 'hono'
import { mailAttempts } from '../limits/attempts.ts'
import { clientNetwork, type Limits } from '../limits/index.ts'
import { maxFilterBytes } from '../filter/lexer.ts'
import { maxRequests, urlBytes } from './batch.ts'
import { maxPerPage } from './read.ts'
import { maxTopics } from './realtime.ts'

/** Creates and calls that send mail have their own rules. */
const create = /^\/api\/collections\/[^/]+\/records$/
const mailing =
  /\/(?:request-otp|request-verification|request-password-reset|request-email-change)$/

/** Counts every request by the rule for it, and charges its work to its network. */
export function limitRequests(
  limits: Limits,
  clientAddress: (c: Context) => string,
): MiddlewareHandler<{ Variables: { network?: string } }> {
  return async (c, next) => {
    const network = clientNetwork(clientAddress(c))
    c.set('network', network)
    const isPost = c.req.method === 'POST'
    const { path } = c.req
    if (isPost && path === '/api/batch') await limits.admit('batch', network)
    else await limits.admit(isPost && create.test(path) ? 'create' : 'api', network)
    if (isPost && mailing.test(path)) await limits.attempt(mailAttempts(network), async () => {})
    await limits.withBudget(network, next)
  }
}

/** Charges the work of requests that are counted elsewhere, such as those for pages. */
export function chargeRequests(
  limits: Limits,
  clientAddress: (c: Context) => string,
): MiddlewareHandler {
  return (c, next) => limits.withBudget(clientNetwork(clientAddress(c)), next)
}

/** The most that one request can ask for; for descriptions of the API. */
export const recordLimits = {
  perPage: maxPerPage,
  filterBytes: maxFilterBytes,
  batchRequests: maxRequests,
  batchUrlBytes: urlBytes,
  topics: maxTopics,
}
