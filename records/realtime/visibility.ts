import { setImmediate } from 'node:timers/promises'
import type { RequestInfo } from '../filter/request.ts'
import type { VisibilityBudget } from '../write/core.ts'
import type { Transaction } from '../database/database.ts'
import { setStatementTimeout } from '../database/statement-timeout.ts'
import { ApiError } from '../errors.ts'
import {
  allows,
  matches,
  newExpandBudget,
  findVisibleRecord,
  type ExpandBudget,
  type QuerySource,
} from '../read/read.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Audience } from './broker.ts'
import type { DeleteEvent } from '../write/events.ts'
import { audienceOf, isList } from './topic.ts'

/** Audiences checked at a time. Requests get a turn at the database in between. */
const defaultConcurrency = 8
/**
 * Milliseconds a transaction may spend on finding the recipients of its delete events, and on
 * PostgreSQL the timeout for each of those statements. Audiences not checked in time receive
 * nothing.
 */
const checkWithin = 200
/** Audiences that each transaction checks, however slow the machine is. */
const checkedAlways = 4

/** The record of an event, and where to read it. */
interface Subject {
  db: QuerySource
  schema: Schema
  collection: Collection
  id: string
}

/** A record about to be deleted. */
interface DeletedSubject extends Subject {
  db: Transaction
}

/**
 * Finds the audiences that may see a record, by the same rules as lists and views.
 *
 * @param failed called with an error while checking one audience, which then receives nothing
 * @param pace.concurrency 1 for a transaction, whose connection runs one query at a time
 * @param pace.isLate checked before each; once true, the remaining audiences receive nothing
 * @returns the audiences that may see the record, with its JSON as they may see it
 */
export async function visibleTo<A extends Audience>(
  subject: Subject,
  audiences: readonly A[],
  failed: (error: unknown) => void,
  { concurrency = defaultConcurrency, isLate = (): boolean => false } = {},
): Promise<[A, record: string][]> {
  const recipients: [A, string][] = []
  const event: Event = { ...subject, seen: new Map(), budgets: new Map() }
  for (let i = 0; i < audiences.length; i += concurrency) {
    if (isLate()) break
    // SQLite calls are synchronous: let other requests run.
    if (i > 0 && i % defaultConcurrency === 0) await setImmediate()
    const some = audiences.slice(i, i + concurrency)
    const seen = await Promise.all(
      some.map((audience) =>
        visibleRecord(event, audience).catch((error: unknown) => {
          failed(error)
          return null
        }),
      ),
    )
    for (const [at, record] of seen.entries())
      if (record !== null) recipients.push([some[at]!, record])
  }
  return recipients
}

/**
 * Prepares the delete events of a record that is about to be deleted.
 *
 * @param subject with the transaction that deletes it
 * @param report called with an error while checking one audience, which then receives nothing
 * @param spent what the transaction has spent so far; updated
 * @param clock returns milliseconds
 */
export async function deleteEvents(
  subject: DeletedSubject,
  audiences: readonly Audience[],
  report: (error: unknown) => void,
  spent: VisibilityBudget,
  clock = () => performance.now(),
): Promise<DeleteEvent[]> {
  const start = clock() - spent.time
  const isLate = () => {
    const isOver = clock() - start > checkWithin
    return spent.checked++ >= checkedAlways && isOver
  }
  const recipients = await visibleInTransaction(subject, inFairOrder(audiences), report, isLate)
  spent.time = clock() - start
  const byMessage = new Map<string, DeleteEvent>()
  for (const [{ topic, viewer }, record] of recipients) {
    const message = eventJson('delete', record)
    const event = byMessage.getOrInsertComputed(message, () => ({ message, to: [] }))
    event.to.push([topic.channel, topic.name, audienceOf(viewer)])
  }
  return [...byMessage.values()]
}

/**
 * Takes one of each viewer's audiences in turn, cheap ones first, so that one viewer's many
 * subscriptions can't crowd out another's few.
 */
function inFairOrder(audiences: readonly Audience[]): Audience[] {
  const turns = new Map<string, number>()
  const cheapFirst = audiences.toSorted((a, b) => Number(isFiltered(a)) - Number(isFiltered(b)))
  const ordered = cheapFirst.map((audience) => {
    const account = audience.viewer?.id ?? ''
    const turn = turns.get(account) ?? 0
    turns.set(account, turn + 1)
    return { audience, turn }
  })
  return ordered.sort((a, b) => a.turn - b.turn).map(({ audience }) => audience)
}

/** Whether the subscription has no options of its own to evaluate. */
function isPlain({ topic }: Audience): boolean {
  return !Object.keys(topic.query).length && !Object.keys(topic.headers).length
}

function isFiltered({ topic }: Audience): boolean {
  return Boolean(topic.query['filter'])
}

/** A subscriber's invalid options must not abort the whole transaction. */
async function visibleInTransaction(
  subject: DeletedSubject,
  audiences: readonly Audience[],
  report: (error: unknown) => void,
  isLate: () => boolean,
): Promise<[Audience, string][]> {
  const tx = subject.db
  const pace = { concurrency: 1, isLate }
  if (tx.dialect.name === 'sqlite' || audiences.every(isPlain))
    return visibleTo(subject, audiences, report, pace)
  let failure: unknown
  await tx.query('SAVEPOINT visibility')
  await setStatementTimeout(tx, checkWithin)
  const recipients = await visibleTo(subject, audiences, (error) => (failure ??= error), pace)
  // Nothing was written; this restores the statement timeout.
  await tx.query('ROLLBACK TO SAVEPOINT visibility')
  if (failure === undefined) return recipients
  // After an error PostgreSQL refuses further statements, so halve the audiences to find the
  // failing one.
  if (audiences.length > 1) {
    const half = Math.ceil(audiences.length / 2)
    return [
      ...(await visibleInTransaction(subject, audiences.slice(0, half), report, isLate)),
      ...(await visibleInTransaction(subject, audiences.slice(half), report, isLate)),
    ]
  }
  report(failure)
  return []
}

/** @returns the data of an event */
export function eventJson(action: 'create' | 'update' | 'delete', record: string): string {
  return `{"record":${record},"action":"${action}"}`
}

/** The record to check, with results shared between its audiences. */
interface Event extends Subject {
  /** Whether a rule is satisfied, by viewer and by anything else the rule can see. */
  seen: Map<string, Promise<boolean>>
  /** Each viewer's budget for expanded relations, across all its subscriptions. */
  budgets: Map<string, ExpandBudget>
}

/**
 * @returns the record's JSON as the audience may see it; null if it may not see it or its options
 *   are invalid
 */
async function visibleRecord(event: Event, { topic, viewer }: Audience): Promise<string | null> {
  const { db, schema, collection, id, budgets } = event
  const rule = isList(topic) ? collection.rules.list : collection.rules.view
  if (rule === null) return null
  const { query, headers } = topic
  const request: RequestInfo = {
    context: 'realtime',
    method: 'GET',
    query,
    headers,
    body: {},
    viewer,
  }
  const { filter = '', expand, fields } = query
  const account = viewer?.id ?? ''
  const budget = budgets.getOrInsertComputed(account, newExpandBudget)
  try {
    if (filter) {
      // A viewer who may not see the record costs one query, however many filters it has.
      if (!(await isVisible(event, rule, request))) return null
      if (!(await matches(db, schema, collection, id, request, filter))) return null
    }
    return await findVisibleRecord(db, schema, collection, rule, id, request, {
      expand,
      fields,
      budget,
    })
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function isVisible(
  { db, schema, collection, id, seen }: Event,
  rule: string,
  request: RequestInfo,
): Promise<boolean> {
  const { query, headers, viewer } = request
  const options = /@request\.(?:query|headers)/.test(rule) ? [query, headers] : []
  const key = JSON.stringify([viewer?.id, rule, ...options])
  return seen.getOrInsertComputed(key, () => allows(db, schema, collection, rule, id, request))
}
