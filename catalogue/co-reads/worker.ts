import { isMainThread, parentPort } from 'node:worker_threads'
import { yieldToRequests } from '../yield-to-requests.ts'
import { coReadCounter } from './count.ts'

/** A message to the thread: a batch of libraries, or the request to count. */
type Message = readonly (readonly string[])[] | 'count'

/** Low priority: nobody waits for this. */
const niceness = 10

/** The worker's main function: collects libraries, then answers once with the counts. */
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
