import { sql } from 'kysely'
import { newId, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { query } from '#server/storage/query.ts'
import {
  exportCollections,
  identityKey,
  withOwnRelations,
  type ExportCollection,
} from './export-records.ts'
import type { ExportedRecord } from './row.ts'

/** The record that a row of our own export was restored to, or that was there already. */
export interface RestoredRecord {
  /** Its id in the export. */
  old: string
  id: string
  /** Absent in rows that an earlier version applied; their source has it. */
  collection?: ExportCollection
  /** For a created record: its stamp then, to detect later changes. */
  stamp?: string
  /** For settings: their earlier values. */
  before?: Record<string, unknown>
}

/** Maps the records of an export to a reader's existing records, or to new ids. */
export class ExportMapping {
  readonly #existing = new Map<string, string[]>()
  /** The same by id. */
  readonly #identities = new Map<string, string>()
  readonly #places = new Map<string, string>()

  /** @param results of rows already read or applied, whose records can't match another row */
  static async open(
    records: Pick<LibraryRecords, 'recordsOf'>,
    user: string,
    results: readonly RestoredRecord[],
  ): Promise<ExportMapping> {
    const library = new ExportMapping()
    const claimed = new Set(results.map(({ id }) => id))
    for (const { old, id } of results) library.#places.set(old, id)
    for (const collection of exportCollections)
      for await (const group of records.recordsOf(collection, 'user', user))
        for (const record of group) {
          if (claimed.has(record.id) || collection === 'settings') continue
          const identity = identityKey({ collection, values: record })
          library.#existing.getOrInsertComputed(identity, () => []).push(record.id)
          library.#identities.set(record.id, identity)
        }
    return library
  }

  /**
   * Finds the reader's record that matches a row, or assigns a new id.
   *
   * @param old its id in the export
   * @returns the id, whether it exists, and the row's values with this library's ids
   */
  place(
    own: ExportedRecord,
    old: string,
  ): { id: string; isThere: boolean; values: ExportedRecord['values'] } {
    const values = withOwnRelations(own, (id) => this.#places.get(id))
    const found = this.#takeById(old) ?? this.#take(identityKey({ ...own, values }))
    const id = found ?? newId()
    this.#places.set(old, id)
    return { id, isThere: found !== undefined, values }
  }

  /** A record of this library is the same after it was changed, such as to another edition. */
  #takeById(id: string): string | undefined {
    const identity = this.#identities.get(id)
    return identity === undefined ? undefined : this.#take(identity, id)
  }

  /** Takes a record, so that it matches no other row: the one with an id, or else the first. */
  #take(identity: string, wanted?: string): string | undefined {
    const ids = this.#existing.get(identity) ?? []
    const [id] = ids.splice(wanted === undefined ? 0 : ids.indexOf(wanted), 1)
    if (id !== undefined) this.#identities.delete(id)
    return id
  }

  /** Maps a record of the export to another id, for the rows that refer to it. */
  replace(old: string, id: string): void {
    this.#places.set(old, id)
  }
}

/** @returns the records that an import's rows have been restored to so far */
export async function restoredRecords(database: Database, id: string): Promise<RestoredRecord[]> {
  const rows = await query(
    database,
    sql`SELECT result FROM import_rows WHERE import = ${id} AND state IN ('applied', 'duplicate')`,
  )
  return rows.flatMap(([result]) => {
    const own = (JSON.parse(String(result || 'null')) as { own?: RestoredRecord } | null)?.own
    return own ? [own] : []
  })
}
