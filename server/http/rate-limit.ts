import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { clientNetwork, tooManyRequests } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

/** A rate limit: requests within a number of seconds. */
interface RateLimit {
  points: number
  seconds: number
}

/**
 * Limits of what costs more than reading a record: rendering a page, drawing a picture, exporting a
 * library, calling the payment provider. The record API has its own limits.
 */
export const rateLimits = {
  pages: { points: 1500, seconds: 60 },
  covers: { points: 3000, seconds: 60 },
  /** Each may be a request to another site. */
  typedCovers: { points: 30, seconds: 60 },
  previews: { points: 60, seconds: 60 },
  feeds: { points: 60, seconds: 60 },
  assistants: { points: 120, seconds: 60 },
  exports: { points: 10, seconds: 60 },
  payments: { points: 20, seconds: 60 },
  /** Requests to the language model. */
  model: { points: 2, seconds: 1 },
} satisfies Record<string, RateLimit>

/**
 * Counts in this process only.
 *
 * @returns a function that counts one request of a caller; '' is the process itself and isn't
 *   counted
 * @throws ApiError 429 with `Retry-After`
 */
export function rateLimiter({ points, seconds }: RateLimit): (who: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  return async (who) => {
    if (who === '') return
    try {
      await limiter.consume(who)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw tooManyRequests(refusal.msBeforeNext, answers.tooManyRequests)
    }
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
