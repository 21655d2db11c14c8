import { reasonInEnglish } from '#shared/english.ts'
import type { ImportReason } from '#shared/import.ts'

/** An error about a file that can't be read. The message is a sentence for the reader. */
export class ImportError extends Error {
  readonly reason: ImportReason

  constructor(key: ImportReason['key'], params?: ImportReason['params'], cause?: unknown) {
    const reason = { key, ...(params && { params }) }
    super(reasonInEnglish(reason), { cause })
    this.reason = reason
  }
}
