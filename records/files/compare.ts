import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { query } from '../database/query.ts'
import { fileKey, parseKey } from './names.ts'
import type { FileStorage } from './storage.ts'

/** How the stored files differ from the rows that name them; all are storage keys. */
export interface FileComparison {
  /** The number of files that rows name. */
  named: number
  missing: string[]
  /** Stored files with another size than their row says, such as a copy that was cut short. */
  resized: string[]
  /** Stored files that no row names, thumbs included. */
  unnamed: string[]
}

/**
 * Compares a storage with the database's rows. Uploads and deletions may go on meanwhile.
 *
 * @param age milliseconds before a file without a row counts; longer than any write takes
 */
export async function compareFiles(
  db: Db,
  storage: FileStorage,
  age = 3_600_000,
): Promise<FileComparison> {
  const before = Date.now() - age
  const first = await sizesByKey(db)
  const stored = new Map<string, number>()
  const unnamed: string[] = []
  for await (const { key, size, modified } of storage.list('')) {
    if (first.has(key)) stored.set(key, size)
    else if (modified <= before && !first.has(ownerKey(key))) unnamed.push(key)
  }
  // Files are written before their rows and deleted after them, so a row that exists in both reads
  // must have had its file in between.
  const named = await sizesByKey(db)
  const lasting = [...named].filter(([key]) => first.has(key))
  return {
    named: named.size,
    missing: lasting.filter(([key]) => !stored.has(key)).map(([key]) => key),
    resized: lasting
      .filter(([key, size]) => stored.has(key) && stored.get(key) !== size)
      .map(([key]) => key),
    unnamed: unnamed.filter((key) => !named.has(ownerKey(key))),
  }
}

/** @returns the key of the file that a thumb was made from; for other keys, the key itself */
function ownerKey(key: string): string {
  const owner = parseKey(key)
  return owner ? fileKey(owner.collection, owner.record, owner.name) : key
}

async function sizesByKey(db: Db): Promise<Map<string, number>> {
  const rows = await query(db, sql`SELECT collection, record, name, size FROM _files`)
  return new Map(
    rows.map(([collection, record, name, size]) => [
      fileKey(String(collection), String(record), String(name)),
      Number(size),
    ]),
  )
}
