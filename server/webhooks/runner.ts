import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatDate, text, type Database } from '#records/index.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { retryDelay, tableJobs, type JobTable, type Retries } from '#server/runtime/job-table.ts'
import { joinRunners, runEvery, runJobs, type JobRunner } from '#server/runtime/jobs.ts'
import { modify, query, queryNumber } from '#server/storage/query.ts'
import { deliveryDays, maxLogged, testEvent } from '#shared/webhook.ts'
import type { Answer, Sender } from './send.ts'
import { signedHeaders } from './sign.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/**
 * From each attempt to the next, as Standard Webhooks recommends. After these, 76 hours, a delivery
 * has failed.
 */
const retries: Retries = {
  delays: [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  spread: 0.1,
}

/** The deliveries that wait. */
const deliveryJobs: JobTable<{ id: string; user: string }> = {
  name: 'webhook_deliveries',
  key: ['id'],
  columns: { id: text, user: text },
  time: formatDate,
  // Longer than an attempt can take.
  claim: minute,
  latest: 27 * hour,
  which: sql`state = 'waiting'`,
  // As in their index.
  order: sql`due, id`,
}

/** Readers whose webhooks are sent at the same time. */
const concurrency = 8

/**
 * How many of them may be readers whose addresses gave no answer the last time. Each attempt there
 * can take many seconds, and the others' webhooks must not wait for all that is due for them.
 */
const maxSilent = concurrency / 2

/** The most readers that are remembered as such, the latest ones. */
const maxRemembered = 500

/** Milliseconds between looks for what is due. */
const lookEvery = 5 * second

/** Milliseconds between two cleanings of the log. */
const cleanEvery = hour

/** @returns how many deliveries wait for their first or next attempt */
export function countWaiting(database: Database): Promise<number> {
  const waiting = sql`SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting'`
  return queryNumber(database, waiting)
}

interface Deps {
  database: Database
  records: Pick<LibraryRecords, 'find' | 'write'>
  sender: Sender
}

/**
 * Sends readers' webhooks in the background.
 *
 * @returns to be woken when there is something to send
 */
export function runWebhooks(deps: Deps & { log: Pick<Logger, 'error'> }): JobRunner {
  const onError = (error: unknown) => deps.log.error({ err: error }, 'failed to send webhooks')
  const runner = joinRunners([
    runJobs(dueDeliveries(deps), { every: lookEvery, onError }),
    runEvery(cleanEvery, () => cleanLog(deps.database), onError),
  ])
  return {
    wake: () => runner.wake(),
    async close() {
      await runner.close()
      await deps.sender.close()
    },
  }
}

/** The deliveries that are due. Those of one reader are sent one after the other. */
export function dueDeliveries({ database, records, sender }: Deps) {
  const silent = new Set<string>()

  function remember(user: string, { status }: Answer): void {
    silent.delete(user)
    if (status === 0) silent.add(user)
    const [first] = silent
    if (first !== undefined && silent.size > maxRemembered) silent.delete(first)
  }

  return tableJobs(database, deliveryJobs, {
    concurrency,
    owner: 'user',
    leave(busy) {
      const isFull = busy.intersection(silent).size >= maxSilent
      return isFull ? busy.union(silent) : busy
    },
    async run({ id, user }, signal) {
      const delivery = await records.find('webhook_deliveries', id)
      const webhook = delivery && (await records.find('webhooks', delivery.webhook))
      if (!webhook) return
      const answer = await send(sender, { delivery, webhook, signal })
      // Its claim ends, and it is sent again.
      if (signal.aborted && answer.status === 0) return
      remember(user, answer)
      await records.write((tx) => saveAnswer(tx, id, answer))
    },
  })
}

function send(
  sender: Sender,
  to: { delivery: Stored<'webhook_deliveries'>; webhook: Stored<'webhooks'>; signal: AbortSignal },
): Promise<Answer> {
  const { delivery, webhook, signal } = to
  const { id, body } = delivery
  const at = Date.now()
  const secrets = [webhook.secret]
  if (webhook.former_until > formatDate(at)) secrets.push(webhook.former_secret)
  const headers = signedHeaders(secrets, { id, body, at })
  return sender.post(webhook.url, { body, headers, signal })
}

/** Writes what came of an attempt, and pauses a webhook that is gone or has failed for days. */
async function saveAnswer(tx: LibraryTransaction, id: string, answer: Answer): Promise<void> {
  const delivery = await tx.find('webhook_deliveries', id)
  const webhook = delivery && (await tx.find('webhooks', delivery.webhook))
  if (!webhook) return
  const { status, excerpt, failure, wait } = answer
  const tried = formatDate(Date.now())
  const attempts = delivery.attempts + 1
  const attempt = { attempts, tried, status, answer: excerpt, failure }
  if (status >= 200 && status < 300) {
    await tx.update('webhook_deliveries', id, { ...attempt, state: 'delivered' })
    await tx.update('webhooks', webhook.id, { delivered: tried })
    return
  }
  const isGone = status === 410
  const isRetried = delivery.event !== testEvent && attempts <= retries.delays.length
  if (isRetried && !isGone) {
    const next = Math.max(retryDelay(retries, delivery.attempts), wait)
    await tx.update('webhook_deliveries', id, { ...attempt, due: formatDate(Date.now() + next) })
    return
  }
  await tx.update('webhook_deliveries', id, { ...attempt, state: 'failed' })
  const hasFailed = delivery.event !== testEvent && webhook.delivered < delivery.created
  if (!webhook.paused && (isGone || hasFailed))
    await tx.update('webhooks', webhook.id, {
      paused: true,
      pause_reason: isGone ? 'gone' : 'failing',
    })
}

/** Deletes what is too old, and of each webhook all but the newest that are over. */
export async function cleanLog(database: Database): Promise<void> {
  const oldest = formatDate(Date.now() - deliveryDays * 24 * hour)
  const isOver = sql`state IN ('delivered', 'failed')`
  const full = await query(
    database,
    sql`SELECT webhook FROM webhook_deliveries WHERE ${isOver}
      GROUP BY webhook HAVING COUNT(*) > ${sql.lit(maxLogged)}`,
  )
  const remove = (which: ReturnType<typeof sql>) =>
    database.transaction((tx) =>
      modify(tx, 'webhook_deliveries', sql`DELETE FROM webhook_deliveries WHERE ${which}`),
    )
  await remove(sql`created < ${oldest}`)
  for (const [webhook] of full)
    await remove(sql`webhook = ${webhook} AND ${isOver} AND created < (
      SELECT created FROM webhook_deliveries WHERE webhook = ${webhook} AND ${isOver}
      ORDER BY created DESC LIMIT 1 OFFSET ${sql.lit(maxLogged - 1)})`)
}
