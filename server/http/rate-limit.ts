import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { clientNetwork, tooManyRequests } from '#records/index.ts'

/** How often one visitor may ask for something: times within so many seconds. */
interface RateLimit {
  points: number
  seconds: number
}

/**
 * What costs more than reading a record: a page is rendered, a picture drawn, a library written out,
 * the payment provider asked. What is asked of the records has limits of its own.
 */
export const rateLimits = {
  pages: { points: 1500, seconds: 60 },
  covers: { points: 3000, seconds: 60 },
  /** Each may be fetched from another site. */
  typedCovers: { points: 30, seconds: 60 },
  previews: { points: 60, seconds: 60 },
  exports: { points: 10, seconds: 60 },
  payments: { points: 20, seconds: 60 },
  /** Questions to the language model. */
  model: { points: 2, seconds: 1 },
} satisfies Record<string, RateLimit>

/**
 * Counts in this process alone.
 *
 * @returns a function that counts once for who is named; '' is the process itself, and not counted
 * @throws ApiError 429, which says when to come again
 */
export function rateLimiter({ points, seconds }: RateLimit): (who: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  return async (who) => {
    if (who === '') return
    try {
      await limiter.consume(who)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw tooManyRequests(
        refusal.msBeforeNext,
        'Too many requests. Please try again in a moment.',
      )
    }
  }
}

/** Lets a network ask no more often than that, for all that it is used for together. */
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
