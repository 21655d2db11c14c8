import { asWritten, collection } from '#records/index.ts'
import {
  deliveryFailures,
  deliveryStates,
  pauseReasons,
  testEvent,
  webhookEvents,
  type WebhookEvent,
} from '#shared/webhook.ts'
import { webhookForm } from '#shared/webhook-form.ts'
import { withLife } from './life.ts'
import { created, own, owner, ownersWrite } from './rules.ts'

const hidden = { readable: 'nobody', writable: 'never' } as const
const servers = { writable: 'never' } as const

/** Addresses that are told of a reader's own changes. */
export const webhooks = withLife(
  collection({
    name: 'webhooks',
    // One tells of every book, and goes on when the API token that made it is revoked.
    sessionOnly: true,
    fields: [
      owner,
      { name: 'url', type: 'text', max: 2000, required: true },
      { name: 'events', type: 'json', maxSize: 1000, holds: asWritten<WebhookEvent[]> },
      { name: 'paused', type: 'bool', strict: true },
      { name: 'pause_reason', type: 'select', values: pauseReasons, ...servers },
      // Kept as they are, since they sign.
      { name: 'secret', type: 'text', max: 64, ...hidden },
      { name: 'former_secret', type: 'text', max: 64, ...hidden },
      { name: 'former_until', type: 'date', ...hidden },
      { name: 'delivered', type: 'date', ...servers },
      created,
    ],
    rules: { list: own, view: own, ...ownersWrite },
  }),
  { forms: [webhookForm] },
)

/** Events on their way to webhooks, and the log of those that were sent. */
export const webhookDeliveries = withLife(
  collection({
    name: 'webhook_deliveries',
    fields: [
      owner,
      {
        name: 'webhook',
        type: 'relation',
        collection: 'webhooks',
        required: true,
        cascadeDelete: true,
        writable: 'create',
      },
      { name: 'event', type: 'select', values: [...webhookEvents, testEvent], ...servers },
      { name: 'body', type: 'text', max: 200_000, ...servers },
      { name: 'state', type: 'select', values: deliveryStates },
      { name: 'attempts', type: 'number', ...servers },
      { name: 'tried', type: 'date', ...servers },
      { name: 'due', type: 'date', ...servers },
      { name: 'status', type: 'number', ...servers },
      { name: 'answer', type: 'text', max: 500, ...servers },
      { name: 'failure', type: 'select', values: deliveryFailures, ...servers },
      created,
    ],
    rules: {
      list: own,
      view: own,
      // A reader can create a test, and send a delivery again.
      create: `${ownersWrite.create} && webhook.user = @request.auth.id`,
      update: own,
      delete: null,
    },
  }),
  { cleared: true },
)
