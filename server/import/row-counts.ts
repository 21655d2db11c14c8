import { perTransaction } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import type { ImportRowState } from '#shared/import.ts'

const changes = perTransaction(() => new Map<string, Map<ImportRowState | '', number>>())

/**
 * Updates the import's counts when a row changes its state. They are written once, at the end of
 * the transaction.
 *
 * @param id of the import
 */
export function countRowState(
  tx: LibraryTransaction,
  id: string,
  from: ImportRowState | '',
  to: ImportRowState | '',
): void {
  const imports = changes(tx)
  const counts = imports.getOrInsertComputed(id, () => new Map())
  counts.set(from, (counts.get(from) ?? 0) - 1)
  counts.set(to, (counts.get(to) ?? 0) + 1)
  tx.atEnd(`rows of ${id}`, async () => {
    imports.delete(id)
    await tx.update(
      'imports',
      id,
      Object.fromEntries([...counts].map(([state, by]) => [`${state}+`, by])),
    )
  })
}
