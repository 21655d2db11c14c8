import type { Worker } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'
import type { Answer, IndexFiles, Questions } from './worker.ts'

/** Beyond this many waiting questions a new one is refused, so that nobody waits for long. */
const maxWaiting = 500
/** MB that a worker may fill with what it is done with before it tidies up; Node's own is 48. */
const maxYoungMegabytes = 16
/** After a worker that died this soon, the next one starts as much later. Milliseconds. */
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

/**
 * Asked as a question is put: what to tell how many milliseconds of a processor its answer took, if
 * anybody wants to know.
 */
export type Meter = () => ((milliseconds: number) => void) | undefined

interface Waiting {
  took: ReturnType<Meter>
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** A worker thread and the questions it still owes an answer. */
interface WorkerSlot {
  worker: Worker
  waiting: Map<number, Waiting>
  /** Ends the worker when nothing was asked for a while. */
  idle: NodeJS.Timeout
}

interface PoolOptions {
  /** Threads at most. */
  size: number
  /** Milliseconds after which a thread that nobody asks ends, as each takes 15 MB. */
  idle: number
  /** Called with what each answer took. */
  meter?: Meter | undefined
}

/**
 * Worker threads over one index file: a search never holds up the thread that serves requests. A
 * thread starts when a question finds all others busy.
 *
 * @param files an index that `buildIndex` wrote, and where what is learnt is kept
 */
export function openPool(files: IndexFiles, { size, idle, meter }: PoolOptions): SearchPool {
  let lastId = 0
  let closed = false
  let notBefore = 0
  const slots = new Set<WorkerSlot>()
  const end = async (slot: WorkerSlot) => {
    clearTimeout(slot.idle)
    slots.delete(slot)
    await slot.worker.terminate()
  }
  const open = (): WorkerSlot => {
    const since = Date.now()
    const timer = setTimeout(() => {
      if (slot.waiting.size === 0) void end(slot)
      else timer.refresh()
    }, idle).unref()
    const slot = openSlot(files, timer)
    slots.add(slot)
    slot.worker.on('exit', () => {
      clearTimeout(timer)
      // One that was ended is no longer among them.
      if (slots.delete(slot) && Date.now() - since < restartPause)
        notBefore = Date.now() + restartPause
    })
    return slot
  }
  const free = () => {
    const slot = leastBusy(slots)
    if (slot?.waiting.size === 0 || slots.size === size || Date.now() < notBefore) return slot
    return open()
  }
  return {
    ask<Kind extends keyof Questions>(kind: Kind, asked: Questions[Kind]['asked']) {
      return new Promise<Questions[Kind]['answer']>((resolve, reject) => {
        if (closed) throw new Error('The catalogue is closed.')
        const slot = free()
        if (!slot || slot.waiting.size >= maxWaiting)
          throw new CatalogueBusy('The catalogue is busy.')
        const id = ++lastId
        // The worker answers each kind with its own type; messages between threads carry none.
        slot.waiting.set(id, { took: meter?.(), resolve, reject })
        if (slot.waiting.size === 1) slot.worker.ref()
        slot.idle.refresh()
        slot.worker.postMessage([id, kind, asked])
      })
    },
    async close() {
      closed = true
      await Promise.all([...slots].map(end))
    },
  }
}

function leastBusy(slots: Iterable<WorkerSlot>): WorkerSlot | undefined {
  let min: WorkerSlot | undefined
  for (const slot of slots) if (!min || slot.waiting.size < min.waiting.size) min = slot
  return min
}

function openSlot(files: IndexFiles, idle: NodeJS.Timeout): WorkerSlot {
  const worker = startThread(new URL('./worker.ts', import.meta.url), files, {
    maxYoungGenerationSizeMb: maxYoungMegabytes,
  })
  // A process stays alive for a question, not for an idle worker.
  worker.unref()
  const waiting = new Map<number, Waiting>()
  worker.on('message', ([id, took, answer, error]: Answer) => {
    const request = waiting.get(id)
    request?.took?.(took)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (error === undefined) request?.resolve(answer)
    else request?.reject(new Error(error))
  })
  let cause = new Error('The catalogue worker stopped.')
  worker.on('error', (error: Error) => {
    cause = error
    process.emitWarning(error)
  })
  worker.on('exit', () => {
    for (const request of waiting.values()) request.reject(cause)
    waiting.clear()
  })
  return { worker, waiting, idle }
}
