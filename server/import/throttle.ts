import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** How much longer than it is busy this thread is free while an import is at work. */
const rest = 4

/**
 * Does a part of the work and then rests, so that requests don't meet one part after the other.
 *
 * @returns what the work returns
 */
export async function throttle<T>(work: () => Promise<T>): Promise<T> {
  const [start, freeBefore] = [performance.now(), performance.nodeTiming.idleTime]
  const result = await work()
  const free = performance.nodeTiming.idleTime - freeBefore
  const busy = performance.now() - start - free
  await setTimeout(Math.max(0, rest * busy - free))
  return result
}
