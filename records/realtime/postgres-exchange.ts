import { sql } from 'kysely'
import type { Viewer } from '../filter/request.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Listener } from '../database/listener.ts'
import { modify, query } from '../database/query.ts'
import { ApiError } from '../errors.ts'
import { newId } from '../random.ts'
import type { Schema } from '../schema/collection.ts'
import { toRecord } from '../schema/values.ts'
import type { Audience } from './broker.ts'
import type { Exchange } from './exchange.ts'
import { channelsOf, type RealtimeEvent } from './events.ts'
import { hasSubscribers, subscribersOf, type Registry } from './registry.ts'
import { parseAudience, parseTopic } from './topic.ts'

const notifyChannel = 'records'
/** Bytes; PostgreSQL's limit is just under 8000. */
const maxPayload = 7000
/**
 * Milliseconds for which events too long for a notification are stored for other processes to read.
 */
const keptFor = 5 * 60_000

interface Deps {
  database: Database & Required<Pick<Database, 'listen'>>
  schema: Schema
  registry: Registry
  receive: (event: RealtimeEvent) => void
  /** Called when events may have been missed. */
  missed: () => void
  report: (error: unknown) => void
  now: () => number
}

/** Events whose recipients are already known or don't depend on subscriptions. */
const alwaysSent: ReadonlySet<RealtimeEvent['action']> = new Set([
  'delete',
  'signOut',
  'direct',
  'subscribe',
  'answered',
])
/** Characters at the start of a client's id, which encode its process's listening connection. */
const prefixLength = 7

/** The payload of a NOTIFY: the events, or the row that holds them. */
type Payload = { events: RealtimeEvent[] } | { row: string }

/**
 * Sends events between processes through one PostgreSQL database. NOTIFY is part of the
 * transaction, so only durable events are sent. The process that wrote receives them the same way.
 *
 * The listening connection is opened for the first client. If it is lost, events may be too, so all
 * clients are disconnected and fetch what they show again.
 */
export class PostgresExchange implements Exchange {
  readonly #deps: Deps
  #listener: Promise<Listener> | undefined
  #reading: Promise<void> = Promise.resolve()
  #isClosed = false
  idPrefix = ''

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async post(tx: Transaction, all: readonly RealtimeEvent[]): Promise<void> {
    const events = all.filter((one) => one.action !== 'delete' || one.deliveries.length)
    if (!events.length) return
    const payload: Payload = { events }
    const text = JSON.stringify(payload)
    const isShort = Buffer.byteLength(text) <= maxPayload
    const condition = events.some(({ action }) => alwaysSent.has(action))
      ? sql`TRUE`
      : this.#hasSubscribers(events)
    if (isShort) return notify(tx, text, condition)
    const row = newId()
    await modify(
      tx,
      '_news',
      sql`INSERT INTO _news (id, body, created)
        SELECT ${row}::text, ${text}::text, ${this.#deps.now()}::bigint WHERE ${condition}`,
    )
    const stored: Payload = { row }
    const isStored = sql`EXISTS (SELECT FROM _news WHERE id = ${row})`
    await notify(tx, JSON.stringify(stored), isStored)
  }

  async audiences(tx: Transaction, collection: string, id: string): Promise<Audience[]> {
    const { schema } = this.#deps
    const found = await subscribersOf(tx, channelsOf(collection, id))
    const parsed = found.map(({ topic, audience }) => ({ topic, ...parseAudience(audience) }))
    const viewers = await this.#viewers(tx, [...new Set(parsed.map(({ account }) => account))])
    return parsed.flatMap(({ topic: name, account, scope }) => {
      const topic = parseTopic(name, (key) => schema.find(key)?.id)
      if (!account) return { topic, viewer: null }
      const viewer = viewers.get(account)
      return viewer ? { topic, viewer: { ...viewer, scope } } : []
    })
  }

  async ready(): Promise<void> {
    if (this.#isClosed) throw unavailable()
    this.#listener ??= this.#open()
    await this.#listener
  }

  async isElsewhere(client: string): Promise<boolean> {
    const idPrefix = client.slice(0, prefixLength)
    const backend = parseInt(idPrefix, 36)
    if (idPrefix === this.idPrefix || !(backend <= 0x7f_ff_ff_ff) || toPrefix(backend) !== idPrefix)
      return false
    const found = await query(
      this.#deps.database,
      sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${backend} AND datname = current_database()`,
    )
    return found.length > 0
  }

  settled(): Promise<void> {
    return this.#deps.registry.settled()
  }

  async sweep(): Promise<void> {
    const { database, registry, now } = this.#deps
    const listener = await this.#listener?.catch(() => undefined)
    if (!listener) return
    listener.check()
    await registry.sweep()
    const old = now() - keptFor
    await database.transaction((tx) =>
      modify(tx, '_news', sql`DELETE FROM _news WHERE created < ${old}`),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const listener = await this.#listener?.catch(() => undefined)
    this.#listener = undefined
    await listener?.close()
    await this.#reading
    await this.#deps.registry.settled().catch(() => undefined)
  }

  async #open(): Promise<Listener> {
    const { database, registry } = this.#deps
    let listener: Listener | undefined
    let isLost = false
    try {
      listener = await database.listen(
        notifyChannel,
        (text) => this.#receive(text),
        () => {
          isLost = true
          this.#lost()
        },
      )
      registry.start(listener.backend)
      this.idPrefix = toPrefix(listener.backend)
      await registry.sweep(true)
      if (isLost) throw new Error('the listening connection was lost')
      return listener
    } catch (error) {
      this.#listener = undefined
      await listener?.close()
      throw unavailable(error)
    }
  }

  #lost(): void {
    this.#listener = undefined
    this.#deps.registry.start(null)
    this.#deps.missed()
  }

  #receive(text: string): void {
    const { receive, missed, report } = this.#deps
    this.#reading = this.#reading
      .then(async () => (await this.#read(JSON.parse(text) as Payload)).forEach(receive))
      .catch((error: unknown) => {
        report(error)
        missed()
      })
  }

  async #read(payload: Payload): Promise<RealtimeEvent[]> {
    if ('events' in payload) return payload.events
    const { database } = this.#deps
    const [found] = await query(database, sql`SELECT body FROM _news WHERE id = ${payload.row}`)
    if (!found) throw new Error(`the events ${payload.row} are gone`)
    return (JSON.parse(String(found[0])) as { events: RealtimeEvent[] }).events
  }

  #hasSubscribers(events: readonly RealtimeEvent[]) {
    const { schema } = this.#deps
    const channels = new Set<string>()
    const accounts: string[] = []
    for (const one of events) {
      if (!('collection' in one)) continue
      for (const channel of channelsOf(one.collection, one.id)) channels.add(channel)
      if (schema.find(one.collection)?.type === 'auth') accounts.push(one.id)
    }
    return hasSubscribers([...channels], accounts)
  }

  /** Reads the accounts as the transaction sees them. */
  async #viewers(tx: Transaction, ids: readonly string[]): Promise<Map<string, Viewer>> {
    const viewers = new Map<string, Viewer>()
    if (!ids.some(Boolean)) return viewers
    for (const collection of this.#deps.schema.collections) {
      if (collection.type !== 'auth') continue
      const columns = sql.join(collection.fields.map((field) => sql.ref(field.name)))
      const rows = await query(
        tx,
        sql`SELECT ${columns} FROM ${sql.table(collection.name)}
          WHERE id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
      )
      for (const record of rows.map((row) => toRecord(collection, row)))
        viewers.set(record.id, {
          id: record.id,
          collectionId: collection.id,
          collectionName: collection.name,
          session: '',
          record,
        })
    }
    return viewers
  }
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError(503, 'Live updates are not available. Please try again.', {}, cause)
}

const toPrefix = (backend: number) => backend.toString(36).padStart(prefixLength, '0')

async function notify(tx: Transaction, text: string, condition: ReturnType<typeof sql>) {
  await query(tx, sql`SELECT pg_notify(${notifyChannel}, ${text}) WHERE ${condition}`)
}
