import { openThreadPool } from '#threads/pool.ts'
import type { Ask, IndexFiles, Questions } from './worker.ts'

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
  const threads = openThreadPool<Ask, unknown>({
    script: new URL('./worker.ts', import.meta.url),
    data: files,
    size,
    idle,
    limits: { maxYoungGenerationSizeMb: maxYoungMegabytes },
    maxWaiting,
    busy: () => new CatalogueBusy('The catalogue is busy.'),
    restartPause,
  })
  const later: (() => void)[] = []
  let isLate = false
  let isClosed = false
  /** Begins the next background work if a thread is free. */
  const beginLater = () => {
    if (isLate || !threads.isFree()) return
    const next = later.shift()
    isLate = next !== undefined
    next?.()
  }
  const pool: SearchPool = {
    async ask<Kind extends keyof Questions>(kind: Kind, asked: Questions[Kind]['asked']) {
      if (isClosed) throw new Error('The catalogue is closed.')
      try {
        // The worker answers each kind with its type, which messages between threads don't carry.
        return (await threads.ask({ kind, asked } as Ask, meter?.())) as Questions[Kind]['answer']
      } finally {
        beginLater()
      }
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
      isClosed = true
      for (const begin of later.splice(0)) begin()
      await threads.close()
    },
  }
  return pool
}
