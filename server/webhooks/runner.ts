import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatDate, isLongAgo, named, text, type Database } from '#records/index.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { runJobs, type JobRunner, type Jobs } from '#server/runtime/jobs.ts'
import { modify, query } from '#server/storage/query.ts'
import { deliveryDays, maxLogged, testEvent } from '#shared/webhook.ts'
import type { Answer, Sender } from './send.ts'
import { signedHeaders } from './sign.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/**
 * Milliseconds from each attempt to the next, as Standard Webhooks recommends; a tenth more or less,
 * so that what failed together isn't tried together. After these, 76 hours, a delivery has failed.
 */
const retryDelays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/**
 * The longest that a delivery waits, in milliseconds. One that is due later was put off before the
 * clock was set back.
 */
const latest = 27 * hour

/** Readers whose webhooks are sent at the same time. */
const concurrency = 8

/**
 * How many of them may be readers whose addresses gave no answer the last time. Each attempt there
 * can take many seconds, and the others' webhooks must not wait for all that is due for them.
 */
const maxSilent = concurrency / 2

/** The most readers that are remembered as such, the latest ones. */
const maxRemembered = 500

/** Milliseconds for which a process has a delivery claimed; longer than an attempt can take. */
const claim = minute

/** Milliseconds between looks for what is due. */
const lookEvery = 5 * second

/** Milliseconds between two cleanings of the log. */
const cleanEvery = hour

/** @returns how many deliveries wait for their first or next attempt */
export async function countWaiting(database: Database): Promise<number> {
  const waiting = sql`SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting'`
  const [row] = await query(database, waiting)
  return Number(row?.[0])
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
  let cleaned = 0
  const runner = runJobs(dueDeliveries(deps), {
    every: lookEvery,
    async onLook() {
      const now = Date.now()
      if (!isLongAgo(cleaned, cleanEvery, now)) return
      cleaned = now
      await cleanLog(deps.database)
    },
    onError: (error) => deps.log.error({ err: error }, 'failed to send webhooks'),
  })
  return {
    wake: () => runner.wake(),
    async close() {
      await runner.close()
      await deps.sender.close()
    },
  }
}

interface Claimed {
  id: string
  user: string
}

/** The deliveries that are due. Those of one reader are sent one after the other. */
export function dueDeliveries({ database, records, sender }: Deps): Jobs<Claimed> {
  const busy = new Set<string>()
  const silent = new Set<string>()
  let lastClaim: Promise<unknown> = Promise.resolve()

  /** @returns the readers whose turn it isn't */
  function waiting(): Set<string> {
    const isFull = busy.intersection(silent).size >= maxSilent
    return isFull ? busy.union(silent) : busy
  }

  function remember(user: string, { status }: Answer): void {
    silent.delete(user)
    if (status === 0) silent.add(user)
    const [first] = silent
    if (first !== undefined && silent.size > maxRemembered) silent.delete(first)
  }

  /** One claim after the other, since each depends on those before. */
  function next(): Promise<Claimed | undefined> {
    const claimed = lastClaim.then(async () => {
      const found = await claimNext(database, [...waiting()])
      if (found) busy.add(found.user)
      return found
    })
    lastClaim = claimed.catch(() => undefined)
    return claimed
  }

  return {
    concurrency,
    next,
    async run({ id, user }, signal) {
      try {
        const delivery = await records.find('webhook_deliveries', id)
        const webhook = delivery && (await records.find('webhooks', delivery.webhook))
        if (!webhook) return
        const answer = await send(sender, { delivery, webhook, signal })
        // Its claim ends, and it is sent again.
        if (signal.aborted && answer.status === 0) return
        remember(user, answer)
        await records.write((tx) => settle(tx, id, answer))
      } finally {
        busy.delete(user)
      }
    },
  }
}

/** @param others readers whose deliveries are left alone */
async function claimNext(
  database: Database,
  others: readonly string[],
): Promise<Claimed | undefined> {
  const now = Date.now()
  const isDue = sql`state = 'waiting'
    AND (due <= ${formatDate(now)} OR due > ${formatDate(now + latest)})`
  const isFree = others.length ? sql`AND "user" NOT IN (${sql.join(others)})` : sql``
  const rows = await database.transaction((tx) =>
    modify(
      tx,
      'webhook_deliveries',
      sql`UPDATE webhook_deliveries SET due = ${formatDate(now + claim)}
        WHERE ${isDue} AND id = (SELECT id FROM webhook_deliveries
          WHERE ${isDue} ${isFree} ORDER BY due, id LIMIT 1)
        RETURNING id, "user"`,
    ),
  )
  return named(rows, { id: text, user: text })[0]
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
async function settle(tx: LibraryTransaction, id: string, answer: Answer): Promise<void> {
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
  const delay = delivery.event === testEvent ? undefined : retryDelays[attempts - 1]
  if (delay !== undefined && !isGone) {
    const next = Math.max(delay * (0.9 + Math.random() / 5), wait)
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
