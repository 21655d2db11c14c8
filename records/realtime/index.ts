import type { Viewer } from '../access/request.ts'
import { readSession } from '../auth/sessions.ts'
import type { Events } from '../core.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { Broker } from './broker.ts'
import type { Client, Origin } from './client.ts'
import { localExchange, type Exchange } from './exchange.ts'
import { Herald } from './herald.ts'
import { farewells } from './judge.ts'
import type { Farewell, News, Whisper } from './news.ts'
import { PostgresExchange } from './postgres-exchange.ts'
import { Registry } from './registry.ts'
import { parseTopic } from './topic.ts'

export { isClientId } from './client.ts'
export type { Client, Origin } from './client.ts'
export { realtimeTables } from './tables.ts'

const heartbeat = 25_000

interface RealtimeDeps {
  database: Database
  schema: Schema
  now: () => Date
  report: (error: unknown) => void
}

/**
 * Tells clients of the writes they may see: each distinct subscription and viewer is judged once,
 * however many connections share it. On PostgreSQL the writes of every process are told in every
 * process.
 */
export class Realtime implements Events {
  readonly #deps: RealtimeDeps
  readonly #broker: Broker
  readonly #herald: Herald
  readonly #exchange: Exchange
  readonly #timer: NodeJS.Timeout

  constructor(deps: RealtimeDeps) {
    const { database, schema, report } = deps
    const now = () => deps.now().getTime()
    const { listen } = database
    const registry = listen ? new Registry(database, report) : undefined
    this.#deps = deps
    this.#broker = new Broker(now, registry?.note.bind(registry))
    this.#herald = new Herald({ database, schema, broker: this.#broker, report })
    const hear = (news: News) => this.#herald.hear(news)
    const missed = () => this.#broker.dismiss()
    const shared = { schema, hear, missed, report, now }
    this.#exchange =
      listen && registry
        ? new PostgresExchange({ ...shared, database: { ...database, listen }, registry })
        : localExchange(this.#broker, hear)
    this.#timer = setInterval(() => this.sweep(), heartbeat)
    this.#timer.unref()
  }

  /** @throws ApiError 503 if there is no room or no way to hear of news, 429 for too many from there */
  async connect(origin: Origin): Promise<Client> {
    await this.#exchange.ready()
    return this.#broker.connect(origin)
  }

  find(clientId: string): Client | undefined {
    return this.#broker.find(clientId)
  }

  /**
   * Whether a client is still who it was: that a session has ended may not have been heard here yet.
   * If not, it is a visitor from now on.
   */
  async isSignedIn(client: Client): Promise<boolean> {
    const { viewer } = client
    return viewer !== null && (await this.#session(client, viewer)) !== null
  }

  /**
   * Replaces all that a client hears of, and as whom.
   *
   * @param names the subscriptions as the client wrote them
   * @throws ApiError 429 if the account has too many connections
   */
  async subscribe(client: Client, viewer: Viewer | null, names: readonly string[]): Promise<void> {
    const broker = this.#broker
    broker.subscribe(
      client,
      viewer,
      names.map((name) => parseTopic(name, (key) => this.#collectionId(key))),
    )
    try {
      await this.#exchange.settled()
    } catch (error) {
      client.close()
      throw error
    }
    if (!viewer) return
    // It may have been signed out, or changed, before this connection could hear of that.
    const session = await this.#session(client, viewer)
    if (session) broker.refresh({ ...viewer, record: session.record })
  }

  async leaving(
    tx: Transaction,
    collection: Collection,
    record: StoredRecord,
  ): Promise<readonly Farewell[]> {
    const { schema, report } = this.#deps
    const audiences = await this.#exchange.audiences(tx, collection.id, record.id)
    return farewells({ db: tx, schema, collection, id: record.id }, audiences, report)
  }

  tell(tx: Transaction, news: readonly News[]): Promise<void> {
    return this.#exchange.post(tx, news)
  }

  /**
   * A word to one client, in whichever process it is.
   *
   * @returns false if there is no such client, or it does not listen for that
   */
  async whisper(word: Whisper): Promise<boolean> {
    if (this.#broker.find(word.client)) return this.#broker.whisper(word)
    const { database } = this.#deps
    if (!database.listen) return false
    await database.transaction((tx) => this.#exchange.post(tx, [{ action: 'whisper', ...word }]))
    return true
  }

  /** Keeps connections alive and parts with those whose time is over. */
  sweep(): void {
    const swept = Promise.all([this.#broker.sweep(), this.#exchange.sweep()])
    swept.catch(this.#deps.report)
  }

  /** Parts with every client. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#broker.dismiss()
    await this.#exchange.close()
    await this.#herald.settled()
  }

  /** The session that the client speaks with; once that has ended, the client is a visitor. */
  async #session(client: Client, viewer: Viewer) {
    const { database, schema, now } = this.#deps
    const collection = schema.get(viewer.collectionId)
    const session = await readSession(database, collection, viewer.session, now().getTime())
    if (!session && client.viewer?.session === viewer.session) this.#broker.revoke(client)
    return session
  }

  /** By id or name exactly as it is written; nothing is ever heard of a view. */
  #collectionId(key: string): string | undefined {
    const found = this.#deps.schema.find(key)
    if (!found || found.type === 'view') return undefined
    return found.id === key || found.name === key ? found.id : undefined
  }
}
