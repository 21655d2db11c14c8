import { sql } from 'kysely'
import { newId, type Database, type Records } from '#records/index.ts'
import { query } from '#server/query.ts'
import { identityKey, exportCollections } from './export-records.ts'
import type { ExportedRecord } from './row.ts'

/** What a row of our own export has become, or what was there already. */
export interface RestoredRecord {
  /** Its id in the export. */
  old: string
  id: string
  /** Of a record that was made: how it was then, to be told from one that was changed since. */
  stamp?: string
  /** Of settings: what they were. */
  before?: Record<string, unknown>
}

/** A reader's records by what makes them the same as those of an export, and where those went. */
export class ExportMapping {
  readonly #existing = new Map<string, string[]>()
  readonly #places = new Map<string, string>()

  /**
   * @param results of rows that have been read or applied: their records stand for no other row
   */
  static async open(
    records: Pick<Records, 'recordsOf'>,
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
        }
    return library
  }

  /**
   * Finds a row's place: the same record of the reader, if there is one, or a new id.
   *
   * @param old its id in the export
   * @returns also its values with the ids of this library
   */
  place(
    own: ExportedRecord,
    old: string,
  ): { id: string; isThere: boolean; values: ExportedRecord['values'] } {
    const values = { ...own.values }
    for (const name of ['shelf', 'reading'])
      if (name in values) values[name] = this.#places.get(String(values[name])) ?? ''
    const found = this.#existing.get(identityKey({ ...own, values }))?.shift()
    const id = found ?? newId()
    this.#places.set(old, id)
    return { id, isThere: found !== undefined, values }
  }

  /** Sends what belongs to a record of the export somewhere else. */
  replace(old: string, id: string): void {
    this.#places.set(old, id)
  }
}

/** @returns what the rows of an import have become so far */
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
