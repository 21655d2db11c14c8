import type Stripe from 'stripe'
import { ApiError } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import type { Config } from '#server/settings/config.ts'

/**
 * The official client, with the operator's address. Its package takes longer to load than any
 * other, so it is loaded only here: most sites take no payments.
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

/** Whether the key is a live one; messages of the other mode are ignored. */
export const isLive = (key: string) => /^[rs]k_live_/.test(key)

/** @returns the id of a reference, expanded or not */
export function idOf(value: string | { id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}

/** Whether the provider answered with an error, or not at all. */
export function isProviderError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

/** Whether the provider rejected the request as invalid. */
export function isInvalidRequest(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return isProviderError(error) && error.type === 'StripeInvalidRequestError'
}

/** Whether the provider has no such object. @param param limits this to one parameter */
export function isMissing(error: unknown, param = ''): boolean {
  return (
    isInvalidRequest(error) &&
    error.code === 'resource_missing' &&
    (error.param ?? '').includes(param)
  )
}

/**
 * Awaits a provider call that a reader is waiting for.
 *
 * @throws ApiError 502 with a message for the reader if the provider refuses or can't be reached
 */
export async function orProviderError<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!isProviderError(error)) throw error
    throw new ApiError(502, answers.providerAway, {}, error)
  }
}
