import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** Idle time of this thread during an import, as a multiple of the import's processor time. */
const rest = 1

/** Resolves when the parts that were begun so far have ended. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Does part of the work of an import and then rests, so that requests aren't held up by one part
 * after another (R57). The parts of several imports take turns.
 *
 * @returns what the work returns
 */
export function throttle<T>(work: () => Promise<T>): Promise<T> {
  const part = turn.then(() => workAndRest(work))
  turn = part.catch(() => undefined)
  return part
}

async function workAndRest<T>(work: () => Promise<T>): Promise<T> {
  const [before, freeBefore] = [process.threadCpuUsage(), performance.nodeTiming.idleTime]
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  const free = performance.nodeTiming.idleTime - freeBefore
  await setTimeout(Math.max(0, (rest * (user + system)) / 1000 - free))
  turnStart = busy()
  return result
}

/** Milliseconds without a pause after which requests get a turn, as SQLite's calls are synchronous. */
const pauseAfter = 0.7

/** When requests last had a turn, on the clock of {@link busy}. */
let turnStart = 0

/**
 * Call between two steps of a part, so that none holds the thread for long (R41). Requests get a turn only once the steps have taken a while: the
 * first ones of a process take much longer than the later ones.
 */
export async function letRequestsRun(): Promise<void> {
  if (busy() - turnStart < pauseAfter) return
  // Reading and answering a request takes more than one turn of the event loop.
  await setTimeout(1)
  turnStart = busy()
}

/** @returns the milliseconds for which this thread's event loop hasn't been idle */
const busy = () => performance.now() - performance.nodeTiming.idleTime
