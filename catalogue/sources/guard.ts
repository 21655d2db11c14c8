import {
  BrokenCircuitError,
  bulkhead,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleAll,
  wrap,
} from 'cockatiel'
import { sourceNames, type OutsideSource } from '#shared/book.ts'
import { SourceFailure } from './http.ts'
import type { Source } from './source.ts'

const failuresUntilOpen = 5
const pause = 30_000
const mostAtOnce = 8

/**
 * What a source lets us ask: so many at once, then so many a second. Open Library counts 180 a
 * minute; Google's day has a quota.
 */
const paces: Record<OutsideSource, { burst: number; perSecond: number }> = {
  openlibrary: { burst: 20, perSecond: 3 },
  google: { burst: 10, perSecond: 1 },
}

/** One line when a source falls silent and one when it is back. */
export interface SourceLog {
  info(message: string): void
  warn(message: string): void
}

/** A source that is left alone for a while after it failed, and never asked too often. */
export interface Guarded {
  name: OutsideSource
  /** Whether it is being left alone. */
  isSilent(): boolean
  /** @throws SourceFailure, at once while it is left alone */
  ask<Answer>(call: (source: Source) => Promise<Answer>): Promise<Answer>
}

/**
 * @param source any source
 * @param log is told when it falls silent, once, and when it is back
 * @returns the source behind a breaker: five failures in a row, and for 30 seconds nobody asks; then
 * one question decides
 */
export function guarded(source: Source, log: SourceLog): Guarded {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: pause,
    breaker: new ConsecutiveBreaker(failuresUntilOpen),
  })
  const policy = wrap(bulkhead(mostAtOnce, 0), breaker)
  const name = sourceNames[source.name]
  const mayAsk = paced(paces[source.name])
  let isDown = false
  breaker.onBreak((reason) => {
    if (!isDown) {
      const error = 'error' in reason ? reason.error : undefined
      const cause = error instanceof Error ? error.message : 'left alone'
      log.warn(`${name} does not answer (${cause}); it is tried again every 30 seconds at most`)
    }
    isDown = true
  })
  breaker.onReset(() => {
    if (isDown) log.info(`${name} answers again`)
    isDown = false
  })
  return {
    name: source.name,
    isSilent: () => breaker.state === CircuitState.Open,
    async ask(call) {
      if (breaker.state !== CircuitState.Open && !mayAsk())
        throw new SourceFailure(`${name} was asked too often`)
      try {
        return await policy.execute(() => call(source))
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw new SourceFailure(`${name} is left alone`)
        throw error
      }
    },
  }
}

/** A bucket that fills with time and is emptied by questions. */
function paced({ burst, perSecond }: { burst: number; perSecond: number }): () => boolean {
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
