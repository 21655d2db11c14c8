import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** How much longer than it computes this thread is free while an import is at work. */
const rest = 4

/**
 * Does a part of the work and then rests, so that requests don't meet one part after the other.
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
 * Lets requests run between two steps of a part, as SQLite's calls are synchronous. To read a request
 * and to answer it takes more than one turn of the event loop.
 */
export const letRequestsRun = () => setTimeout(1)
