import { setImmediate } from 'node:timers/promises'
import type { RequestInfo } from '../access/request.ts'
import type { Transaction } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { matches, showRecord, type Source } from '../read.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Audience } from './broker.ts'
import type { Farewell } from './news.ts'
import { isList } from './topic.ts'

/** Audiences asked about at a time: requests get their turn of the database in between. */
const judgedAtOnce = 8

/**
 * What each audience hears of a record, by the same rules that lists and views go by.
 *
 * @param atOnce one for a transaction, whose connection takes one question after the other
 * @param failed takes what goes wrong with one audience, which then hears nothing
 * @returns those who hear anything, with the record's JSON as they may see it
 */
export async function judge<A extends Audience>(
  db: Source,
  schema: Schema,
  collection: Collection,
  id: string,
  audiences: readonly A[],
  failed: (error: unknown) => void,
  atOnce = judgedAtOnce,
): Promise<[A, record: string][]> {
  const heard: [A, string][] = []
  for (let i = 0; i < audiences.length; i += atOnce) {
    // SQLite answers without ever leaving the processor to anybody else.
    if (i > 0 && i % judgedAtOnce === 0) await setImmediate()
    const some = audiences.slice(i, i + atOnce)
    const seen = await Promise.all(
      some.map((audience) =>
        see(db, schema, collection, id, audience).catch((error: unknown) => {
          failed(error)
          return null
        }),
      ),
    )
    for (const [at, record] of seen.entries()) if (record !== null) heard.push([some[at]!, record])
  }
  return heard
}

/** What is said of a record that is about to go, and to whom. */
export async function farewells(
  tx: Transaction,
  schema: Schema,
  collection: Collection,
  id: string,
  audiences: readonly Audience[],
  report: (error: unknown) => void,
): Promise<Farewell[]> {
  const heard = await judgeInside(tx, schema, collection, id, audiences, report)
  const byMessage = new Map<string, Farewell>()
  for (const [{ topic, viewer }, record] of heard) {
    const message = eventJson('delete', record)
    const farewell = byMessage.get(message) ?? { message, to: [] }
    byMessage.set(message, farewell)
    farewell.to.push([topic.place, topic.name, viewer?.id ?? ''])
  }
  return [...byMessage.values()]
}

/** A subscriber's filter that fails must not take the whole transaction with it. */
async function judgeInside(
  tx: Transaction,
  schema: Schema,
  collection: Collection,
  id: string,
  audiences: readonly Audience[],
  report: (error: unknown) => void,
): Promise<[Audience, string][]> {
  if (!audiences.length || tx.dialect.name === 'sqlite')
    return judge(tx, schema, collection, id, audiences, report, 1)
  let failure: unknown
  await tx.query('SAVEPOINT judge')
  const heard = await judge(
    tx,
    schema,
    collection,
    id,
    audiences,
    (error) => (failure ??= error),
    1,
  )
  await tx.query(failure === undefined ? 'RELEASE SAVEPOINT judge' : 'ROLLBACK TO SAVEPOINT judge')
  if (failure === undefined) return heard
  // After the first failure PostgreSQL answers nothing more: each by itself.
  if (audiences.length > 1) {
    const half = Math.ceil(audiences.length / 2)
    return [
      ...(await judgeInside(tx, schema, collection, id, audiences.slice(0, half), report)),
      ...(await judgeInside(tx, schema, collection, id, audiences.slice(half), report)),
    ]
  }
  report(failure)
  return []
}

/** @returns the data of an event */
export function eventJson(action: 'create' | 'update' | 'delete', record: string): string {
  return `{"record":${record},"action":"${action}"}`
}

/** @returns the record's JSON as the audience may see it; null if it may not, or its options are wrong */
async function see(
  db: Source,
  schema: Schema,
  collection: Collection,
  id: string,
  { topic, viewer }: Audience,
): Promise<string | null> {
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
  try {
    if (filter && !(await matches(db, schema, collection, id, request, filter))) return null
    return await showRecord(db, schema, collection, rule, id, request, { expand, fields })
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
