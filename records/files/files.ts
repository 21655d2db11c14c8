import { fileKey, thumbFolder } from './names.ts'
import type { FileStorage } from './storage.ts'
import { Thumbs } from './thumbs.ts'

/** What the files of one account may take together. */
export interface FileQuota {
  bytes: number
  count: number
}

export const defaultQuota: FileQuota = { bytes: 200 * 1024 * 1024, count: 500 }

/** Uploaded files, as the rest of the service knows them. */
export class Files {
  readonly storage: FileStorage
  readonly quota: FileQuota
  readonly thumbs: Thumbs
  /** Where large forms are written until their files are stored. Without it they stay in memory. */
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

  /** Removes files that no record has any more, and their thumbs; nobody waits for it. */
  remove(collection: string, record: string, names: Iterable<string>): void {
    for (const name of names) this.#background(this.#removeOne(collection, record, name))
  }

  async #removeOne(collection: string, record: string, name: string): Promise<void> {
    await this.storage.delete(fileKey(collection, record, name))
    await this.storage.delete(thumbFolder(collection, record, name))
  }

  /** Waits for what runs in the background. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
  }

  /** What fails here is left over, and swept up later. */
  #background(work: Promise<void>): void {
    const settled: Promise<void> = work
      .catch(this.#report)
      .finally(() => this.#pending.delete(settled))
    this.#pending.add(settled)
  }
}
