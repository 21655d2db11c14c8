import { sql } from 'kysely'
import { formatDate, tooManyRequests } from '#records/index.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { roomFor } from '#server/library/room.ts'
import { modify, query } from '#server/storage/query.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { webhookForm } from '#shared/webhook-form.ts'
import { formerSecretHours, maxWebhooks, testEvent } from '#shared/webhook.ts'
import type { Sender } from './send.ts'
import { newSecret } from './sign.ts'

/**
 * Hooks of webhooks: each gets a secret, which is shown once. An update with `rotate=true` in its
 * query gives it another; the one before signs alongside for a while.
 */
export function webhookHooks(
  now: () => Date,
  mayReach: Sender['mayReach'],
): LibraryHooks<'webhooks'> {
  return {
    async prepare(change, tx) {
      const { action, before, after, request } = change
      if (!after) return
      const wrong: FieldProblems = {}
      const form = checkSchema(webhookForm, { ...after, events: after.events ?? [] }, wrong)
      if (form && form.url !== before?.url && !mayReach(form.url))
        wrong['url'] = fieldError('webhookNetwork')
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
      if (!after.paused) after.pause_reason = ''
      if (!before) {
        await requireRoom(tx, after.user)
        after.secret = newSecret()
        change.revealed = { secret: after.secret }
      } else if (request?.query['rotate'] === 'true') {
        after.former_secret = before.secret
        after.former_until = formatDate(now().getTime() + formerSecretHours * 3_600_000)
        after.secret = newSecret()
        change.revealed = { secret: after.secret }
      }
    },

    async applied({ before, after }, tx) {
      if (!before || !after || before.paused === after.paused) return
      const [from, to] = after.paused ? ['waiting', 'held'] : ['held', 'waiting']
      await modify(
        tx,
        'webhook_deliveries',
        sql`UPDATE webhook_deliveries SET state = ${to}, due = ${formatDate(new Date())}
          WHERE webhook = ${after.id} AND state = ${from}`,
      )
    },
  }
}

const requireRoom = roomFor('webhooks', { max: maxWebhooks, field: 'url', rule: 'tooManyWebhooks' })

/** Tests of one webhook that wait for an address which is slow to answer. */
const maxTests = 20
const testPause = 60_000

/** @throws ApiError 429 if too many tests wait already */
async function refuseManyTests(
  tx: LibraryTransaction,
  { user, webhook }: Pick<Stored<'webhook_deliveries'>, 'user' | 'webhook'>,
): Promise<void> {
  const last = await query(
    tx,
    sql`SELECT 1 FROM webhook_deliveries
      WHERE webhook = ${webhook} AND state = 'waiting' AND "user" = ${user} AND event = ${testEvent}
      LIMIT 1 OFFSET ${sql.lit(maxTests - 1)}`,
  )
  if (last.length > 0) throw tooManyRequests(testPause, answers.tooManyRequests)
}

/**
 * Hooks of deliveries: what a reader creates is a test, and setting `state` to `waiting` sends one
 * again.
 *
 * @param wake called when there is something to send
 */
export function deliveryHooks(wake: () => void): LibraryHooks<'webhook_deliveries'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after || !request) return
      if (action === 'create') {
        await refuseManyTests(tx, after)
        const timestamp = new Date().toISOString()
        const data = { webhook: after.webhook }
        const body = JSON.stringify({ type: testEvent, timestamp, data })
        Object.assign(after, { event: testEvent, body })
      } else {
        if (!Object.hasOwn(request.body, 'state')) return
        if (after.state !== 'waiting' && after.state === before?.state) return
        if (after.state !== 'waiting')
          throwFieldErrors(action, { state: fieldError('deliveryState') })
      }
      Object.assign(after, { state: 'waiting', attempts: 0, due: formatDate(new Date()) })
    },

    applied({ after }) {
      if (after?.state === 'waiting') wake()
    },
  }
}
