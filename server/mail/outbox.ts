import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import type { Logger } from 'pino'
import type { Database, Row } from '#records/index.ts'
import { modify, query } from '#server/query.ts'
import type { Mail, Message, MailTransport } from './message.ts'

/** Concurrent deliveries of this process. */
const maxDeliveries = 4

/** Milliseconds for which a process has a mail claimed; then another takes it over. */
const claim = 60_000

/** Errors about one mail or its address; all others may concern the mail server. */
const ofOneMail: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** Milliseconds to wait for deliveries at shutdown. */
const closeTimeout = 1000

/** Milliseconds until the next attempt: 1, 2, 4 ... 60 seconds, plus or minus a quarter. */
export function retryDelay(attempts: number): number {
  return Math.min(60_000, 1000 * 2 ** attempts) * (0.75 + Math.random() / 2)
}

interface Deps {
  database: Database
  transport: MailTransport
  log: Logger
  /** Milliseconds since 1970. */
  now: () => number
  /** Ids of mails that wait for the mail server, with their due times. */
  held: Map<string, string>
}

/**
 * Keeps mails in the database until they are delivered or have expired. A new one is tried at once,
 * before those that have failed; when it succeeds, those that waited for the mail server follow. If
 * the process dies between a delivery and its record, the mail goes out twice, which is better than
 * never.
 */
export function openOutbox(
  database: Database,
  transport: MailTransport,
  log: Logger,
  now: () => number = Date.now,
): Mail {
  const deps: Deps = { database, transport, log, now, held: new Map() }
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function wake(): void {
    if (closed || running.size >= maxDeliveries) return
    const carrier: Promise<void> = carry()
      .catch((error: unknown) => {
        if (closed) return
        log.error({ err: error }, 'the outbox could not be read')
        sleepFor(claim)
      })
      .finally(() => running.delete(carrier))
    running.add(carrier)
  }

  function sleepFor(milliseconds: number): void {
    if (closed) return
    clearTimeout(timer)
    // At most the length of a claim, so that a clock that was set back doesn't delay mails.
    timer = setTimeout(wake, Math.min(milliseconds, claim)).unref()
  }

  /** Delivers due mails one by one, then sleeps until the next is due. */
  async function carry(): Promise<void> {
    for (;;) {
      const mail = closed ? undefined : await claimNext(database, now())
      if (!mail) break
      const isGone = await deliver(deps, mail)
      if (!isGone || !deps.held.size) continue
      await retryWaiting(deps)
      for (let more = running.size; more < maxDeliveries; more++) wake()
    }
    if (closed) return
    const [next] = await query(database, sql`SELECT MIN(due) FROM outbox`)
    if (next?.[0]) sleepFor(Math.max(50, Date.parse(String(next[0])) - now()))
  }

  wake()
  return {
    async send(message) {
      await database.transaction(async (tx) => {
        // A new code replaces the one before, which no longer works.
        if (message.code) await modify(tx, 'outbox', dropCodes(message.to))
        await modify(tx, 'outbox', insert(message, now()))
      })
      wake()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      transport.close()
      // A hanging mail server must not delay the shutdown; the mail's claim expires and it is
      // retried.
      const late = new Promise((resolve) => setTimeout(resolve, closeTimeout).unref())
      await Promise.race([Promise.all(running), late])
    },
  }
}

/** @returns whether a code for this address waits after a failed first delivery, in any process */
export async function isCodeLate(database: Database, to: string): Promise<boolean> {
  const late = await query(
    database,
    sql`SELECT 1 FROM outbox WHERE recipient = ${to} AND code <> '' AND attempts > 0 LIMIT 1`,
  )
  return late.length > 0
}

interface Waiting extends Message {
  id: string
  attempts: number
}

/**
 * Tries once; on failure the mail is due again later.
 *
 * @returns whether it was delivered
 */
async function deliver(
  { database, transport, log, now, held }: Deps,
  { id, attempts, ...message }: Waiting,
): Promise<boolean> {
  let failure: unknown
  const expired = message.expires.getTime() <= now()
  if (!expired) await transport.deliver(message).catch((error: unknown) => (failure = error))
  const due = now() + retryDelay(attempts)
  const lost = expired || (failure !== undefined && due >= message.expires.getTime())
  if (failure) log.warn({ err: failure, mail: id, lost }, 'an email could not be delivered')
  else if (lost) log.warn({ mail: id, lost }, 'an email expired before it could be delivered')
  await database.transaction(async (tx) => {
    if (failure && !lost)
      await modify(
        tx,
        'outbox',
        sql`UPDATE outbox SET attempts = ${attempts + 1}, due = ${instant(due)} WHERE id = ${id}`,
      )
    else await modify(tx, 'outbox', sql`DELETE FROM outbox WHERE id = ${id}`)
  })
  held.delete(id)
  if (failure && !lost && !ofOneMail.includes((failure as { code?: unknown }).code))
    held.set(id, instant(due))
  return !failure && !expired
}

/**
 * The mail server works again: makes what waited for it due, unless another process has claimed it.
 */
async function retryWaiting({ database, held, now }: Deps): Promise<void> {
  const waiting = [...held]
  held.clear()
  await database.transaction(async (tx) => {
    for (const [id, due] of waiting)
      await modify(
        tx,
        'outbox',
        sql`UPDATE outbox SET due = ${instant(now())} WHERE id = ${id} AND due = ${due}`,
      )
  })
}

function dropCodes(to: string) {
  return sql`DELETE FROM outbox WHERE recipient = ${to} AND code <> ''`
}

function insert(message: Message, now: number) {
  const { to, subject, text, html, code, expires } = message
  return sql`INSERT INTO outbox
    (id, recipient, subject, text, html, code, attempts, created, due, expires)
    VALUES (${nanoid()}, ${to}, ${subject}, ${text}, ${html}, ${code}, 0,
      ${instant(now)}, ${instant(now)}, ${expires.toISOString()})`
}

/**
 * Claims the mail with the fewest attempts that has waited longest. If this process dies, the claim
 * expires.
 */
async function claimNext(database: Database, now: number): Promise<Waiting | undefined> {
  const [row] = await database.transaction((tx) =>
    modify(
      tx,
      'outbox',
      sql`UPDATE outbox SET due = ${instant(now + claim)}
        WHERE due <= ${instant(now)} AND id =
          (SELECT id FROM outbox WHERE due <= ${instant(now)} ORDER BY attempts, due, id LIMIT 1)
        RETURNING id, recipient, subject, text, html, code, attempts, expires`,
    ),
  )
  return row && toWaiting(row)
}

function toWaiting(row: Row): Waiting {
  const [id, to, subject, text, html, code] = row.map(String) as [
    ...[string, string, string, string, string, string],
  ]
  return { id, to, subject, text, html, code, attempts: Number(row[6]), expires: date(row[7]) }
}

const instant = (milliseconds: number) => new Date(milliseconds).toISOString()
const date = (column: Row[number] | undefined) => new Date(String(column))
