import { Worker } from 'node:worker_threads'

/** Pages of 4 KB in the log, not yet in the file, from which on they are copied. */
const due = 4000
/** SQLite does it by itself from here on, should the thread that does it have failed. */
export const overdue = 16_000

/** Milliseconds until it is tried again after it failed, such as on a full disk. */
const rest = 1000

/** What the thread is asked: to copy while others write, or what is left while nobody does. */
export type Errand = 'copy' | 'finish'

/** Pages in the log and how many of them are in the file, too, as SQLite tells them. */
export type Progress = { log: number; copied: number }

/**
 * Copies what a SQLite database's write-ahead log holds into its file, in a thread of its own, so
 * that neither reads nor writes stand still meanwhile: a commit that does it as well takes twenty
 * times as long as another. When nearly all is copied the next writers wait until the rest is: the
 * log only begins anew when nothing is left in it.
 */
export class Checkpoints {
  readonly #file: string
  readonly #progress: () => Progress
  #worker: Worker | undefined
  #underWay: Promise<void> | undefined
  #isNearlyDone = false
  #restsUntil = 0

  /**
   * @param file path of the database
   * @param progress asked after every commit
   */
  constructor(file: string, progress: () => Progress) {
    this.#file = file
    this.#progress = progress
  }

  /** To be called after every commit: has the log copied once it is long. */
  committed(): void {
    if (this.#underWay || this.#isNearlyDone) return
    const { log, copied } = this.#progress()
    if (log - copied < due || performance.now() < this.#restsUntil) return
    this.#underWay = this.#send('copy').then((done) => {
      this.#underWay = undefined
      this.#isNearlyDone = done
      if (!done) this.#restsUntil = performance.now() + rest
    })
  }

  /** To be awaited before every write; most wait for nothing. */
  async room(): Promise<void> {
    if (!this.#isNearlyDone) return
    await this.#send('finish')
    this.#isNearlyDone = false
  }

  /** Waits for what is being copied and ends the thread. */
  async close(): Promise<void> {
    await this.#underWay
    await this.#worker?.terminate()
  }

  /** @returns whether it was done */
  #send(errand: Errand): Promise<boolean> {
    const worker = (this.#worker ??= this.#open())
    return new Promise((resolve) => {
      worker.ref()
      const settle = (done: boolean) => {
        worker.off('message', settle).off('exit', failed)
        // A process stays alive for what is being copied, not for an idle thread.
        worker.unref()
        resolve(done)
      }
      const failed = () => settle(false)
      worker.on('message', settle).on('exit', failed)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(errand)
    })
  }

  #open(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: this.#file,
      execArgv: [],
      env: {},
    })
    worker.on('error', (error: Error) => process.emitWarning(error))
    worker.on('exit', () => (this.#worker = undefined))
    return worker
  }
}
