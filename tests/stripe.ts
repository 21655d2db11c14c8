import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'

/** A form's fields, nested as their names say: `items[0][price]`. */
interface Form {
  [name: string]: string | Form | undefined
}

interface Thing {
  id: string
  object: string
  customer?: string
  [field: string]: unknown
}

/** The payment provider on this machine: its HTTP API, its pages to pay and manage, its messages. */
export type StripeStandIn = Awaited<ReturnType<typeof openStripe>>

const month = 30 * 24 * 60 * 60

/** Answers that are errors. */
class Refusal extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, message: string, code?: string, param?: string) {
    super(message)
    this.status = status
    this.body = { error: { type: 'invalid_request_error', message, code, param } }
  }
}

const missing = (what: string, id: unknown, param = 'id') =>
  new Refusal(404, `No such ${what}: '${String(id)}'`, 'resource_missing', param)

/** @param codes what readers may type for a discount, with the percent it takes off */
export async function openStripe(codes: Readonly<Record<string, number>> = {}) {
  const key = 'sk_test_for_this_machine'
  const secret = 'whsec_for_this_machine'
  const things = new Map<string, Thing>()
  const answers = new Map<string, string>()
  const asked: { method: string; path: string; form: Form }[] = []
  let count = 0

  function put<T extends Thing>(thing: T): T {
    things.set(thing.id, thing)
    return thing
  }
  const newId = (prefix: string) => `${prefix}_${++count}`
  function find(id: unknown, object: string, param?: string): Thing {
    const thing = things.get(String(id))
    if (thing?.object !== object || thing['deleted']) throw missing(object, id, param)
    return thing
  }
  const all = (object: string, is: (thing: Thing) => boolean) => ({
    object: 'list',
    has_more: false,
    data: [...things.values()].filter((thing) => thing.object === object && is(thing)).toReversed(),
  })

  const standIn = {
    url: '',
    key,
    secret,
    /** Where messages go; none are sent without it. */
    webhook: undefined as string | undefined,
    now: () => Date.now(),
    /** Takes no connection seriously any more. */
    isDown: false,
    /** Everything it was asked, in order. */
    asked,
    /** All it has of a kind, the newest first. */
    all: (object: string) => all(object, () => true).data,
    /** A message as it is sent, signed. */
    message(type: string, object: Thing) {
      const event = { id: newId('evt'), object: 'event', type, livemode: false, data: { object } }
      return this.signed(JSON.stringify(event))
    },
    signed(payload: string, at?: number, by = secret) {
      const timestamp = at ?? Math.floor(this.now() / 1000)
      const options = { payload, secret: by, timestamp }
      return { payload, signature: Stripe.webhooks.generateTestHeaderString(options) }
    },
    /** Sends a message to where they go. */
    async tell(type: string, object: Thing): Promise<void> {
      if (!this.webhook) return
      const { payload, signature } = this.message(type, object)
      const headers = { 'Stripe-Signature': signature, 'Content-Type': 'application/json' }
      const answer = await fetch(this.webhook, { method: 'POST', body: payload, headers })
      if (!answer.ok) throw new Error(`${type}: ${answer.status} ${await answer.text()}`)
    },
    /** Has a customer buy; tells nothing. */
    sell(customer: string, interval = 'month', fields: object = {}): Thing {
      const start = Math.floor(this.now() / 1000)
      const payment_intent = newId('pi')
      const subscription = newId('sub')
      const parent = { type: 'subscription_details', subscription_details: { subscription } }
      const invoice = put({ id: newId('in'), object: 'invoice', customer, parent })
      put({ id: newId('ch'), object: 'charge', customer, payment_intent, refunded: false })
      const payment = { type: 'payment_intent', payment_intent }
      put({ id: newId('inpay'), object: 'invoice_payment', invoice: invoice.id, payment })
      const end = start + (interval === 'year' ? 12 : 1) * month
      return put({
        id: subscription,
        object: 'subscription',
        customer,
        status: 'active',
        created: start + count,
        cancel_at: null,
        cancel_at_period_end: false,
        latest_invoice: invoice.id,
        items: { object: 'list', data: [{ current_period_end: end }] },
        ...fields,
      })
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function cancel(subscription: Thing): Promise<Thing> {
    subscription['status'] = 'canceled'
    await standIn.tell('customer.subscription.deleted', subscription)
    return subscription
  }

  /** @returns undefined for an address the API does not have */
  function answer(method: string, path: string, form: Form): unknown {
    const [, , kind, id, deed] = path.split('/')
    switch (`${method} ${path.replace(id ?? '-', ':id')}`) {
      case 'POST /v1/customers':
        return put({ id: newId('cus'), object: 'customer', email: form['email'] })
      case 'DELETE /v1/customers/:id': {
        const customer = find(id, 'customer')
        for (const one of all('subscription', (thing) => thing.customer === id).data)
          one['status'] = 'canceled'
        customer['deleted'] = true
        return { id, object: 'customer', deleted: true }
      }
      case 'GET /v1/subscriptions':
        find(form['customer'], 'customer', 'customer')
        return all('subscription', (thing) => thing.customer === form['customer'])
      case 'GET /v1/subscriptions/:id':
        return find(id, 'subscription')
      case 'DELETE /v1/subscriptions/:id':
        return cancel(find(id, 'subscription'))
      case 'GET /v1/promotion_codes': {
        const code = word(form['code'])
        const found = codes[code] === undefined ? [] : [{ id: `promo_${code}`, code }]
        return { object: 'list', has_more: false, data: found }
      }
      case 'POST /v1/products':
        if (things.has(word(form['id']))) throw new Refusal(400, 'Product already exists.')
        return put({ object: 'product', ...form, id: word(form['id']) })
      case 'GET /v1/charges/:id':
        return find(id, 'charge')
      case 'GET /v1/invoices/:id':
        return find(id, 'invoice')
      case 'GET /v1/invoice_payments': {
        const { payment_intent } = form['payment'] as Form
        const isIts = (thing: Thing) =>
          (thing['payment'] as Form)['payment_intent'] === payment_intent
        return all('invoice_payment', isIts)
      }
    }
    if (kind === 'checkout') return checkout(method, deed, path.split('/')[5], form)
    if (path === '/v1/billing_portal/sessions') return openPortal(form)
    return undefined
  }

  function checkout(method: string, id: string | undefined, deed: string | undefined, form: Form) {
    if (method === 'GET')
      return all(
        'checkout.session',
        (thing) => thing.customer === form['customer'] && thing['status'] === form['status'],
      )
    if (deed === 'expire') return Object.assign(find(id, 'checkout.session'), { status: 'expired' })
    const { id: customer } = find(form['customer'], 'customer', 'customer')
    const item = (form['line_items'] as Form)['0'] as Form
    const price = item['price_data'] as Form
    find(price['product'], 'product', 'line_items[0][price_data][product]')
    const session = newId('cs')
    const url = `${standIn.url}/pay/${session}`
    return put({ ...form, id: session, object: 'checkout.session', customer, url, status: 'open' })
  }

  function openPortal(form: Form) {
    const { id: customer } = find(form['customer'], 'customer', 'customer')
    const session = newId('bps')
    const url = `${standIn.url}/portal/${session}`
    return put({ ...form, id: session, object: 'billing_portal.session', customer, url })
  }

  /** The pages a reader sees there. @returns where to go next, or a page */
  async function page(method: string, path: string, form: Form): Promise<URL | string> {
    const [, kind, id] = path.split('/')
    if (kind === 'pay') {
      const session = find(id, 'checkout.session')
      if (session['status'] !== 'open') throw new Refusal(404, 'This checkout has expired.')
      const item = (session['line_items'] as Form)['0'] as Form
      const { unit_amount, recurring } = item['price_data'] as Form
      const interval = word((recurring as Form)['interval'])
      const discount = ((session['discounts'] as Form | undefined)?.['0'] as Form | undefined)?.[
        'promotion_code'
      ] as string | undefined
      const off = codes[discount?.replace('promo_', '') ?? ''] ?? 0
      const due = (Number(unit_amount) * (100 - off)) / 10_000
      if (method === 'GET')
        return `<h1>Pay $${due.toFixed(2)} a ${interval}</h1>
          <form method="post"><button>Pay</button></form>
          <a href="${String(session['cancel_url'])}">Back</a>`
      session['status'] = 'complete'
      const subscription = standIn.sell(String(session.customer), interval)
      await standIn.tell('customer.subscription.created', subscription)
      await standIn.tell('checkout.session.completed', session)
      return new URL(String(session['success_url']))
    }
    const session = find(id, 'billing_portal.session')
    const [subscription] = all('subscription', (thing) => thing.customer === session.customer).data
    if (!subscription) throw missing('subscription', '')
    if (method === 'GET')
      return `<h1>Your subscription</h1>
        <form method="post"><button name="deed" value="later">Cancel plan</button></form>
        <a href="${String(session['return_url'])}">Return to Octavo</a>`
    if (form['deed'] === 'later') subscription['cancel_at_period_end'] = true
    await standIn.tell('customer.subscription.updated', subscription)
    return new URL(standIn.url + path)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://stripe')
    const { method = 'GET', headers } = request
    const form = toForm(method === 'GET' ? searchParams : new URLSearchParams(await text(request)))
    if (!path.startsWith('/v1/')) {
      const next = await page(method, path, form)
      if (next instanceof URL) response.writeHead(303, { Location: String(next) }).end()
      else response.writeHead(200, { 'Content-Type': 'text/html' }).end(frame(next))
      return
    }
    if (headers.authorization !== `Bearer ${key}`) throw new Refusal(401, 'Invalid API Key')
    if (!headers['stripe-version']) throw new Refusal(400, 'No version')
    asked.push({ method, path, form })
    const again = headers['idempotency-key']
    const known = typeof again === 'string' ? answers.get(again) : undefined
    const body = known ?? JSON.stringify(await answer(method, path, form))
    if (body === undefined) throw new Refusal(404, `Unrecognized request URL (${method}: ${path})`)
    if (typeof again === 'string') answers.set(again, body)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
  }

  const server = createServer((request, response) => {
    if (standIn.isDown) return void request.socket.destroy()
    handle(request, response).catch((error: unknown) => {
      const { status, body } = error instanceof Refusal ? error : new Refusal(500, String(error))
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

const frame = (body: string) =>
  `<!doctype html><html lang="en"><title>Payments</title><link rel="icon" href="data:,"><main>${body}</main></html>`

const word = (value: string | Form | undefined) => (typeof value === 'string' ? value : '')

function toForm(fields: URLSearchParams): Form {
  const form: Form = {}
  for (const [name, value] of fields) {
    const keys = name.split(/[[\]]+/).filter(Boolean)
    const last = keys.pop() ?? ''
    let place = form
    for (const key of keys) place = (place[key] ??= {}) as Form
    place[last] = value
  }
  return form
}
