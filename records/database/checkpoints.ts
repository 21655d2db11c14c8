import { Thread } from './thread.ts'

/** Pages of 4 KB in the log, not yet in the file, from which on they are copied. */
const due = 4000
/** SQLite does it by itself from here on, should the thread that does it have failed. */
export const autoCheckpointPages = 16_000

/** Milliseconds until it is tried again after it failed, such as on a full disk. */
const rest = 1000

/**
 * Copies what a SQLite database's write-ahead log holds into its file, in a thread of its own, so
 * that neither reads nor writes stand still meanwhile: a commit that does it as well takes twenty
 * times as long as another. When nearly all is copied the next writers wait until the rest is: the
 * log only begins anew when nothing is left in it.
 */
export class Checkpoints {
  readonly #file: string
  readonly #uncopied: () => number
  #thread: Thread<'copy', boolean> | undefined
  #underWay: Promise<void> | undefined
  #isNearlyDone = false
  #restsUntil = 0

  /**
   * @param file path of the database
   * @param uncopied pages of the log that are not in the file yet; asked after every commit
   */
  constructor(file: string, uncopied: () => number) {
    this.#file = file
    this.#uncopied = uncopied
  }

  /** To be called after every commit: has the log copied once it is long. */
  afterCommit(): void {
    if (this.#underWay || this.#isNearlyDone) return
    if (this.#uncopied() < due || performance.now() < this.#restsUntil) return
    this.#underWay = this.#copy().then((done) => {
      this.#underWay = undefined
      this.#isNearlyDone = done
      if (!done) this.#restsUntil = performance.now() + rest
    })
  }

  /** To be awaited before every write; most wait for nothing. */
  async beforeWrite(): Promise<void> {
    if (!this.#isNearlyDone) return
    await this.#copy()
    this.#isNearlyDone = false
  }

  /** Waits for what is being copied and ends the thread. */
  async close(): Promise<void> {
    await this.#underWay
    await this.#thread?.end()
  }

  /** @returns whether it was done */
  #copy(): Promise<boolean> {
    this.#thread ??= new Thread(
      new URL('./checkpoint-worker.ts', import.meta.url),
      this.#file,
      () => (this.#thread = undefined),
    )
    return this.#thread.ask('copy').catch(() => false)
  }
}
