import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'

/** Milliseconds for which troubles of one kind are told as one. */
const together = 1000

/** What failed, and where. */
export interface Failure {
  err: Error
  method: string
  path: string
}

/**
 * Tells what every request meets while something that all of them need is away: the first of a kind
 * is told at once, and a second later how many there have been beside it, under the same id, so that
 * ten thousand failures are not ten thousand lines.
 *
 * @returns a function that tells one, and gives the id it has in the log
 */
export function troubleLog(log: Logger): (kind: string, failure: Failure) => string {
  const telling = new Map<string, { id: string; more: number }>()
  return (kind, failure) => {
    const told = telling.get(kind)
    if (told) {
      told.more++
      return told.id
    }
    const first = { id: randomUUID(), more: 0 }
    telling.set(kind, first)
    log.error({ ...failure, request: first.id }, 'request failed')
    setTimeout(() => {
      telling.delete(kind)
      const { id, more } = first
      if (more) log.error({ request: id, more }, 'more requests failed in the same way')
    }, together).unref()
    return first.id
  }
}
