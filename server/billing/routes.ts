import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { checkoutForm } from '#shared/checkout-form.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import type { Config } from '#server/settings/config.ts'
import { okResponses, apiRouter } from '#server/http/api.ts'
import { NotSetUp } from '#server/http/not-set-up.ts'
import { access, refusalResponses } from '#server/http/openapi.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { openCheckout, openPortal } from './checkout.ts'
import { customerOf } from './customers.ts'
import { isProviderError } from './provider.ts'
import { refreshCustomer, type Billing } from './refresh.ts'
import { verifyWebhook, handleWebhook } from './webhook.ts'

const checkoutRoute = createRoute({
  method: 'post',
  path: '/subscriptions/create',
  summary: 'Opens a checkout for the caller',
  request: {
    body: { required: true, content: { 'application/json': { schema: checkoutForm } } },
  },
  responses: okResponses("The URL of the provider's page", z.url(), 409, 502),
})

const billingRoute = createRoute({
  method: 'post',
  path: '/subscriptions/billing',
  summary: 'Opens the page where the caller manages their subscription',
  responses: okResponses("The URL of the provider's page", z.url(), 409, 502),
})

const returnRoute = createRoute({
  method: 'get',
  path: '/subscriptions/return',
  summary: "The page to which the provider's pages return",
  ...access.everybody,
  responses: {
    303: { description: 'Updates the subscription and redirects to the settings' },
    ...refusalResponses([507]),
  },
})

/**
 * The routes about the caller's subscription; mounted at /api/v1.
 *
 * @param billing undefined where no payments are configured
 */
export function subscriptionRoutes(
  records: Pick<Billing['records'], 'authenticate'>,
  billing: Billing | undefined,
  { appUrl }: Pick<Config, 'appUrl'>,
) {
  const forReaders = readersOnly(records, 'session')
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi({ ...checkoutRoute, ...forReaders }, async (c) => {
      const data = await openCheckout(open(billing), c.get('viewer'), c.req.valid('json'), appUrl)
      return c.json({ data }, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi({ ...billingRoute, ...forReaders }, async (c) => {
      const data = await openPortal(open(billing), c.get('viewer'), appUrl)
      return c.json({ data }, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi(returnRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      if (viewer && billing) await refresh(billing, viewer.id)
      c.header('Cache-Control', 'no-store')
      return c.redirect(`${appUrl}/account/settings`, 303)
    })
}

/**
 * The browser often returns before the provider's message arrives. If this fails, the message will
 * do.
 */
async function refresh(billing: Billing, user: string): Promise<void> {
  const customer = await customerOf(billing.database, user)
  if (!customer) return
  await refreshCustomer(billing, customer).catch((error: unknown) => {
    if (!isProviderError(error)) throw error
  })
}

function open(billing: Billing | undefined): Billing {
  if (!billing) throw new NotSetUp(answers.noPayments)
  return billing
}

const webhookRoute = createRoute({
  method: 'post',
  path: '/stripe/webhook',
  summary: 'Receives signed messages of the payment provider',
  ...access.provider,
  responses: {
    200: {
      description: 'Processed, or not relevant',
      content: { 'application/json': { schema: z.object({ received: z.boolean() }) } },
    },
  },
})

/** The webhook of the payment provider, authenticated by its signature. */
export function webhookRoutes(billing: Billing | undefined, { stripe }: Pick<Config, 'stripe'>) {
  return apiRouter().openapi(webhookRoute, async (c) => {
    if (!billing || !stripe) throw new NotSetUp('No secret is set to check messages with.')
    const body = new Uint8Array(await c.req.arrayBuffer())
    const message = verifyWebhook(billing, body, c.req.header('stripe-signature'), stripe)
    await handleWebhook(billing, message)
    return c.json({ received: true }, 200, { 'Cache-Control': 'no-store' })
  })
}
