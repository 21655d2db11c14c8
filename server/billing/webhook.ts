import { z } from '@hono/zod-openapi'
import { ApiError } from '#records/index.ts'
import { findCustomer } from './customers.ts'
import { idOf, isProviderError, isLive } from './provider.ts'
import { isKnownEvent, refreshCustomer, type Billing } from './refresh.ts'

/** How far a message's time may be from ours, in seconds, either way. */
const window = 300

const reference = z.union([z.string(), z.object({ id: z.string() })]).nullish()

/** All that is read of a message; what it says of the rest is asked for anew. */
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
 * Proves that the payment provider sent a message, and lately.
 *
 * @param body as it came, byte for byte
 * @throws ApiError 400 with nothing about why
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
  // The library refuses what is too old, and takes what comes from the future.
  if (!(sent - time / 1000 <= window)) throw new ApiError(400, refused)
  const parsed = message.safeParse(event)
  if (!parsed.success || parsed.data.livemode !== isLive(key)) throw new ApiError(400, refused)
  return parsed.data
}

const refused = 'This message is not accepted.'

/**
 * Acts on a message, once however often it comes. One about somebody who is none of our customers
 * has no effect.
 *
 * @throws ApiError 503 if the provider cannot be asked now; it sends the message again
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
 * Money that was given back in full buys nothing: the subscription whose last invoice it paid ends.
 * Refunds of a part, and of earlier invoices, leave it as it is.
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
