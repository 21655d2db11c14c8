import { getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of a worker thread, and of threads it starts, below the thread that answers
 * requests.
 *
 * A process that runs at a lower one already keeps it, as only root may raise it.
 *
 * @param niceness 0 to 19; every 3 steps halve the share of the processor
 */
export function yieldToRequests(niceness: number): void {
  // Only Linux has priorities for threads; elsewhere this would change the whole process.
  if (process.platform === 'linux') setPriority(Math.max(getPriority(), niceness))
}
