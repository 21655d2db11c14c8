import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** Idle time of this thread during an import, as a multiple of the import's processor time. */
const rest = 1

/**
 * Does part of the work and then rests, so that requests aren't held up by one part after another.
 *
 * @returns what the work returns
 */
export async function throttle<T>(work: () => Promise<T>): Promise<T> {
  const [before, freeBefore] = [process.threadCpuUsage(), performance.nodeTiming.idleTime]
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  const free = performance.nodeTiming.idleTime - freeBefore
  await setTimeout(Math.max(0, (rest * (user + system)) / 1000 - free))
  return result
}

/**
 * Lets requests run between two steps of a part, as SQLite's calls are synchronous. Reading and
 * answering a request takes more than one turn of the event loop.
 */
export const letRequestsRun = () => setTimeout(1)
