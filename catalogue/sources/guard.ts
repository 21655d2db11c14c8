import {
  bulkhead,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleAll,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  wrap,
} from 'cockatiel'
import { sourceNames, type ExternalSource } from '#shared/book.ts'
import { SourceFailure } from './http.ts'

const failuresUntilOpen = 5
const halfOpenAfter = 30_000

/**
 * Rate limits of the sources: a burst, then requests per second. Open Library allows 180 a minute;
 * Google has a daily quota.
 */
const rateLimits: Record<ExternalSource, RateLimit> = {
  openlibrary: { burst: 20, perSecond: 3, concurrency: 8, waiting: 0 },
  google: { burst: 10, perSecond: 1, concurrency: 8, waiting: 0 },
}

export interface RateLimit {
  burst: number
  perSecond: number
  concurrency: number
  /** The most waiting requests. */
  waiting: number
}

/** Logs when a source stops and when it is back. */
export interface SourceLog {
  info(message: string): void
  warn(message: string): void
  /** Counts requests: answered, failed, or refused by the breaker or rate limit. */
  asked?: (name: ExternalSource, result: 'answered' | 'failed' | 'refused') => void
}

/** A source behind a circuit breaker and a rate limit. */
export interface GuardedSource<Client> {
  name: ExternalSource
  /** Whether the breaker is open. */
  isSilent(): boolean
  /** @throws SourceFailure, at once while the breaker is open */
  ask<Answer>(call: (client: Client) => Promise<Answer>): Promise<Answer>
}

/**
 * @param log receives a line when the source stops and when it is back
 * @param options rate limits, and a name for the log
 * @returns the source behind a breaker: after five failures in a row it pauses for 30 seconds, then
 *   one request decides
 */
export function guardSource<Client extends { name: ExternalSource }>(
  client: Client,
  log: SourceLog,
  options: { limit?: RateLimit; of?: string } = {},
): GuardedSource<Client> {
  const { limit = rateLimits[client.name], of = '' } = options
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter,
    breaker: new ConsecutiveBreaker(failuresUntilOpen),
  })
  const policy = wrap(bulkhead(limit.concurrency, limit.waiting), breaker)
  const name = `${sourceNames[client.name]}${of && ` (${of})`}`
  const mayAsk = rateLimit(limit)
  let isDown = false
  breaker.onBreak((reason) => {
    if (!isDown) {
      const error = 'error' in reason ? reason.error : undefined
      const cause = error instanceof Error ? error.message : 'left alone'
      log.warn(`${name} does not answer (${cause}); Octavo retries it at most every 30 seconds`)
    }
    isDown = true
  })
  breaker.onReset(() => {
    if (isDown) log.info(`${name} answers again`)
    isDown = false
  })
  return {
    name: client.name,
    isSilent: () => breaker.state === CircuitState.Open,
    async ask(call) {
      if (breaker.state !== CircuitState.Open && !mayAsk()) {
        log.asked?.(client.name, 'refused')
        throw new SourceFailure(`${name} was asked too often`)
      }
      try {
        const answer = await policy.execute(() => call(client))
        log.asked?.(client.name, 'answered')
        return answer
      } catch (error) {
        const isRefused = isBrokenCircuitError(error) || isBulkheadRejectedError(error)
        log.asked?.(client.name, isRefused ? 'refused' : 'failed')
        if (isBrokenCircuitError(error)) throw new SourceFailure(`${name} is not asked for a while`)
        throw error
      }
    },
  }
}

/** A token bucket. */
function rateLimit({ burst, perSecond }: RateLimit): () => boolean {
  let left = burst
  let filled = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(burst, left + ((now - filled) / 1000) * perSecond)
    filled = now
    if (left < 1) return false
    left--
    return true
  }
}
