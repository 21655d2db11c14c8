/**
 * Data that a transaction read at its start has changed. The work is run again; if that doesn't
 * help, the cause is thrown.
 */
export class StaleError extends Error {
  constructor(cause: unknown) {
    super('the data read at the start has changed', { cause })
    this.name = 'StaleError'
  }
}

/** @returns whether another attempt may succeed: after a deadlock, a serialization failure or stale data */
export function isConflict(error: unknown): boolean {
  if (error instanceof StaleError) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '40P01' || code === '40001'
}
