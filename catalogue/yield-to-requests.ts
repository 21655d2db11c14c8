import { setPriority } from 'node:os'

/**
 * Lets the thread that answers requests go first when both want the processor. To be called in a
 * thread of its own; the threads it starts do the same.
 *
 * @param niceness 0 to 19; each 3 steps are about half the share of the processor
 */
export function yieldToRequests(niceness: number): void {
  // On Linux a thread has a priority of its own; elsewhere this would be that of the whole process.
  if (process.platform === 'linux') setPriority(niceness)
}
