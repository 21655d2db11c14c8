import { openThreadPool, type ThreadPool } from '#threads/pool.ts'
import { threadIdle } from './read-pool.ts'

/** Pages of 4 KB in the log that start a checkpoint. */
const due = 4000
/**
 * SQLite checkpoints by itself from this many pages on, in case the thread has failed. The removal
 * of a very large shelf writes fewer: its commit would block for long.
 */
export const autoCheckpointPages = 100_000

/** Milliseconds before a retry after a failure, such as a full disk. */
const rest = 1000

/**
 * Checkpoints a SQLite database: copies its write-ahead log into its file in a thread, so that
 * neither reads nor writes block. (A commit that checkpoints as well takes twenty times as long.)
 * Once nearly all is copied, the next writes wait for the rest, as SQLite restarts the log only
 * when it has been copied completely.
 */
export class Checkpoints {
  readonly #uncopied: () => number
  readonly #thread: ThreadPool<'copy', boolean>
  #underWay: Promise<void> | undefined
  #isNearlyDone = false
  #restsUntil = 0

  /**
   * @param file path of the database
   * @param uncopied returns the log's pages that aren't in the file yet; called after every commit
   */
  constructor(file: string, uncopied: () => number) {
    const script = new URL('./checkpoint-worker.ts', import.meta.url)
    this.#thread = openThreadPool({ script, data: file, size: 1, idle: threadIdle })
    this.#uncopied = uncopied
  }

  /** Call after every commit: starts a checkpoint if the log has grown long. */
  afterCommit(): void {
    if (this.#underWay || this.#isNearlyDone) return
    if (this.#uncopied() < due || performance.now() < this.#restsUntil) return
    this.#underWay = this.#copy().then((done) => {
      this.#underWay = undefined
      this.#isNearlyDone = done
      if (!done) this.#restsUntil = performance.now() + rest
    })
  }

  /** Await before every write; it usually returns at once. */
  async beforeWrite(): Promise<void> {
    if (!this.#isNearlyDone) return
    await this.#copy()
    this.#isNearlyDone = false
  }

  /** Waits for a checkpoint under way and ends the thread. */
  async close(): Promise<void> {
    await this.#underWay
    await this.#thread.close()
  }

  /** @returns whether it succeeded */
  #copy(): Promise<boolean> {
    return this.#thread.ask('copy').catch(() => false)
  }
}
