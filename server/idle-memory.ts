import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds without a request after which memory is given back. */
const idleAfter = 5000

/** How much larger than after the last collection the heap must be to be worth another. */
const worthwhile = 1.5

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives memory back to the system while the server is idle. V8 collects garbage only as more is
 * allocated, so it would keep what a start or a rush left behind. The C library returns only what
 * lies at the end of its heap, where one small block can hold it back.
 *
 * @returns a timer to be refreshed with every request
 */
export function collectWhenIdle(): NodeJS.Timeout {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  const trim = mallocTrim()
  let collected = 0
  const idle = setTimeout(() => {
    if (getHeapStatistics().total_heap_size >= collected * worthwhile) {
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      collected = getHeapStatistics().total_heap_size
    }
    trim?.(0n)
    // Idle worker threads end after a while and leave memory behind, so check again later.
    idle.refresh()
  }, idleAfter).unref()
  return idle
}

/** glibc's `malloc_trim`; other C libraries lack it, and some builds of Node lack the way to it. */
function mallocTrim(): ((pad: bigint) => unknown) | undefined {
  // Node warns that this API is experimental, which an operator can do nothing about.
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    const ffi = process.getBuiltinModule('node:ffi')
    const { functions } = ffi.dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } })
    return functions.malloc_trim
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
