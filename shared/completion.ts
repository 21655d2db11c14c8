import type { ExternalSource } from './book.ts'

/** `GET /api/v1/account/completion`: the look-up of what a reader's books lack. */
export interface Completion {
  /** Whether this site completes books. */
  isOn: boolean
  /** The other catalogues that are asked. */
  sources: ExternalSource[]
  /** How many of the reader's books wait, or of an import's. */
  waiting: number
}
