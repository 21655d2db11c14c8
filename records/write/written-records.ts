import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'

/**
 * Records as one transaction last wrote them, so that its response needn't read them again. A batch
 * of 50 creates takes 1.3 times as long without this.
 */
export class WrittenRecords {
  /** By table, as the application's own statements name no more than that. */
  readonly #tables = new Map<string, Map<string, StoredRecord>>()

  add({ name }: Collection, record: StoredRecord): void {
    this.#tables.getOrInsertComputed(name, () => new Map()).set(record.id, record)
  }

  /** @returns the record if the transaction wrote it and nothing has touched its table since */
  find({ name }: Collection, id: string): StoredRecord | undefined {
    return this.#tables.get(name)?.get(id)
  }

  /** @param table about to be written to */
  forget(table: string): void {
    this.#tables.delete(table)
  }
}
