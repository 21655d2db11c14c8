import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { NewWebhook, Webhook, WebhookDelivery, WebhookEvent } from '#shared/webhook.ts'
import { liveQuery } from './live-fetch.ts'
import { keys } from './query-keys.ts'

/** The most deliveries that are shown. */
const maxShown = 100

/** A delivery without what was sent. */
export type LoggedDelivery = Omit<WebhookDelivery, 'body'>

const logFields = 'id,user,webhook,event,state,attempts,tried,due,status,answer,failure,created'

/** A reader's webhooks and what was sent to them, the newest first. */
export function webhooksQuery(api: PocketBase, user: string) {
  const filter = api.filter('user = {:user}', { user })
  const query = { filter, sort: '-created,id', skipTotal: true }
  return queryOptions({
    queryKey: keys.webhooksOf(user),
    async queryFn() {
      const webhooks = await api.collection<Webhook>('webhooks').getList(1, maxShown, query)
      if (!webhooks.items.length) return { webhooks: [], deliveries: [] }
      const deliveries = await api
        .collection<LoggedDelivery>('webhook_deliveries')
        .getList(1, maxShown, { ...query, fields: logFields })
      return { webhooks: webhooks.items, deliveries: deliveries.items }
    },
    ...liveQuery,
  })
}

/** Adds a webhook; only this answer has its secret. */
export function addWebhook(
  api: PocketBase,
  values: { url: string; events: readonly WebhookEvent[] },
): Promise<NewWebhook> {
  return api.collection('webhooks').create<NewWebhook>(values)
}

export function pauseWebhook(api: PocketBase, { id }: Webhook, paused: boolean): Promise<Webhook> {
  return api.collection('webhooks').update(id, { paused })
}

/** Gives a webhook a new secret, which only this answer has. */
export function rotateSecret(api: PocketBase, { id }: Webhook): Promise<NewWebhook> {
  return api.collection('webhooks').update<NewWebhook>(id, {}, { rotate: true })
}

/** Removes a webhook with its log. */
export function removeWebhook(api: PocketBase, { id }: Webhook): Promise<boolean> {
  return api.collection('webhooks').delete(id)
}

export function sendTest(api: PocketBase, { id }: Webhook): Promise<WebhookDelivery> {
  return api.collection('webhook_deliveries').create({ webhook: id })
}

export function sendAgain(
  api: PocketBase,
  { id }: Pick<WebhookDelivery, 'id'>,
): Promise<WebhookDelivery> {
  return api.collection('webhook_deliveries').update(id, { state: 'waiting' })
}
