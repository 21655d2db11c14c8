import { ApiError } from '../errors.ts'
import { randomKey } from '../random.ts'
import type { RelayedAnswer } from './events.ts'

/** Milliseconds for which another process's answer is waited for. */
const answeredWithin = 5000

/** Questions to other processes that have no answer yet. */
export class Relay {
  readonly #waiting = new Map<string, (answer: RelayedAnswer | undefined) => void>()

  /**
   * @param ask sends a question under the number, which {@link take} is given with the answer
   * @returns undefined if no answer came in time
   * @throws ApiError with what the other process refused with; whatever `ask` throws
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

  take(answer: RelayedAnswer): void {
    this.#waiting.get(answer.number)?.(answer)
  }

  /** No answer that is waited for can come any more. */
  abandon(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined)
  }
}

/** @returns a refusal as it travels between processes; anything else is a failure */
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
