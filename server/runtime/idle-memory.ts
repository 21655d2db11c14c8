import { getHeapStatistics } from 'node:v8'

/** Milliseconds without a request after which garbage is collected. */
const idleAfter = 5000

/** How much larger than after the last collection the heap must be to be worth another. */
const worthwhile = 1.5

/**
 * Collects garbage while the server is idle, so that its memory goes back to the system. V8 collects
 * only as more is allocated, so it would keep what a start or a rush left behind.
 *
 * Needs Node's `--expose-gc`, which `npm start` passes, and does nothing without it.
 *
 * @returns a timer to be refreshed with every request
 */
export function collectWhenIdle(): NodeJS.Timeout {
  let collected = 0
  const idle = setTimeout(() => {
    if (getHeapStatistics().total_heap_size >= collected * worthwhile) {
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      collected = getHeapStatistics().total_heap_size
    }
    // A stream of events or a background job also leaves garbage, so check again later.
    idle.refresh()
  }, idleAfter).unref()
  return idle
}
