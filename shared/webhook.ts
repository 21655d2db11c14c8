/** What webhooks can tell of. */
export const webhookEvents = [
  'book.added',
  'book.progress',
  'book.finished',
  'book.rated',
  'quote.added',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** What a reader sends to try a webhook. */
export const testEvent = 'webhook.test'

/** Waiting to be sent, held back while its webhook is paused, or over. */
export const deliveryStates = ['waiting', 'held', 'delivered', 'failed'] as const

/** Why Octavo has paused a webhook: its address is gone, has failed for days, or can't keep up. */
export const pauseReasons = ['gone', 'failing', 'behind'] as const

/** Why an attempt got no answer. */
export const deliveryFailures = ['timeout', 'unreachable'] as const

/** The most webhooks of one reader. */
export const maxWebhooks = 10
/** The most deliveries that wait for one webhook before it is paused. */
export const maxWaiting = 5000
/** The most deliveries that are logged for one webhook, besides those that wait. */
export const maxLogged = 1000
/** How long deliveries are logged. */
export const deliveryDays = 30
/** How long the secret before the current one signs, too. */
export const formerSecretHours = 24
/** Seconds within which an address has to answer. */
export const answerWithin = 15

/** An address that is told of a reader's own changes. */
export interface Webhook {
  id: string
  user: string
  url: string
  events: WebhookEvent[]
  paused: boolean
  /** Why Octavo has paused it; '' otherwise. */
  pause_reason: (typeof pauseReasons)[number] | ''
  /** When it last took a delivery; '' for never. */
  delivered: string
  created: string
}

/** A webhook as the answers to its creation and to a new secret have it. */
export interface NewWebhook extends Webhook {
  secret: string
}

/** One event on its way to a webhook. Its id is the same in each attempt. */
export interface WebhookDelivery {
  id: string
  user: string
  webhook: string
  event: WebhookEvent | typeof testEvent
  /** The JSON that is sent. */
  body: string
  state: (typeof deliveryStates)[number]
  attempts: number
  /** When the last attempt was; '' before the first. */
  tried: string
  /** When the next attempt is due, while it waits. */
  due: string
  /** The last answer's HTTP status; 0 for none. */
  status: number
  /** How the last answer's body begins. */
  answer: string
  failure: (typeof deliveryFailures)[number] | ''
  created: string
}

/** @returns whether it is an address by http or https, without a username or password */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
}
