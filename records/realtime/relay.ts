import { ApiError } from '../errors.ts'
import { randomKey } from '../random.ts'
import type { RelayedAnswer } from './events.ts'

/** Milliseconds to wait for another process's answer. */
const answeredWithin = 5000

/** Requests to other processes that await their answer. */
export class Relay {
  readonly #waiting = new Map<string, (answer: RelayedAnswer | undefined) => void>()

  /**
   * @param ask sends a request with this number, which its answer repeats; see {@link take}
   * @returns undefined if no answer came in time
   * @throws ApiError with the other process's refusal, or what `ask` throws
   */
  async ask(ask: (number: string) => Promise<void>): Promise<RelayedAnswer | undefined> {
    const number = randomKey(20)
    const { promise, resolve } = Promise.withResolvers<RelayedAnswer | undefined>()
    const late = setTimeout(() => resolve(undefined), answeredWithin)
    this.#waiting.set(number, resolve)
    try {
      await ask(number)
      const answer = await promise
      if (answer?.refusal) throw fromJson(answer.refusal)
      return answer
    } finally {
      clearTimeout(late)
      this.#waiting.delete(number)
    }
  }

  receive(answer: RelayedAnswer): void {
    this.#waiting.get(answer.number)?.(answer)
  }

  /** Gives up on all answers, as none can arrive any more. */
  abandon(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined)
  }
}

/** @returns the error as sent between processes; anything but an ApiError becomes a 500 */
export function toJson(error: unknown): NonNullable<RelayedAnswer['refusal']> {
  const { status, message, retryAfter } =
    error instanceof ApiError ? error : new ApiError(500, '', {}, error)
  return { status, message, ...(retryAfter !== undefined && { retryAfter }) }
}

function fromJson({
  status,
  message,
  retryAfter,
}: NonNullable<RelayedAnswer['refusal']>): ApiError {
  const error = new ApiError(status, message)
  if (retryAfter !== undefined) error.retryAfter = retryAfter
  return error
}
