import { isMainThread, parentPort } from 'node:worker_threads'
import { yieldToRequests } from '../yield-to-requests.ts'
import { coReadCounter } from './count.ts'

/** What the thread is sent: some libraries, or that these were all. */
type Message = readonly (readonly string[])[] | 'count'

/** Nobody waits for this. */
const niceness = 10

/** Only in a worker: takes libraries, then answers once with what was counted. */
function serve(): void {
  yieldToRequests(niceness)
  const count = coReadCounter()
  parentPort?.on('message', (message: Message) => {
    if (message !== 'count') {
      for (const library of message) count.add(library)
      return
    }
    const counted = count.finish()
    const { shelved, isbns, starts, near, closeness } = counted
    const arrays = [shelved.isbns, shelved.readers, isbns, starts, near, closeness]
    parentPort?.postMessage(
      counted,
      arrays.map(({ buffer }) => buffer as ArrayBuffer),
    )
  })
}

if (!isMainThread) serve()
