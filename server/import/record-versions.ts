import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { pick } from '#server/collections/pick.ts'
import type { LibraryTransaction, Stored, StoredValues } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'

/** The collections of what a book's row can add or change. */
export type MergedCollection = 'user_books' | 'readings' | 'quotes'

/** A record's version, to detect later changes. */
export interface RecordVersion {
  id: string
  updated: string
}

/** A changed record's version, and its earlier values. */
export interface ChangedRecord extends RecordVersion {
  before: Partial<Stored<MergedCollection>>
}

/** The fields that differ between versions of a record. */
type Versioned = Pick<Stored<MergedCollection>, 'id' | 'updated'> & { notes?: string }

export const versionOf = (record: Versioned): RecordVersion => ({
  id: record.id,
  updated: updatedOf(record),
})

/** @returns what differs once its owner has changed a record; `updated` alone leaves out the note */
export function updatedOf({ updated, notes }: Omit<Versioned, 'id'>): string {
  if (!notes) return updated
  return `${updated} ${createHash('sha256').update(notes).digest('base64url').slice(0, 16)}`
}

/** @returns whether the reader has changed any of them since */
export async function haveChanged(
  tx: LibraryTransaction,
  collection: MergedCollection,
  made: readonly RecordVersion[],
): Promise<boolean> {
  for (const { id, updated } of made) {
    const now: Versioned | null = await tx.find(collection, id)
    if (now && updatedOf(now) !== updated) return true
  }
  return false
}

/** Deletes those of the records that are still there. */
export async function deleteAll(
  tx: LibraryTransaction,
  collection: MergedCollection,
  made: readonly RecordVersion[],
): Promise<void> {
  for (const { id } of made) if (await tx.find(collection, id)) await tx.delete(collection, id)
}

/** Changes a record, and notes what it was. */
export async function change(
  tx: LibraryTransaction,
  collection: MergedCollection,
  id: string,
  values: StoredValues<MergedCollection>,
): Promise<ChangedRecord> {
  const record = await tx.find(collection, id)
  const names = [...Object.keys(values), 'updated'] as (keyof Stored<MergedCollection>)[]
  const before = pick(record!, names)
  return { ...versionOf(await tx.update(collection, id, values)), before }
}

/** Gives a record its earlier values back. */
export async function restore(
  tx: LibraryTransaction,
  collection: MergedCollection,
  id: string,
  before: ChangedRecord['before'],
): Promise<void> {
  const { updated, ...values } = before
  await tx.update(collection, id, values)
  // Restore `updated`, too, by which an earlier row's merge detects changes.
  await modify(
    tx,
    collection,
    sql`UPDATE ${sql.table(collection)} SET updated = ${updated} WHERE id = ${id}`,
  )
}
