/** Milliseconds between looks at the clock. */
const lookEvery = 1000

/** A process that looks as much later as this was stopped, or its machine slept. */
const shortest = 5000

/** Pauses to keep track of, newest first. */
const most = 20

/**
 * Knows when this process stood still. Requests that came meanwhile are answered afterwards, and
 * aren't late.
 */
export class Pauses {
  #last = Date.now()
  #pauses: { from: number; until: number }[] = []
  readonly #timer = setInterval(() => this.#look(), lookEvery).unref()

  /** @returns the milliseconds of pauses since a time */
  since(time: number): number {
    // The first requests after a pause come before the timer does.
    this.#look()
    const lengths = this.#pauses.map(({ from, until }) => until - Math.max(from, time))
    return lengths.reduce((sum, length) => sum + Math.max(0, length), 0)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = Date.now()
    if (now - this.#last >= shortest)
      this.#pauses = [{ from: this.#last, until: now }, ...this.#pauses].slice(0, most)
    this.#last = now
  }
}
