import type { Worker } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'
import type { Answer, Place, Questions } from './worker.ts'

/** Beyond this many waiting questions a new one is refused, so that nobody waits for long. */
const mostWaiting = 500
/** A worker that dies again within this time is not replaced at once. */
const restartPause = 1000

interface SearchPool {
  /** @throws CatalogueBusy when too many wait, an Error when the worker failed on the question */
  ask<Kind extends keyof Questions>(
    kind: Kind,
    asked: Questions[Kind]['asked'],
  ): Promise<Questions[Kind]['answer']>
  close(): Promise<void>
}

/** Too many questions wait already; the client may ask again in a moment. */
export class CatalogueBusy extends Error {
  override name = 'CatalogueBusy'
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** A worker thread and the questions it still owes an answer. */
interface Desk {
  worker: Worker
  waiting: Map<number, Waiting>
  since: number
}

/**
 * Worker threads over one index file: a search never holds up the thread that serves requests.
 *
 * @param place an index that `buildIndex` wrote, and where what is learnt is kept
 * @param size how many threads
 */
export function openPool(place: Place, size: number): SearchPool {
  let lastId = 0
  let closed = false
  const desks = new Set<Desk>()
  const open = () => {
    if (closed) return
    const desk = openDesk(place)
    desks.add(desk)
    desk.worker.on('exit', () => {
      desks.delete(desk)
      const pause = Date.now() - desk.since < restartPause ? restartPause : 0
      setTimeout(open, pause).unref()
    })
  }
  for (let i = 0; i < size; i++) open()
  return {
    ask<Kind extends keyof Questions>(kind: Kind, asked: Questions[Kind]['asked']) {
      return new Promise<Questions[Kind]['answer']>((resolve, reject) => {
        if (closed) throw new Error('The catalogue is closed.')
        const desk = leastBusy(desks)
        if (!desk || desk.waiting.size >= mostWaiting)
          throw new CatalogueBusy('The catalogue is busy.')
        const id = ++lastId
        // The worker answers each kind with its own type; messages between threads carry none.
        desk.waiting.set(id, { resolve, reject })
        if (desk.waiting.size === 1) desk.worker.ref()
        desk.worker.postMessage([id, kind, asked])
      })
    },
    async close() {
      closed = true
      await Promise.all([...desks].map((desk) => desk.worker.terminate()))
    },
  }
}

function leastBusy(desks: Iterable<Desk>): Desk | undefined {
  let least: Desk | undefined
  for (const desk of desks) if (!least || desk.waiting.size < least.waiting.size) least = desk
  return least
}

function openDesk(place: Place): Desk {
  const worker = startThread(new URL('./worker.ts', import.meta.url), place)
  // A process stays alive for a question, not for an idle worker.
  worker.unref()
  const waiting = new Map<number, Waiting>()
  worker.on('message', ([id, answer, error]: Answer) => {
    const asker = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (error === undefined) asker?.resolve(answer)
    else asker?.reject(new Error(error))
  })
  let cause = new Error('The catalogue worker stopped.')
  worker.on('error', (error: Error) => {
    cause = error
    process.emitWarning(error)
  })
  worker.on('exit', () => {
    for (const asker of waiting.values()) asker.reject(cause)
    waiting.clear()
  })
  return { worker, waiting, since: Date.now() }
}
