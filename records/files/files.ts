import { fileKey, thumbFolder } from './names.ts'
import type { FileStorage } from './storage.ts'
import { Thumbs } from './thumbs.ts'

/** The limits on one account's files. */
export interface FileQuota {
  bytes: number
  count: number
}

export const defaultQuota: FileQuota = { bytes: 200 * 1024 * 1024, count: 500 }

/** Uploaded files: their storage, quota and thumbs. */
export class Files {
  readonly storage: FileStorage
  readonly quota: FileQuota
  readonly thumbs: Thumbs
  /** The folder for large forms until their files are stored. Without it they stay in memory. */
  readonly spoolFolder: string | undefined
  readonly #report: (error: unknown) => void
  readonly #pending = new Set<Promise<void>>()

  constructor(
    storage: FileStorage,
    quota: FileQuota,
    report: (error: unknown) => void,
    spoolFolder?: string,
  ) {
    this.storage = storage
    this.quota = quota
    this.spoolFolder = spoolFolder
    this.thumbs = new Thumbs(storage, report)
    this.#report = report
  }

  /** Deletes files that no record names any more, and their thumbs, in the background. */
  remove(collection: string, record: string, names: Iterable<string>): void {
    for (const name of names) this.#background(this.#removeOne(collection, record, name))
  }

  async #removeOne(collection: string, record: string, name: string): Promise<void> {
    await this.storage.delete(fileKey(collection, record, name))
    await this.storage.delete(thumbFolder(collection, record, name))
  }

  /** Waits for background work. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
  }

  /** A file that fails to be deleted is left for `sweepFiles`. */
  #background(work: Promise<void>): void {
    const settled: Promise<void> = work
      .catch(this.#report)
      .finally(() => this.#pending.delete(settled))
    this.#pending.add(settled)
  }
}
