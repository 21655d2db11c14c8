import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from './errors.ts'
import { Semaphore, SemaphoreFullError } from './limits/semaphore.ts'

/** The cost of one argon2id hash. */
export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  /** Passes over the memory. */
  timeCost: number
}

/** The first of the settings that OWASP recommends. */
const defaultCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/**
 * Hashes computed at the same time. Each takes 19 MiB and one processor; one processor is left for
 * other requests.
 */
const concurrency = Math.max(1, availableParallelism() - 1)
/** Beyond this, requests are refused instead of waiting for seconds. */
const maxWaiting = 200

const hashes = new Semaphore(concurrency, maxWaiting)

/** Hashes passwords with argon2id, and compares them. */
export class Passwords {
  readonly #cost: Parameters<typeof hash>[1]
  #absent: Promise<string> | undefined

  constructor(cost = defaultCost) {
    this.#cost = { ...cost, algorithm: 2, parallelism: 1 }
  }

  /** @returns the hash to store, which includes its salt and cost */
  hash(password: string): Promise<string> {
    return queued(() => hash(password, this.#cost))
  }

  /** @returns the hash of a password that nobody knows */
  random(): Promise<string> {
    return this.hash(randomBytes(32).toString('base64url'))
  }

  /**
   * Compares every byte of the password. Without a stored hash it takes just as long, so that the
   * time doesn't reveal whether the account exists.
   */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const against = stored || (await (this.#absent ??= hash('nobody', this.#cost)))
    const matches = await queued(() => verify(against, password))
    return matches && Boolean(stored)
  }
}

async function queued<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await hashes.run(1, work)
  } catch (error) {
    if (!(error instanceof SemaphoreFullError)) throw error
    throw new ApiError(503, 'The server is busy. Please try again in a moment.', {}, error)
  }
}
