import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { readConfig, type Config } from '#server/settings/config.ts'
import { errorHandler } from '#server/http/errors.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openStripe, type StripeStandIn } from '#tests/stripe.ts'
import { dueCustomers } from './sync-customers.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import { openProvider } from './provider.ts'
import { subscriptionRoutes, webhookRoutes } from './routes.ts'
import type { Billing } from './refresh.ts'

const appUrl = 'http://localhost:3000'
const silent = pino({ level: 'silent' })
const hour = 60 * 60 * 1000

describeMigratedDatabases('billing', (open) => {
  let fixture: Fixture
  let stripe: StripeStandIn
  let reader: Reader
  let billing: Billing
  let clock: number

  beforeEach(async () => {
    clock = Date.now()
    stripe = await openStripe({ SPRING: 50 })
    stripe.now = () => clock
    onTestFinished(() => stripe.close())
    fixture = await openFixture(await open(), () => new Date(clock))
    onTestFinished(() => fixture.close())
    const config = configured()
    const provider = await openProvider(config.stripe!)
    // Its second try comes at once.
    provider.getInitialNetworkRetryDelay = () => 0.01
    billing = {
      database: fixture.database,
      records: fixture.records,
      provider,
      now: () => new Date(clock),
    }
    reader = await fixture.reader('reader')
  })

  const configured = () =>
    readConfig({
      STRIPE_SECRET_KEY: stripe.key,
      STRIPE_WEBHOOK_SECRET: stripe.secret,
      STRIPE_API_URL: stripe.url,
    })

  function app(config: Config = configured()) {
    const hono = new Hono()
    const on = config.stripe && billing
    hono.route('/api/v1', webhookRoutes(on, config))
    hono.route('/api/v1', subscriptionRoutes(fixture.records, on, { appUrl }))
    return hono.onError(errorHandler(silent))
  }

  async function ask(path: string, body?: object, who: Reader | null = reader, config?: Config) {
    const answer = await app(config).request(`/api/v1/subscriptions/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(who && { Authorization: who.client.authStore.token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = (await answer.json()) as { data: unknown; message?: string }
    return { status: answer.status, data: json.data, message: json.message }
  }

  async function hear({ payload, signature }: { payload: string; signature?: string }) {
    const answer = await app().request('/api/v1/stripe/webhook', {
      method: 'POST',
      headers: signature === undefined ? {} : { 'Stripe-Signature': signature },
      body: payload,
    })
    return answer.status
  }

  /** The reader's subscription as their client sees it; undefined for none. */
  async function subscription(of: Reader = reader) {
    const [own] = await of.client
      .collection('subscriptions')
      .getFullList<{ id: string; status: string; ends: string; pay_by: string }>()
    return own
  }
  const status = async (of?: Reader) => (await subscription(of))?.status

  /** Makes the reader a customer, by opening a checkout. */
  async function customer(of: Reader = reader): Promise<string> {
    expect((await ask('create', { product_name: 'monthly' }, of)).status).toBe(200)
    return String(stripe.all('checkout.session')[0]?.customer)
  }

  const write = <T>(work: (tx: LibraryTransaction) => Promise<T>) => fixture.records.write(work)

  describe('a checkout', () => {
    test('is for the price of the period, for the reader and back to us', async () => {
      const { data } = await ask('create', { product_name: 'yearly', discount_code: ' spring' })
      const [session] = stripe.all('checkout.session')
      expect(data).toBe(`${stripe.url}/pay/${session?.id}`)
      expect(session).toMatchObject({
        mode: 'subscription',
        client_reference_id: reader.id,
        discounts: { 0: { promotion_code: 'promo_SPRING' } },
        line_items: {
          0: {
            quantity: '1',
            price_data: {
              currency: 'usd',
              unit_amount: '4900',
              product: 'octavo_premium',
              recurring: { interval: 'year' },
            },
          },
        },
        success_url: `${appUrl}/api/v1/subscriptions/return`,
        cancel_url: `${appUrl}/pricing`,
      })
      expect(stripe.all('customer')).toMatchObject([{ email: reader.email }])
      // Nobody pays twice because of two tabs.
      await ask('create', { product_name: 'monthly' })
      expect(stripe.all('checkout.session').map((one) => one['status'])).toEqual([
        'open',
        'expired',
      ])
      expect(stripe.all('customer')).toHaveLength(1)
    })

    test('is refused for a code that is none, a product that is none, and to visitors', async () => {
      expect(await ask('create', { product_name: 'monthly', discount_code: 'FREE' })).toEqual({
        status: 409,
        message: 'This discount code is not valid.',
        data: { discount_code: expect.objectContaining({ code: 'validation_invalid' }) as unknown },
      })
      expect((await ask('create', { product_name: 'weekly' })).data).toHaveProperty('product_name')
      expect((await ask('create', {}, null)).status).toBe(401)
      expect((await ask('billing', undefined, null)).status).toBe(401)
      expect((await ask('billing')).message).toBe('You have no subscription to manage.')
      expect(stripe.all('checkout.session')).toEqual([])
    })

    test('is refused to a reader with premium, even before we hear of it', async () => {
      stripe.sell(await customer())
      const again = await ask('create', { product_name: 'monthly' })
      expect(again.status).toBe(409)
      expect(again.message).toMatch(/^You already have Premium Scholar/)
      expect(await status()).toBe('active')
    })

    test('asked for at once makes one customer of ours; the other is cleared away', async () => {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => ask('create', { product_name: 'monthly' })),
      )
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
      await runAllJobs(dueCustomers(billing, silent))
      const kept = stripe.all('customer').filter((one) => !one['deleted'])
      expect(kept).toHaveLength(1)
      expect(stripe.all('checkout.session')[0]?.customer).toBe(kept[0]?.id)
    })

    test('goes on for a customer that was deleted at the provider', async () => {
      const old = await customer()
      await billing.provider.customers.del(old)
      expect(await customer()).not.toBe(old)
    })

    test('needs keys, and says when the provider is away', async () => {
      const none = await ask('create', { product_name: 'monthly' }, reader, readConfig({}))
      expect(none).toMatchObject({ status: 503, message: 'This site doesn’t take payments.' })
      stripe.isDown = true
      const away = await ask('create', { product_name: 'monthly' })
      expect(away.status).toBe(502)
      expect(away.message).toMatch(/^The payment provider cannot be reached/)
    })
  })

  describe('messages', () => {
    const attacks: Record<string, (body: string) => { payload: string; signature?: string }> = {
      'without a signature': (payload) => ({ payload }),
      'with an empty signature': (payload) => ({ payload, signature: '' }),
      'signed with another secret': (payload) => stripe.signed(payload, now(), 'whsec_other'),
      'signed with no secret': (payload) => stripe.signed(payload, now(), ''),
      'of 301 seconds ago': (payload) => stripe.signed(payload, now() - 301),
      'of 302 seconds ahead': (payload) => stripe.signed(payload, now() + 302),
      'of another scheme': (payload) => {
        const { signature } = stripe.signed(payload)
        return { payload, signature: signature.replace('v1=', 'v0=') }
      },
      'with a time that is not what was signed': (payload) => {
        const { signature } = stripe.signed(payload, now() - 3600)
        return { payload, signature: signature.replace(/t=\d+/, `t=${now()}`) }
      },
      'of which a byte was changed': (payload) => ({
        ...stripe.signed(payload),
        payload: payload.replace('cus_', 'cus-'),
      }),
      'with a byte more': (payload) => ({ ...stripe.signed(payload), payload: `${payload} ` }),
      'with a mark before it': (payload) => ({
        ...stripe.signed(payload),
        payload: `\uFEFF${payload}`,
      }),
      'of real money, to who takes none': (payload) =>
        stripe.signed(payload.replace('"livemode":false', '"livemode":true')),
      'of no shape': () => stripe.signed('{"id":"evt_1"}'),
    }
    const now = () => Math.floor(clock / 1000)

    test.each(Object.keys(attacks))('%s are refused and change nothing', async (name) => {
      const bought = stripe.sell(await customer())
      const { payload } = stripe.message('customer.subscription.created', bought)
      expect(await hear(attacks[name]!(payload))).toBe(400)
      expect(await status()).toBeUndefined()
      expect(await hear(stripe.signed(payload))).toBe(200)
      expect(await status()).toBe('active')
    })

    test('are refused by a server without a secret', async () => {
      const bought = stripe.sell(await customer())
      const { payload, signature } = stripe.message('customer.subscription.created', bought)
      const answer = await app(readConfig({})).request('/api/v1/stripe/webhook', {
        method: 'POST',
        headers: { 'Stripe-Signature': signature },
        body: payload,
      })
      expect(answer.status).toBe(503)
      expect(await status()).toBeUndefined()
    })

    test('have their effect once, however often they come', async () => {
      const bought = stripe.sell(await customer())
      const message = stripe.message('customer.subscription.created', bought)
      const many = await Promise.all(Array.from({ length: 8 }, () => hear(message)))
      expect(new Set(many)).toEqual(new Set([200]))
      expect(await status()).toBe('active')
      // Played back after the reader's record was changed by hand, it does nothing.
      const { id } = (await subscription())!
      await write((tx) => tx.update('subscriptions', id, { status: 'by hand' }))
      const calls = stripe.asked.length
      expect(await hear(message)).toBe(200)
      expect(await status()).toBe('by hand')
      expect(stripe.asked).toHaveLength(calls)
    })

    test("about another's customer, or nobody's, change nothing for the reader", async () => {
      const other = await fixture.reader('other')
      await customer()
      const theirs = stripe.sell(await customer(other))
      // What it claims of the reader is not what we know.
      const claims = { ...theirs, metadata: { user: reader.id }, client_reference_id: reader.id }
      expect(await hear(stripe.message('customer.subscription.created', claims))).toBe(200)
      expect([await status(), await status(other)]).toEqual([undefined, 'active'])
      const stranger = { ...theirs, customer: 'cus_of_another_shop' }
      expect(await hear(stripe.message('customer.subscription.created', stranger))).toBe(200)
      expect(await status()).toBeUndefined()
    })

    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    test.each(orders)('in the order %i %i %i end where the provider stands', async (...order) => {
      const bought = stripe.sell(await customer())
      const told = [
        stripe.message('customer.subscription.created', { ...bought }),
        stripe.message('invoice.payment_failed', { ...bought, status: 'past_due' }),
        stripe.message('customer.subscription.deleted', { ...bought, status: 'canceled' }),
      ]
      bought['status'] = 'canceled'
      for (const place of order) await hear(told[place]!)
      expect(await status()).not.toBe('active')
      bought['status'] = 'active'
      await Promise.all(
        ['a', 'b', 'c'].map((type) => hear(stripe.message(`invoice.${type}`, bought))),
      )
      expect(await status()).toBe('active')
    })

    test('that cannot be acted on now are asked for again', async () => {
      const bought = stripe.sell(await customer())
      const message = stripe.message('customer.subscription.created', bought)
      stripe.isDown = true
      expect(await hear(message)).toBe(503)
      expect(await status()).toBeUndefined()
      stripe.isDown = false
      expect(await hear(message)).toBe(200)
      expect(await status()).toBe('active')
    })
  })

  describe('a subscription', () => {
    async function subscribe() {
      const bought = stripe.sell(await customer())
      await hear(stripe.message('customer.subscription.created', bought))
      expect(await status()).toBe('active')
      return bought
    }

    test('lasts until its end when it is cancelled; then the sixth shelf waits', async () => {
      const bought = await subscribe()
      for (let n = 0; n < 6; n++) await addShelf(reader, `Shelf ${n}`)
      bought['cancel_at_period_end'] = true
      await hear(stripe.message('customer.subscription.updated', bought))
      const { ends } = (await subscription())!
      expect(Date.parse(ends)).toBeGreaterThan(clock)
      bought['status'] = 'canceled'
      await hear(stripe.message('customer.subscription.deleted', bought))
      expect(await status()).toBe('canceled')
      expect(await reader.client.collection('bookshelves').getFullList()).toHaveLength(6)
      await expect(addShelf(reader, 'The seventh')).rejects.toMatchObject({
        response: { message: answers.shelfLimit },
      })
    })

    test('keeps the price it began with: after a checkout we change none', async () => {
      const bought = await subscribe()
      await hear(stripe.message('invoice.paid', bought))
      await runAllJobs(dueCustomers(billing, silent))
      await ask('billing')
      bought['status'] = 'canceled'
      await hear(stripe.message('customer.subscription.deleted', bought))
      const changes = stripe.asked.filter(({ method }) => method === 'POST')
      expect(new Set(changes.map(({ path }) => path.split('/')[2]))).toEqual(
        new Set(['customers', 'checkout', 'products', 'billing_portal']),
      )
    })

    test('gives a colour of their own, which is kept when it ends, and cannot be changed', async () => {
      const settings = reader.client.collection('settings')
      const { id } = await settings.getFirstListItem('')
      const refusal = {
        response: {
          data: { accent: { message: 'Choosing a colour is part of Premium Scholar.' } },
        },
      }
      await expect(settings.update(id, { accent: 'forest' })).rejects.toMatchObject(refusal)
      const bought = await subscribe()
      await expect(settings.update(id, { accent: 'pink' })).rejects.toMatchObject({ status: 400 })
      expect(await settings.update(id, { accent: 'forest' })).toMatchObject({ accent: 'forest' })
      bought['status'] = 'canceled'
      await hear(stripe.message('customer.subscription.deleted', bought))
      await expect(settings.update(id, { accent: 'plum' })).rejects.toMatchObject(refusal)
      const other = { isPrivate: true, accent: 'forest' }
      expect(await settings.update(id, other)).toMatchObject(other)
      expect(await settings.update(id, { accent: 'rubric' })).toMatchObject({ accent: 'rubric' })
    })

    test('R18: ends by itself 72 hours after a payment failed, unless it is made', async () => {
      const bought = await subscribe()
      bought['status'] = 'past_due'
      await hear(stripe.message('invoice.payment_failed', bought))
      expect(await status()).toBe('active')
      expect(Date.parse((await subscription())!.pay_by)).toBe(clock + 72 * hour)
      clock += 71 * hour
      await hear(stripe.message('invoice.payment_failed', bought))
      await runAllJobs(dueCustomers(billing, silent))
      expect(await status()).toBe('active')
      clock += hour
      await runAllJobs(dueCustomers(billing, silent))
      expect(await subscription()).toMatchObject({ status: 'past_due', pay_by: '' })
      bought['status'] = 'active'
      await hear(stripe.message('invoice.paid', bought))
      expect(await status()).toBe('active')
    })

    test('R18: is not touched while the provider is away, however long', async () => {
      await subscribe()
      stripe.isDown = true
      for (let n = 0; n < 3; n++) {
        clock += 40 * 24 * hour
        await runAllJobs(dueCustomers(billing, silent))
      }
      // Longer than a session of the reader's lasts.
      const stored = async () =>
        (await fixture.database.query('SELECT status FROM subscriptions')).flat()
      expect(await stored()).toEqual(['active'])
      stripe.isDown = false
      Object.assign(stripe.all('subscription')[0]!, { status: 'canceled' })
      clock += hour
      await runAllJobs(dueCustomers(billing, silent))
      expect(await stored()).toEqual(['canceled'])
    })

    test('ends when its money was given back in full, and not for a part of it', async () => {
      const bought = await subscribe()
      const [charge] = stripe.all('charge')
      await hear(stripe.message('charge.refunded', charge!))
      expect(await status()).toBe('active')
      charge!['refunded'] = true
      bought['latest_invoice'] = 'in_later'
      await hear(stripe.message('charge.refunded', charge!))
      expect(await status()).toBe('active')
      bought['latest_invoice'] = stripe.all('invoice')[0]!.id
      await hear(stripe.message('charge.refunded', charge!))
      expect(await status()).toBe('canceled')
      expect(bought['status']).toBe('canceled')
    })

    test('ends at the provider with the account, also if it is away just then', async () => {
      const bought = await subscribe()
      stripe.isDown = true
      await reader.client.collection('users').delete(reader.id)
      await runAllJobs(dueCustomers(billing, silent))
      expect(bought['status']).toBe('active')
      stripe.isDown = false
      clock += hour
      await runAllJobs(dueCustomers(billing, silent))
      expect(bought['status']).toBe('canceled')
      expect(stripe.all('customer')).toMatchObject([{ deleted: true }])
      // What it still tells of them is about nobody.
      expect(await hear(stripe.message('customer.subscription.deleted', bought))).toBe(200)
    })

    test('is up to date for a browser that comes back before the message', async () => {
      stripe.sell(await customer())
      const back = (who?: Reader) =>
        app().request('/api/v1/subscriptions/return', {
          headers: who ? { Authorization: who.client.authStore.token } : {},
        })
      expect((await back()).headers.get('location')).toBe(`${appUrl}/account/settings`)
      expect(await status()).toBeUndefined()
      const answer = await back(reader)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `${appUrl}/account/settings`,
      ])
      expect(await status()).toBe('active')
      // Who cannot be asked now tells it later.
      stripe.isDown = true
      expect((await back(reader)).status).toBe(303)
      expect(await status()).toBe('active')
    })

    test('is managed at the provider, by its reader alone', async () => {
      await subscribe()
      const { data } = await ask('billing')
      const [session] = stripe.all('billing_portal.session')
      expect(data).toBe(`${stripe.url}/portal/${session?.id}`)
      expect(session?.customer).toBe(stripe.all('customer')[0]?.id)
      const other = await fixture.reader('other')
      expect((await ask('billing', undefined, other)).status).toBe(409)
      const own = await subscription()
      expect(JSON.stringify(own)).not.toMatch(/cus_|sub_/)
      for (const client of [other.client, fixture.visitor()]) {
        expect((await client.collection('subscriptions').getList()).totalItems).toBe(0)
        for (const table of ['billing_customers', 'billing_events'])
          await expect(client.collection(table).getList()).rejects.toMatchObject({ status: 404 })
        await expect(client.collection('subscriptions').getOne(own!.id)).rejects.toMatchObject({
          status: 404,
        })
      }
    })
  })
})
