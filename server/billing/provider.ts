import type Stripe from 'stripe'
import { ApiError } from '#records/index.ts'
import type { Config } from '#server/config.ts'

/**
 * The official client, pointed at where the operator said. Its package takes longer to load than
 * anything else of ours, and is loaded only here: most who run Octavo sell nothing.
 */
export async function openProvider({ key, url }: NonNullable<Config['stripe']>): Promise<Stripe> {
  const { default: Client } = await import('stripe')
  const { protocol, hostname, port } = new URL(url)
  return new Client(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port && { port }),
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Whether the key is for real money; what is told of the other kind is not for us. */
export const isLive = (key: string) => /^[rs]k_live_/.test(key)

/** @returns the id of what comes either as an id or whole */
export function idOf(value: string | { id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}

/** Whether the provider answered with an error, or not at all. */
export function isProviderError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

/** Whether the provider found something wrong with what it was asked. */
export function isInvalidRequest(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return isProviderError(error) && error.type === 'StripeInvalidRequestError'
}

/** Whether the provider says that it has no such thing. @param param narrows it to one it was given */
export function isMissing(error: unknown, param = ''): boolean {
  return (
    isInvalidRequest(error) &&
    error.code === 'resource_missing' &&
    (error.param ?? '').includes(param)
  )
}

/**
 * Waits for an answer that a reader waits for, too.
 *
 * @throws ApiError 502 with a sentence for them when the provider refuses or cannot be reached
 */
export async function orProviderError<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!isProviderError(error)) throw error
    throw new ApiError(502, providerAway, {}, error)
  }
}

const providerAway = 'The payment provider cannot be reached. Please try again in a moment.'
