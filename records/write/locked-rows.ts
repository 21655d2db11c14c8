import type { Collection } from '../schema/collection.ts'

/** Rows that a transaction has created or locked, so that it needn't lock them again. */
export class LockedRows {
  readonly #keys = new Set<string>()

  add(collection: Collection, id: string): void {
    this.#keys.add(keyOf(collection, id))
  }

  has(collection: Collection, id: string): boolean {
    return this.#keys.has(keyOf(collection, id))
  }

  delete(collection: Collection, id: string): void {
    this.#keys.delete(keyOf(collection, id))
  }
}

function keyOf(collection: Collection, id: string): string {
  return `${collection.id}/${id}`
}
