import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'

/** Milliseconds in which failures of one kind are logged once. */
const window = 1000

/** What failed, and where. */
interface Failure {
  err: Error
  method: string
  path: string
}

/**
 * Logs failures that many requests share, such as a lost database. The first of a kind is logged at
 * once, and a second later the number of others under the same id, so that ten thousand failures
 * don't make ten thousand lines.
 *
 * @returns a function that logs a failure and returns its id in the log
 */
export function failureLog(log: Logger): (kind: string, failure: Failure) => string {
  const recent = new Map<string, { id: string; more: number }>()
  return (kind, failure) => {
    const known = recent.get(kind)
    if (known) {
      known.more++
      return known.id
    }
    const first = { id: randomUUID(), more: 0 }
    recent.set(kind, first)
    log.error({ ...failure, request: first.id }, 'request failed')
    setTimeout(() => {
      recent.delete(kind)
      const { id, more } = first
      if (more) log.error({ request: id, more }, 'more requests failed in the same way')
    }, window).unref()
    return first.id
  }
}
