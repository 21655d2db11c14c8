import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds without a request after which memory is given back. */
const idleAfter = 5000

/** How much larger than after the last collection the heap must be to be worth another. */
const worthwhile = 1.5

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives memory back to the system while nobody asks for anything. V8 collects garbage only as more
 * is made, so it would keep what a start or a rush has left behind.
 *
 * @returns a timer to be refreshed with every request
 */
export function collectWhenIdle(): NodeJS.Timeout {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  let collected = 0
  return setTimeout(() => {
    if (getHeapStatistics().total_heap_size < collected * worthwhile) return
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    collected = getHeapStatistics().total_heap_size
  }, idleAfter).unref()
}
