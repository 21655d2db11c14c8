/**
 * What the work of a transaction found at its beginning is no longer so, and the database would not
 * let it go on: it is run again, and if that does not help the cause is thrown.
 */
export class StaleError extends Error {
  constructor(cause: unknown) {
    super('somebody else was faster', { cause })
    this.name = 'StaleError'
  }
}

/** @returns whether another attempt may succeed: a deadlock, a serialization failure, stale work */
export function isConflict(error: unknown): boolean {
  if (error instanceof StaleError) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '40P01' || code === '40001'
}
