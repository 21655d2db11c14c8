import type { OutboxChange } from './outbox-changes.ts'

/**
 * Sends changes in the order they were made. After one that wasn't saved, the later ones of the same
 * book wait; those of other books are sent.
 *
 * @param send saves a change; @returns whether it was saved
 * @throws what `send` throws, and sends nothing after it
 */
export async function sendInOrder(
  changes: readonly OutboxChange[],
  send: (change: OutboxChange) => Promise<boolean>,
): Promise<void> {
  const blocked = new Set<string>()
  for (const change of changes) {
    const book = change.kind === 'edit' ? change.book : change.id
    if (change.problem || blocked.has(book) || !(await send(change))) blocked.add(book)
  }
}
