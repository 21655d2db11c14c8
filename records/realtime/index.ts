import type { Viewer } from '../filter/request.ts'
import { requireScope } from '../access/scope.ts'
import { readViewerAccount } from '../auth/credential.ts'
import type { Publisher, VisibilityBudget } from '../write/core.ts'
import type { Database, Transaction } from '../database/database.ts'
import { withBudget } from '../database/request-budget.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { Broker } from './broker.ts'
import { isClientId, type Client, type Origin } from './client.ts'
import { localExchange, type Exchange } from './exchange.ts'
import { Broadcaster } from './broadcaster.ts'
import { LastChanges } from './last-changes.ts'
import { deleteEvents } from './visibility.ts'
import { ApiError } from '../errors.ts'
import { clientNetwork } from '../limits/address.ts'
import type { DeleteEvent } from '../write/events.ts'
import type { RealtimeEvent, RelayedSubscription, DirectMessage } from './events.ts'
import { PostgresExchange } from './postgres-exchange.ts'
import { Registry } from './registry.ts'
import { Relay, toJson } from './relay.ts'
import { parseTopic } from './topic.ts'

export { isClientId } from './client.ts'
export type { Client, Origin } from './client.ts'
export { realtimeTables } from './tables.ts'

const heartbeat = 25_000

/** A client's new subscriptions, which replace all earlier ones, and its viewer. */
interface SubscribeRequest {
  client: string
  viewer: Viewer | null
  /** The IP address of the request. */
  address: string
  /** The subscriptions as the client wrote them. */
  names: readonly string[]
}

interface RealtimeDeps {
  database: Database
  schema: Schema
  now: () => Date
  report: (error: unknown) => void
}

/**
 * Sends clients the events they may see. Each distinct combination of subscription and viewer is
 * checked once, however many connections share it. On PostgreSQL every process delivers the events
 * of all processes.
 */
export class Realtime implements Publisher {
  readonly #deps: RealtimeDeps
  readonly #broker: Broker
  readonly #broadcaster: Broadcaster
  readonly #exchange: Exchange
  readonly #relay = new Relay()
  readonly #timer: NodeJS.Timeout
  readonly #stopWatching: (() => void) | undefined
  /** Unset on PostgreSQL, where other processes' writes may go unnoticed. */
  readonly #lastChanges: LastChanges | undefined

  constructor(deps: RealtimeDeps) {
    const { database, schema, report } = deps
    const now = () => deps.now().getTime()
    const { listen } = database
    const registry = listen ? new Registry(database, report) : undefined
    this.#deps = deps
    this.#lastChanges = listen ? undefined : new LastChanges(now())
    this.#broker = new Broker(now, registry?.note.bind(registry))
    this.#broadcaster = new Broadcaster({ database, schema, broker: this.#broker, report })
    const receive = (event: RealtimeEvent) => this.#receive(event)
    const missed = () => {
      this.#broker.disconnectAll()
      this.#relay.abandon()
    }
    const shared = { schema, receive, missed, report, now }
    this.#exchange =
      listen && registry
        ? new PostgresExchange({ ...shared, database: { ...database, listen }, registry })
        : localExchange(this.#broker, receive)
    this.#stopWatching = database.watch?.(() => {
      this.#written().catch(report)
    })
    this.#timer = setInterval(() => this.sweep(), heartbeat)
    this.#timer.unref()
  }

  /**
   * @throws ApiError 503 if the process has too many connections or can't receive events, 429 if
   *   the account or network has too many
   */
  async connect(origin: Origin): Promise<Client> {
    await this.#exchange.ready()
    return this.#broker.connect(origin, this.#exchange.idPrefix)
  }

  /**
   * Replaces a client's subscriptions and its viewer, whichever process it is connected to.
   *
   * @param admit called before anything is replaced; throws to refuse
   * @throws ApiError 404 if there is no such client, 403 if it belongs to another account or the
   *   viewer's API token doesn't cover a collection, 400 if a visitor's request comes from another
   *   network, 429 if the account has too many connections or subscriptions
   */
  async subscribe(request: SubscribeRequest, admit: () => Promise<void>): Promise<void> {
    for (const name of request.names) {
      const { channel } = parseTopic(name, (key) => this.#collectionId(key))
      const collection = this.#deps.schema.find(channel.split('/')[0]!)
      if (collection) requireScope(request.viewer, 'read', collection)
    }
    if (this.#broker.find(request.client)) return this.#subscribe(request, admit)
    const { client, viewer, address, names } = request
    if (!isClientId(client) || !(await this.#exchange.isElsewhere(client))) throw unknownClient()
    await admit()
    await this.#exchange.ready()
    // The other process reads the account itself, so that no password hash is sent between
    // processes.
    const session = viewer && { ...viewer, record: undefined }
    const about = { client, viewer: session, address, names }
    const answer = await this.#relay.ask((number) =>
      this.#post({ action: 'subscribe', number, ...about }),
    )
    if (!answer) throw unknownClient()
  }

  async deleting(
    tx: Transaction,
    collection: Collection,
    record: StoredRecord,
    budget: VisibilityBudget,
  ): Promise<readonly DeleteEvent[]> {
    const { schema, report } = this.#deps
    const audiences = await this.#exchange.audiences(tx, collection.id, record.id)
    const subject = { db: tx, schema, collection, id: record.id }
    // A delete's viewer isn't charged for finding its recipients.
    return withBudget(undefined, () => deleteEvents(subject, audiences, report, budget))
  }

  publish(
    tx: Transaction,
    events: readonly RealtimeEvent[],
    owners: ReadonlySet<string>,
  ): Promise<void> {
    tx.afterCommit(() => this.#lastChanges?.note(owners, this.#deps.now().getTime()))
    return this.#exchange.post(tx, events)
  }

  /**
   * Sends a message to one client, whichever process it is connected to.
   *
   * @returns false if there is no such client, or it has no such subscription
   */
  async sendDirect(message: DirectMessage): Promise<boolean> {
    if (this.#broker.find(message.client)) return this.#broker.sendDirect(message)
    if (!this.#deps.database.listen) return false
    await this.#post({ action: 'direct', ...message })
    return true
  }

  /**
   * @returns milliseconds since 1970 after which no record of the account has changed; undefined
   *   where this process can't know
   */
  lastChange(account: string): number | undefined {
    return this.#lastChanges?.of(account)
  }

  /** How many clients are connected to this process. */
  get clients(): number {
    return this.#broker.size
  }

  /** Sends heartbeats and disconnects idle and old clients. */
  sweep(): void {
    const swept = Promise.all([this.#broker.sweep(), this.#exchange.sweep()])
    swept.catch(this.#deps.report)
  }

  /** Disconnects every client. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopWatching?.()
    this.#broker.disconnectAll()
    this.#relay.abandon()
    await this.#exchange.close()
    await this.#broadcaster.settled()
  }

  /**
   * Handles writes by another process, such as an operator's command, whose events didn't reach
   * this one: notifies clients that were signed out, and disconnects all subscribers so that they
   * fetch what they show again.
   */
  async #written(): Promise<void> {
    this.#lastChanges?.noteAll(this.#deps.now().getTime())
    for (const client of this.#broker.signedIn())
      if (client.viewer) await this.#account(client, client.viewer)
    this.#broker.disconnectSubscribers()
  }

  #receive(event: RealtimeEvent): void {
    if (event.action === 'answered') return this.#relay.receive(event)
    if (event.action !== 'subscribe') return this.#broadcaster.receive(event)
    if (event.client.startsWith(this.#exchange.idPrefix))
      this.#answer(event).catch(this.#deps.report)
  }

  /** Handles a subscription request that another process received for a client connected here. */
  async #answer({ number, viewer: session, ...about }: RelayedSubscription): Promise<void> {
    let refusal: unknown
    try {
      const record = session && (await this.#read(session))
      const viewer = session && record ? { ...session, record } : null
      await this.#subscribe({ ...about, viewer }, () => Promise.resolve())
    } catch (error) {
      if (!(error instanceof ApiError)) this.#deps.report(error)
      refusal = error
    }
    await this.#post({
      action: 'answered',
      number,
      ...(refusal !== undefined && { refusal: toJson(refusal) }),
    })
  }

  /** Subscribes a client of this process. */
  async #subscribe(
    { client: id, viewer, address, names }: SubscribeRequest,
    admit: () => Promise<void>,
  ) {
    const broker = this.#broker
    const client = broker.find(id)
    if (!client) throw unknownClient()
    if (client.viewer && client.viewer.id !== viewer?.id && (await this.#isSignedIn(client)))
      throw new ApiError(403, "The current and the previous request authorization don't match.")
    // A stranger's client id must be useless, but its owner may change networks.
    const isOwner = viewer && [client.viewer?.id, client.origin.account].includes(viewer.id)
    if (!isOwner && clientNetwork(client.origin.address) !== clientNetwork(address))
      throw new ApiError(400, 'Invalid realtime client.')
    await admit()
    const topics = names.map((name) => parseTopic(name, (key) => this.#collectionId(key)))
    broker.subscribe(client, viewer, topics)
    try {
      await this.#exchange.settled()
    } catch (error) {
      client.close()
      throw error
    }
    if (!viewer) return
    // The account may have been signed out or changed before this connection could receive the
    // event.
    const record = await this.#account(client, viewer)
    if (record) broker.refresh({ ...viewer, record })
  }

  /**
   * Whether a client's session is still alive, as news of its end may not have arrived here yet. If
   * it has ended, the client becomes a visitor.
   */
  async #isSignedIn(client: Client): Promise<boolean> {
    const { viewer } = client
    return viewer !== null && (await this.#account(client, viewer)) !== null
  }

  async #post(event: RealtimeEvent): Promise<void> {
    await this.#deps.database.transaction((tx) => this.#exchange.post(tx, [event]))
  }

  /** Reads the viewer's account; if the session has ended, the client becomes a visitor. */
  async #account(client: Client, viewer: Viewer) {
    const record = await this.#read(viewer)
    if (!record && client.viewer?.session === viewer.session) this.#broker.revoke(client)
    return record
  }

  #read(viewer: Pick<Viewer, 'collectionId' | 'session' | 'scope'>) {
    const { database, schema, now } = this.#deps
    return readViewerAccount(database, schema, viewer, now().getTime())
  }

  /** Finds a collection by its exact id or name. Views have no events. */
  #collectionId(key: string): string | undefined {
    const found = this.#deps.schema.find(key)
    if (!found || found.type === 'view') return undefined
    return found.id === key || found.name === key ? found.id : undefined
  }
}

const unknownClient = () => new ApiError(404, 'Missing or invalid client id.')
