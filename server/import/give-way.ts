import { setTimeout } from 'node:timers/promises'

/** Milliseconds at most. */
const longest = 50

/**
 * Leaves requests as much time as a piece of work has taken: transactions that follow each other at
 * once would let none of them through.
 *
 * @param since when the work began, by `performance.now()`
 */
export async function giveWay(since: number): Promise<void> {
  await setTimeout(Math.min(longest, performance.now() - since))
}
