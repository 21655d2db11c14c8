import type { Context, MiddlewareHandler } from 'hono'
import { mailAttempts } from '../limits/attempts.ts'
import { clientNetwork, type Limits } from '../limits/index.ts'

/** Creates and mailing calls have rules of their own; the prefix is where the service is mounted. */
const create = /^\/api\/collections\/[^/]+\/records$/
const mailing =
  /\/(?:request-otp|request-verification|request-password-reset|request-email-change)$/

/** Counts every request by the one rule that is for it, and has it pay for what it takes. */
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

/** Has requests pay for what they take that are counted elsewhere, such as those of pages. */
export function chargeRequests(
  limits: Limits,
  clientAddress: (c: Context) => string,
): MiddlewareHandler {
  return (c, next) => limits.withBudget(clientNetwork(clientAddress(c)), next)
}
