import { z } from '@hono/zod-openapi'
import { ApiError } from '#records/index.ts'
import { findCustomer } from './customers.ts'
import { idOf, isProviderError, isLive } from './provider.ts'
import { isKnownEvent, refreshCustomer, type Billing } from './refresh.ts'

/** Seconds by which a message's time may differ from ours. */
const window = 300

const reference = z.union([z.string(), z.object({ id: z.string() })]).nullish()

/** The fields that are read from a message; the rest is fetched from the provider. */
const message = z.object({
  id: z.string().min(1),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({ id: z.string().nullish(), object: z.string(), customer: reference }),
  }),
})

type Message = z.infer<typeof message>

/**
 * Verifies that the payment provider has just sent this message.
 *
 * @param body the unmodified bytes
 * @throws ApiError 400 without a reason
 */
export function verifyWebhook(
  { provider, now }: Pick<Billing, 'provider' | 'now'>,
  body: Uint8Array,
  signature: string | undefined,
  { key, webhookSecret }: { key: string; webhookSecret: string },
): Message {
  const time = now().getTime()
  let event: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    event = provider.webhooks.constructEvent(
      text,
      signature ?? '',
      webhookSecret,
      window,
      undefined,
      time,
    )
  } catch (error) {
    throw new ApiError(400, refused, {}, error)
  }
  const sent = Number(signature?.match(/(?:^|,)t=(\d+)(?!.*,t=)/)?.[1])
  // The library refuses old messages but accepts ones from the future.
  if (!(sent - time / 1000 <= window)) throw new ApiError(400, refused)
  const parsed = message.safeParse(event)
  if (!parsed.success || parsed.data.livemode !== isLive(key)) throw new ApiError(400, refused)
  return parsed.data
}

const refused = 'This message is not accepted.'

/**
 * Handles a message once, however often it arrives. Messages about unknown customers have no
 * effect.
 *
 * @throws ApiError 503 if the provider can't be reached; it sends the message again
 */
export async function handleWebhook(billing: Billing, { id, type, data }: Message): Promise<void> {
  const { object } = data
  const customer = object.object === 'customer' ? object.id : idOf(object.customer)
  if (!customer || !(await findCustomer(billing.database, customer))) return
  if (await isKnownEvent(billing.database, id)) return
  try {
    if (type === 'charge.refunded' && object.id) await endRefunded(billing, object.id, customer)
    await refreshCustomer(billing, customer, id)
  } catch (error) {
    if (!isProviderError(error)) throw error
    throw new ApiError(503, 'The message cannot be acted on now.', {}, error)
  }
}

/**
 * Ends the subscription whose last invoice was refunded in full. Partial refunds and refunds of
 * earlier invoices change nothing.
 */
async function endRefunded({ provider }: Billing, id: string, customer: string): Promise<void> {
  const charge = await provider.charges.retrieve(id)
  const payment_intent = idOf(charge.payment_intent)
  if (!charge.refunded || idOf(charge.customer) !== customer || !payment_intent) return
  const { data } = await provider.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent },
  })
  for (const { invoice } of data) {
    const paid = idOf(invoice)
    const { parent } = paid ? await provider.invoices.retrieve(paid) : { parent: null }
    const bought = idOf(parent?.subscription_details?.subscription)
    if (!bought) continue
    const subscription = await provider.subscriptions.retrieve(bought)
    const isOver = ['canceled', 'incomplete_expired'].includes(subscription.status)
    if (isOver || idOf(subscription.latest_invoice) !== paid) continue
    await provider.subscriptions.cancel(bought)
  }
}
