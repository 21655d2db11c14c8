import type Stripe from 'stripe'
import { ApiError, type Viewer } from '#records/index.ts'
import type { CheckoutForm } from '#shared/checkout-form.ts'
import { plans, type Period } from '#shared/plan.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { accountOf } from '#server/collections/stored.ts'
import { fieldError } from '#server/http/field-error.ts'
import { linkCustomer, customerOf, deleteCustomer, scheduleRefresh } from './customers.ts'
import { planOf } from './plan.ts'
import { orProviderError, isMissing, isInvalidRequest } from './provider.ts'
import { refreshCustomer, type Billing } from './refresh.ts'

/** Our name for the product, the same at every checkout. */
const product = 'octavo_premium'

/**
 * Milliseconds after which a checkout is checked if nobody returns from it and no message comes.
 */
const forgotten = 10 * 60 * 1000

/**
 * Opens a checkout for a reader and closes their earlier ones, so that nobody pays twice.
 *
 * @param appUrl the site's address, to return to
 * @returns the address to pay at
 * @throws ApiError 409 if they have premium or the code is invalid, 502 if the provider doesn't
 *   answer
 */
export async function openCheckout(
  billing: Billing,
  viewer: Viewer,
  { product_name: period, discount_code: code }: CheckoutForm,
  appUrl: string,
): Promise<string> {
  const { id: user, email } = accountOf(viewer)
  return orProviderError(open(2))

  async function open(tries: number): Promise<string> {
    const { provider } = billing
    const known = await customerOf(billing.database, user)
    if (known) await refreshCustomer(billing, known)
    if ((await planOf(billing.database, user, 'free')) === 'premium')
      throw new ApiError(409, answers.premiumAlready)
    const discounts = code ? await discountsOf(provider, code) : undefined
    const customer = known ?? (await makeCustomer(billing, user, email))
    try {
      await closeOpen(provider, customer)
      const session = await createSession(provider, {
        mode: 'subscription',
        customer,
        client_reference_id: user,
        line_items: [{ quantity: 1, price_data: priceOf(period) }],
        ...(discounts ? { discounts } : { allow_promotion_codes: true }),
        success_url: `${appUrl}/api/v1/subscriptions/return`,
        cancel_url: `${appUrl}/pricing`,
      })
      const due = new Date(billing.now().getTime() + forgotten)
      await billing.records.write((tx) => scheduleRefresh(tx, customer, due))
      return session.url ?? ''
    } catch (error) {
      if (code && isRefused(error, 'discounts')) throw noSuchCode(error)
      // Deleted by hand at the provider: create a new customer.
      if (tries <= 1 || !isMissing(error, 'customer')) throw error
      await billing.records.write((tx) => deleteCustomer(tx, customer))
      return open(tries - 1)
    }
  }
}

function priceOf(period: Period) {
  const interval = period === 'monthly' ? 'month' : 'year'
  const unit_amount = plans.premium[period] * 100
  return { currency: 'usd', product, unit_amount, recurring: { interval } } as const
}

async function makeCustomer(billing: Billing, user: string, email: string): Promise<string> {
  const made = await billing.provider.customers.create({ email, metadata: { user } })
  const now = billing.now()
  const bound = await billing.records.write((tx) => linkCustomer(tx, made.id, user, now))
  if (!bound) throw new ApiError(401)
  return bound
}

async function closeOpen(provider: Stripe, customer: string): Promise<void> {
  const open = await provider.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const { id } of open.data) await provider.checkout.sessions.expire(id)
}

async function createSession(
  provider: Stripe,
  session: Stripe.Checkout.SessionCreateParams,
): Promise<Stripe.Checkout.Session> {
  try {
    return await provider.checkout.sessions.create(session)
  } catch (error) {
    if (!isMissing(error, 'product')) throw error
  }
  // The site's first sale: create the product.
  try {
    await provider.products.create({ id: product, name: `Octavo ${plans.premium.name}` })
  } catch (error) {
    // Another first sale may have created it at the same moment.
    if (!isInvalidRequest(error)) throw error
  }
  return provider.checkout.sessions.create(session)
}

async function discountsOf(provider: Stripe, code: string) {
  const { data } = await provider.promotionCodes.list({ code, active: true, limit: 1 })
  if (!data[0]) throw noSuchCode()
  return [{ promotion_code: data[0].id }]
}

const isRefused = (error: unknown, param: string) =>
  isInvalidRequest(error) && error.param?.startsWith(param)

function noSuchCode(cause?: unknown): ApiError {
  const error = fieldError('discountCode', {}, 'validation_invalid')
  return new ApiError(409, error.message, { discount_code: error }, cause)
}

/**
 * Opens the provider's page for changing the card, cancelling and invoices.
 *
 * @throws ApiError 409 for a reader who never subscribed, 502 if the provider does not answer
 */
export async function openPortal(
  { database, provider }: Billing,
  { id }: Viewer,
  appUrl: string,
): Promise<string> {
  const customer = await customerOf(database, id)
  if (!customer) throw new ApiError(409, answers.noSubscription)
  const session = await orProviderError(
    provider.billingPortal.sessions.create({
      customer,
      return_url: `${appUrl}/api/v1/subscriptions/return`,
    }),
  )
  return session.url
}
