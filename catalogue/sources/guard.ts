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
const pause = 30_000

/**
 * What a source lets us ask: so many at once, then so many a second. Open Library counts 180 a
 * minute; Google's day has a quota.
 */
const rateLimits: Record<ExternalSource, RateLimit> = {
  openlibrary: { burst: 20, perSecond: 3, atOnce: 8, waiting: 0 },
  google: { burst: 10, perSecond: 1, atOnce: 8, waiting: 0 },
}

export interface RateLimit {
  burst: number
  perSecond: number
  atOnce: number
  /** How many may wait for their turn. */
  waiting: number
}

/** One line when a source falls silent and one when it is back. */
export interface SourceLog {
  info(message: string): void
  warn(message: string): void
  /** Counts each question: answered, failed, or refused because it is not put now. */
  asked?: (name: ExternalSource, result: 'answered' | 'failed' | 'refused') => void
}

/** A source that is left alone for a while after it failed, and never asked too often. */
export interface GuardedSource<Client> {
  name: ExternalSource
  /** Whether it is being left alone. */
  isSilent(): boolean
  /** @throws SourceFailure, at once while it is left alone */
  ask<Answer>(call: (client: Client) => Promise<Answer>): Promise<Answer>
}

/**
 * @param log is told when it falls silent, once, and when it is back
 * @param options how often it may be asked, and what of it, for the log
 * @returns the source behind a breaker: five failures in a row, and for 30 seconds nobody asks; then
 * one question decides
 */
export function guardSource<Client extends { name: ExternalSource }>(
  client: Client,
  log: SourceLog,
  options: { limit?: RateLimit; of?: string } = {},
): GuardedSource<Client> {
  const { limit = rateLimits[client.name], of = '' } = options
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: pause,
    breaker: new ConsecutiveBreaker(failuresUntilOpen),
  })
  const policy = wrap(bulkhead(limit.atOnce, limit.waiting), breaker)
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

/** A bucket that fills with time and is emptied by questions. */
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
