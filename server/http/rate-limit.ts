import type { Context, MiddlewareHandler } from 'hono'
import { clientNetwork, RequestCounter } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

/** A rate limit: requests within a number of seconds. */
interface RateLimit {
  points: number
  seconds: number
}

/**
 * Limits of what costs more than reading a record: rendering a page, drawing a picture, exporting a
 * library, calling the payment provider. The record API has its own limits. They keep R43: clients
 * are limited by the work they cause, and others don't notice.
 */
export const rateLimits = {
  /** R55: rendering is charged as work, too, one page of a network at a time. */
  pages: { points: 1500, seconds: 60 },
  covers: { points: 3000, seconds: 60 },
  /** R16: each may be a request to another site, which may be slow. */
  typedCovers: { points: 30, seconds: 60 },
  /** R41: drawing a picture holds the main thread for a while. */
  previews: { points: 60, seconds: 60 },
  feeds: { points: 60, seconds: 60 },
  assistants: { points: 120, seconds: 60 },
  /** R54: an export isn't bounded as other answers are. */
  exports: { points: 10, seconds: 60 },
  /** R18: each call waits for the payment provider. */
  payments: { points: 20, seconds: 60 },
  /** R16: requests to the language model. */
  model: { points: 2, seconds: 1 },
} satisfies Record<string, RateLimit>

/**
 * Counts in this process only.
 *
 * @returns a function that counts one request of a caller; '' is the process itself and isn't
 *   counted
 * @throws ApiError 429 with `Retry-After`
 */
export function rateLimiter(limit: RateLimit): (who: string) => Promise<void> {
  const counter = new RequestCounter(limit)
  return async (who) => {
    if (who !== '') await counter.admit(who, 1, answers.tooManyRequests)
  }
}

/** Middleware that limits a client's network, over all routes it is used for. */
export function rateLimit(
  limit: RateLimit,
  clientAddress: (c: Context) => string,
): MiddlewareHandler {
  const admit = rateLimiter(limit)
  return async (c, next) => {
    await admit(clientNetwork(clientAddress(c)))
    await next()
  }
}
