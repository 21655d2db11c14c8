import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../errors.ts'
import { Semaphore, SemaphoreFullError } from '../semaphore.ts'

/** argon2id with 19 MiB, two passes, one lane: OWASP's first choice. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Hashes computed at the same time. Each takes 19 MiB and one processor; one processor is left for
 * other requests.
 */
const atOnce = Math.max(1, availableParallelism() - 1)
/** Beyond this, requests are refused instead of waiting for seconds. */
const maxWaiting = 200

const hashes = new Semaphore(atOnce, maxWaiting)

/** @returns the hash to store, which includes its salt and cost */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, cost))
}

/** @returns the hash of a password that nobody knows */
export function randomPassword(): Promise<string> {
  return hashPassword(randomBytes(32).toString('base64url'))
}

let absent: Promise<string> | undefined

/**
 * Compares every byte of the password. Without a stored hash it takes just as long, so that the
 * time doesn't reveal whether the account exists.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const against = stored || (await (absent ??= hash('nobody', cost)))
  const matches = await queued(() => verify(against, password))
  return matches && Boolean(stored)
}

async function queued<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await hashes.run(1, work)
  } catch (error) {
    if (!(error instanceof SemaphoreFullError)) throw error
    throw new ApiError(503, 'The server is busy. Please try again in a moment.', {}, error)
  }
}
