import type { Worker } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'
import type { Answer, IndexFiles, Questions } from './worker.ts'

/** Beyond this many waiting requests new ones are refused, so that nobody waits for long. */
const maxWaiting = 500
/** The young generation of a worker's heap in MB; Node's default is 48. */
const maxYoungMegabytes = 16
/** Milliseconds; if a worker dies sooner than this, the next one starts that much later. */
const restartPause = 1000

interface SearchPool {
  /** @throws CatalogueBusy if too many requests wait, an Error if the worker fails */
  ask<Kind extends keyof Questions>(
    kind: Kind,
    asked: Questions[Kind]['asked'],
  ): Promise<Questions[Kind]['answer']>
  /**
   * The same for background work, which runs one request at a time, and only while a thread is
   * free.
   */
  askLater: SearchPool['ask']
  close(): Promise<void>
}

/** Too many requests are waiting; the client can try again in a moment. */
export class CatalogueBusy extends Error {
  override name = 'CatalogueBusy'
}

/**
 * Called with each request; returns a function that receives the processor time of its answer in
 * milliseconds, if it is measured.
 */
export type Meter = () => ((milliseconds: number) => void) | undefined

interface Waiting {
  took: ReturnType<Meter>
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** A worker thread and its pending requests. */
interface WorkerSlot {
  worker: Worker
  waiting: Map<number, Waiting>
  /** Ends the worker after a while without requests. */
  idle: NodeJS.Timeout
}

interface PoolOptions {
  /** The most threads. */
  size: number
  /** Milliseconds after which an idle thread ends, as each takes 15 MB. */
  idle: number
  /** Measures the processor time of each answer. */
  meter?: Meter | undefined
}

/**
 * A pool of worker threads over one index file, so that searches never block the main thread. A
 * thread starts when all others are busy.
 *
 * @param files an index that `buildIndex` wrote, and the file of learnt works
 */
export function openPool(files: IndexFiles, { size, idle, meter }: PoolOptions): SearchPool {
  let lastId = 0
  let closed = false
  let notBefore = -Infinity
  const slots = new Set<WorkerSlot>()
  const end = async (slot: WorkerSlot) => {
    clearTimeout(slot.idle)
    slots.delete(slot)
    await slot.worker.terminate()
  }
  const open = (): WorkerSlot => {
    const since = performance.now()
    const timer = setTimeout(() => {
      if (slot.waiting.size === 0) void end(slot)
      else timer.refresh()
    }, idle).unref()
    const slot = openSlot(files, timer)
    slots.add(slot)
    slot.worker.on('exit', () => {
      clearTimeout(timer)
      // A worker that was ended on purpose is no longer in the set.
      if (slots.delete(slot) && performance.now() - since < restartPause)
        notBefore = performance.now() + restartPause
    })
    return slot
  }
  const free = () => {
    const slot = leastBusy(slots)
    if (slot?.waiting.size === 0 || slots.size === size || performance.now() < notBefore)
      return slot
    return open()
  }
  const later: (() => void)[] = []
  let isLate = false
  /** Begins the next background work if a thread is free. */
  const beginLater = () => {
    const isFree = slots.size < size || leastBusy(slots)?.waiting.size === 0
    if (isLate || !isFree) return
    const next = later.shift()
    isLate = next !== undefined
    next?.()
  }
  const pool: SearchPool = {
    ask<Kind extends keyof Questions>(kind: Kind, asked: Questions[Kind]['asked']) {
      const answer = new Promise<Questions[Kind]['answer']>((resolve, reject) => {
        if (closed) throw new Error('The catalogue is closed.')
        const slot = free()
        if (!slot || slot.waiting.size >= maxWaiting)
          throw new CatalogueBusy('The catalogue is busy.')
        const id = ++lastId
        // The worker answers each kind with its type, which messages between threads don't carry.
        slot.waiting.set(id, { took: meter?.(), resolve, reject })
        if (slot.waiting.size === 1) slot.worker.ref()
        slot.idle.refresh()
        slot.worker.postMessage([id, kind, asked])
      })
      answer.then(beginLater, beginLater)
      return answer
    },
    async askLater(kind, asked) {
      await new Promise<void>((begin) => {
        later.push(begin)
        beginLater()
      })
      try {
        return await pool.ask(kind, asked)
      } finally {
        isLate = false
        beginLater()
      }
    },
    async close() {
      closed = true
      for (const begin of later.splice(0)) begin()
      await Promise.all([...slots].map(end))
    },
  }
  return pool
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
  // Only pending requests keep the process alive.
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
