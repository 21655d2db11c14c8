import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import type { Logger } from 'pino'
import { type Database, type Transaction, named, number, text } from '#records/index.ts'
import { retryAt, tableJobs, type Claimed, type RetriedTable } from '#server/runtime/job-table.ts'
import { runJobs } from '#server/runtime/jobs.ts'
import { modify, query } from '#server/storage/query.ts'
import type { Mail, Message, MailTransport } from './message.ts'

/** Concurrent deliveries of this process. */
const maxDeliveries = 4

/** Milliseconds of an unfinished first delivery after which a code counts as late. */
const lateAfter = 10_000

/** Errors about one mail or its address; all others may concern the mail server. */
const ofOneMail: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** Milliseconds between looks for what another process has left. */
const lookEvery = 10_000

/** Milliseconds to wait for deliveries at shutdown. */
const closeTimeout = 1000

const second = 1000
/** Milliseconds for which a process has a mail claimed. */
const claim = 60 * second

type Waiting = Omit<Message, 'to'> & { id: string; recipient: string; attempts: number }

/** The mails that wait, those with the fewest attempts first. */
const outboxJobs: RetriedTable<Waiting> = {
  name: 'outbox',
  key: ['id'],
  columns: {
    id: text,
    recipient: text,
    subject: text,
    text,
    html: text,
    code: text,
    attempts: number,
    expires: (column) => new Date(text(column)),
  },
  time: instant,
  claim,
  latest: 2 * claim,
  order: sql`attempts, due, id`,
  tries: 'attempts',
  retries: {
    delays: [1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * second),
    spread: 0.25,
  },
}

interface Deps {
  database: Database
  transport: MailTransport
  log: Logger
  /** Called after each mail that was handed over. */
  delivered?: ((message: Message) => Promise<void>) | undefined
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
  { now = Date.now, delivered }: Partial<Pick<Deps, 'now' | 'delivered'>> = {},
): Mail {
  const deps: Deps = { database, transport, log, delivered, now, held: new Map() }
  const deliveries = runJobs(
    tableJobs(database, outboxJobs, {
      concurrency: maxDeliveries,
      now,
      run: async (mail) => {
        const { isDelivered, due } = await deliver(deps, mail)
        // The clock may have been set back meanwhile.
        const wait = Math.min(due - now(), lookEvery)
        if (!isDelivered) setTimeout(() => deliveries.wake(), wait).unref()
        else if (deps.held.size) await retryWaiting(deps)
      },
    }),
    {
      every: lookEvery,
      onError: (error) => log.error({ err: error }, 'the outbox could not be read'),
    },
  )
  return {
    async send(message) {
      await database.transaction(async (tx) => {
        // A new code replaces the one before, which no longer works.
        if (message.code) await modify(tx, 'outbox', dropCodes(message.to))
        await modify(tx, 'outbox', insert(message, now()))
      })
      deliveries.wake()
    },
    async close() {
      const ended = deliveries.close()
      transport.close()
      // A hanging mail server must not delay the shutdown; the mail's claim expires and it is
      // retried.
      const late = new Promise((resolve) => setTimeout(resolve, closeTimeout).unref())
      await Promise.race([ended, late])
    },
  }
}

/**
 * @param now milliseconds since 1970
 * @returns whether a code for this address waits after a failed or slow first delivery, in any
 *   process
 */
export async function isCodeLate(
  database: Database,
  to: string,
  now = Date.now(),
): Promise<boolean> {
  const late = await query(
    database,
    sql`SELECT 1 FROM outbox WHERE recipient = ${to} AND code <> ''
      AND (attempts > 0 OR created <= ${instant(now - lateAfter)}
        OR created > ${instant(now + lateAfter)}) LIMIT 1`,
  )
  return late.length > 0
}

/** What waits in the outbox. */
export interface OutboxState {
  waiting: number
  /** Of these, how many could not be delivered at least once. */
  failed: number
  /** When the oldest was written; '' if none waits. */
  oldest: string
}

/** @returns how much waits in the outbox, and since when */
export async function readOutbox(database: Database): Promise<OutboxState> {
  const rows = await query(
    database,
    sql`SELECT COUNT(*), COALESCE(SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END), 0),
      COALESCE(MIN(created), '') FROM outbox`,
  )
  return named(rows, { waiting: number, failed: number, oldest: text })[0]!
}

/** Deletes the mails that wait for an address, as its account is being deleted. */
export async function deleteWaitingMails(tx: Transaction, to: string): Promise<void> {
  await modify(tx, 'outbox', sql`DELETE FROM outbox WHERE recipient = ${to}`)
}

/**
 * Tries once; on failure the mail is due again later.
 *
 * @returns whether it was delivered, and otherwise when it is due again, in milliseconds since 1970
 */
async function deliver(
  deps: Deps,
  mail: Claimed<Waiting>,
): Promise<{ isDelivered: boolean; due: number }> {
  const { id, recipient, subject, text, html, code, expires } = mail
  const message: Message = { to: recipient, subject, text, html, code, expires }
  const { database, transport, log, now, held } = deps
  let failure: unknown
  const expired = expires.getTime() <= now()
  if (!expired) await transport.deliver(message).catch((error: unknown) => (failure = error))
  const due = retryAt(outboxJobs, mail, now())
  const lost = expired || (failure !== undefined && due >= expires.getTime())
  if (failure) log.warn({ err: failure, mail: id, lost }, 'an email could not be delivered')
  else if (lost) log.warn({ mail: id, lost }, 'an email expired before it could be delivered')
  await database.transaction(async (tx) => {
    if (failure && !lost)
      // By its id alone, as its claim is still being renewed.
      await modify(
        tx,
        'outbox',
        sql`UPDATE outbox SET attempts = attempts + 1, due = ${instant(due)} WHERE id = ${id}`,
      )
    else await modify(tx, 'outbox', sql`DELETE FROM outbox WHERE id = ${id}`)
  })
  if (!failure && !expired) await deps.delivered?.(message)
  held.delete(id)
  if (failure && !lost && !ofOneMail.includes((failure as { code?: unknown }).code))
    held.set(id, instant(due))
  return { isDelivered: !failure && !expired, due }
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

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
