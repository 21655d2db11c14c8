import type { RequestInfo } from '../access/request.ts'
import type { Events } from '../core.ts'
import type { Connection, Database, Dialect, Transaction } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { allows, findRecord, listRecords, presentRecord } from '../read.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { Audience, Broker } from './broker.ts'

type Db = Connection & { dialect: Dialect }

/** Who is told what of one event. */
type Told = [Audience, string][]

interface JudgeDeps {
  database: Database
  schema: Schema
  broker: Broker
  report: (error: unknown) => void
}

/**
 * Decides who hears of a write, by the same rules that lists and views go by. Each distinct
 * subscription and viewer is judged once, however many connections share it.
 *
 * Events stay in this process: what another process over the same database writes would have to
 * arrive at `changed`, at what `leaving` returns, and at `signedOut`.
 */
export class Judge implements Events {
  readonly #deps: JudgeDeps
  readonly #judging = new Map<string, Promise<Told>>()
  #sending: Promise<void> = Promise.resolve()

  constructor(deps: JudgeDeps) {
    this.#deps = deps
  }

  changed(action: 'create' | 'update', collection: Collection, id: string): void {
    const { broker, database, schema } = this.#deps
    const isAccount = collection.type === 'auth'
    if (!isAccount && !broker.isHeard(keys(collection))) return
    this.#enqueue(`${collection.id}/${id}`, async () => {
      if (isAccount) await this.#refreshViewer(collection, id)
      const told: Told = []
      for (const audience of broker.audiences(keys(collection), id)) {
        const record = await see(database, schema, collection, id, audience)
        if (record) told.push([audience, message(action, record)])
      }
      return told
    })
  }

  async leaving(
    tx: Transaction,
    collection: Collection,
    record: StoredRecord,
  ): Promise<() => void> {
    const { broker, schema } = this.#deps
    const told: Told = []
    if (broker.isHeard(keys(collection)))
      for (const audience of broker.audiences(keys(collection), record.id)) {
        const look = () => see(tx, schema, collection, record.id, audience)
        const seen = await this.#guarded(tx, look)
        if (seen) told.push([audience, message('delete', seen)])
      }
    return () => {
      if (told.length) this.#enqueue(`${collection.id}/${record.id}`, async () => told)
    }
  }

  signedOut({ id, session }: { id: string; session?: string }): void {
    for (const client of this.#deps.broker.of(id))
      if (!session || client.viewer?.session === session) client.viewer = null
  }

  /** Events are sent in the order of their commits, and those of one record judged in it too. */
  #enqueue(key: string, work: () => Promise<Told>): void {
    const { broker, report } = this.#deps
    const before = this.#judging.get(key) ?? Promise.resolve([])
    const judged = before.then(work).catch((error: unknown) => {
      report(error)
      return []
    })
    this.#judging.set(key, judged)
    this.#sending = this.#sending
      .then(() => judged)
      .then((told) => {
        if (this.#judging.get(key) === judged) this.#judging.delete(key)
        for (const [audience, text] of told) broker.send(audience, text)
      })
      .catch(report)
  }

  async #refreshViewer(collection: Collection, id: string): Promise<void> {
    const { broker, database } = this.#deps
    if (!broker.of(id).length) return
    const record = await findRecord(database, collection, id)
    for (const client of broker.of(id))
      if (record && client.viewer?.collectionId === collection.id)
        client.viewer = { ...client.viewer, record }
  }

  /** A subscriber's filter that fails must not take the whole transaction with it. */
  async #guarded<T>(tx: Transaction, work: () => Promise<T>): Promise<T | null> {
    const hasSavepoint = tx.dialect.name === 'postgres'
    if (hasSavepoint) await tx.query('SAVEPOINT judge')
    try {
      const result = await work()
      if (hasSavepoint) await tx.query('RELEASE SAVEPOINT judge')
      return result
    } catch (error) {
      this.#deps.report(error)
      if (hasSavepoint) await tx.query('ROLLBACK TO SAVEPOINT judge')
      return null
    }
  }
}

function keys(collection: Collection): string[] {
  return [collection.id, collection.name]
}

function message(action: string, record: string): string {
  return `{"record":${record},"action":"${action}"}`
}

/** @returns the record's JSON as the audience may see it; null if it may not, or its filter is no filter */
async function see(
  db: Db,
  schema: Schema,
  collection: Collection,
  id: string,
  { topic, viewer }: Audience,
): Promise<string | null> {
  const request: RequestInfo = {
    context: 'realtime',
    method: 'GET',
    query: topic.query,
    headers: topic.headers,
    body: {},
    viewer,
  }
  const rule = topic.record === '*' ? collection.rules.list : collection.rules.view
  if (!(await allows(db, schema, collection, rule, id, request))) return null
  const { filter = '', expand = '', fields = '' } = topic.query
  if (filter && !(await matches(db, schema, collection, id, request, filter))) return null
  return presentRecord(db, schema, collection, id, request, { expand, fields })
}

/** A client's filter is a client's filter here too, with all that it may not name. */
async function matches(
  db: Db,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  filter: string,
): Promise<boolean> {
  const params = { page: 1, perPage: 1, skipTotal: true, sort: '', expand: '', fields: '' }
  try {
    const { count } = await listRecords(db, schema, collection, request, {
      ...params,
      // The line end closes a comment.
      filter: `id = "${id}" && (${filter}\n)`,
    })
    return count > 0
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
