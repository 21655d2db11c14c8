import { setImmediate } from 'node:timers/promises'
import type { Viewer } from '../filter/request.ts'
import { ApiError } from '../errors.ts'
import { Client, Message, type Origin } from './client.ts'
import { clientNetwork, isSharedNetwork } from '../limits/address.ts'
import { channelsOf, type DirectMessage } from './events.ts'
import { audienceOf, type Topic } from './topic.ts'

/**
 * Milliseconds after which a client without an event, or one this old, is disconnected to
 * reconnect.
 */
const maxIdle = 5 * 60_000
const maxLife = 30 * 60_000

/** The limits on connections: to this process, of one account, and of one network's visitors. */
const atMost = { all: 12_000, account: 10, network: 20 }
/** Subscriptions of one account, or one network's visitors. Every event may check each of them. */
const maxTopics = 1000
/** Seconds after which a refused client may try again. */
const retryAfter = 10

/** The topic of clients that want to know when their session is ended elsewhere. */
const sessionTopic = '@session'
const sessionEnded = new Message(JSON.stringify({ action: 'ended' }))

/** Clients that receive the same events: those with the same subscription and viewer. */
export interface Audience {
  topic: Topic
  viewer: Viewer | null
}

/** The clients of each {@link audienceOf}, by the subscription's name. */
type Subscribers = Map<string, { topic: Topic; viewers: Map<string, Set<Client>> }>

/** The connected clients and their subscriptions. Knows nothing about records and rules. */
export class Broker {
  readonly #clients = new Map<string, Client>()
  readonly #channels = new Map<string, Subscribers>()
  readonly #accounts = new Map<string, Set<Client>>()
  /** The number of connections by {@link holder}. */
  readonly #held = new Map<string, number>()
  /** The number of subscriptions by {@link holder}. */
  readonly #asked = new Map<string, number>()
  readonly #now: () => number
  readonly #onAudience: (topic: Topic, account: string, isThere: boolean) => void

  /**
   * @param now milliseconds since 1970
   * @param onAudience called when an audience gets its first client and when it loses its last
   */
  constructor(
    now: () => number,
    onAudience: (topic: Topic, audience: string, isThere: boolean) => void = () => {},
  ) {
    this.#now = now
    this.#onAudience = onAudience
  }

  /** The number of connected clients. */
  get size(): number {
    return this.#clients.size
  }

  /**
   * @param idPrefix the beginning of the client's id
   * @throws ApiError 503 if the process has too many connections, 429 if the holder has
   */
  connect(origin: Origin, idPrefix = ''): Client {
    if (this.#clients.size >= atMost.all)
      throw noRoom(503, 'The server is busy. Please try again in a moment.')
    this.#refuseMore(origin.account, origin)
    const forget = (ended: Client) => {
      this.#leave(ended)
      this.#clients.delete(ended.id)
    }
    const client = new Client(origin, this.#now(), forget, idPrefix)
    this.#clients.set(client.id, client)
    this.#enter(client)
    const greeting = new Message(JSON.stringify({ clientId: client.id }))
    client.send('PB_CONNECT', greeting, this.#now())
    return client
  }

  find(id: string): Client | undefined {
    return this.#clients.get(id)
  }

  /**
   * Replaces a client's subscriptions and its viewer.
   *
   * @throws ApiError 429 if the account has too many connections, or the holder too many
   *   subscriptions
   */
  subscribe(client: Client, viewer: Viewer | null, topics: readonly Topic[]): void {
    const before = holder(client.viewer?.id, client.origin)
    const after = holder(viewer?.id, client.origin)
    if (viewer && before !== after) this.#refuseMore(viewer.id, client.origin)
    const more = topics.length - (before === after ? client.topics.size : 0)
    const isLimited = viewer !== null || !isSharedNetwork(clientNetwork(client.origin.address))
    if (isLimited && more > 0 && (this.#asked.get(after) ?? 0) + more > maxTopics) throw noRoom(429)
    this.#change(client, viewer, topics)
  }

  /** Makes the client a visitor from now on. */
  signOut(client: Client): void {
    if (client.viewer) this.#change(client, null, [...client.topics.values()])
  }

  /** Signs out a client whose session was ended, and notifies it if it has subscribed to that. */
  revoke(client: Client): void {
    if (!client.viewer) return
    if (client.topics.has(sessionTopic)) client.send(sessionTopic, sessionEnded, this.#now())
    this.signOut(client)
  }

  /** The audiences that may receive a record's events. */
  audiences(collection: string, id: string): Audience[] {
    const found: Audience[] = []
    if (!this.#channels.size) return found
    for (const channel of channelsOf(collection, id))
      for (const { topic, viewers } of this.#channels.get(channel)?.values() ?? [])
        for (const [client] of viewers.values()) found.push({ topic, viewer: client!.viewer })
    return found
  }

  /** Sends to the clients of an {@link audienceOf} that currently have the subscription. */
  async send(
    { channel, name }: Pick<Topic, 'channel' | 'name'>,
    audience: string,
    message: Message,
  ): Promise<void> {
    const now = this.#now()
    const clients = this.#channels.get(channel)?.get(name)?.viewers.get(audience) ?? []
    // A copy, as a client that renews its subscriptions in the meantime would come up twice.
    await withPauses([...clients], (client) => {
      if (!client.topics.has(name) || audienceOf(client.viewer) !== audience) return
      if ((client.viewer?.expires ?? Infinity) <= now) this.signOut(client)
      else client.send(name, message, now)
    })
  }

  /** @returns whether the client is connected here and was sent the message */
  sendDirect({ client: id, topic, message, network: from }: DirectMessage): boolean {
    const client = this.#clients.get(id)
    if (!client?.topics.has(topic) || clientNetwork(client.origin.address) !== from) return false
    client.send(topic, new Message(message), this.#now())
    const left = [...client.topics.values()].filter(({ name }) => name !== topic)
    this.subscribe(client, client.viewer, left)
    return true
  }

  /** @returns the connections of an account */
  of(account: string): Client[] {
    return [...(this.#accounts.get(account) ?? [])]
  }

  /** @returns the connections of signed-in clients */
  signedIn(): Client[] {
    const found = [...this.#accounts.values()].flatMap((clients) => [...clients])
    return found.filter(({ viewer }) => viewer !== null)
  }

  /** Updates an account's record in its connections. */
  refresh(account: Pick<Viewer, 'id' | 'collectionId' | 'record'>): void {
    for (const client of this.of(account.id))
      if (client.viewer?.collectionId === account.collectionId)
        client.viewer = { ...client.viewer, record: account.record }
  }

  /**
   * Sends heartbeats, signs out clients whose token has expired, and disconnects idle and old ones.
   */
  async sweep(): Promise<void> {
    const now = this.#now()
    await withPauses(this.#clients.values(), (client) => {
      if ((client.viewer?.expires ?? Infinity) <= now) this.signOut(client)
      if (now - client.lastSent >= maxIdle || now - client.opened >= maxLife) client.close()
      else client.beat()
    })
  }

  /** Disconnects every client; each reconnects and fetches what it shows again. */
  disconnectAll(): void {
    for (const client of this.#clients.values()) client.close()
  }

  /** Disconnects clients that hear of records; the others can't have missed an event of one. */
  disconnectSubscribers(): void {
    for (const client of this.#clients.values())
      if ([...client.topics.values()].some(({ channel }) => channel !== '')) client.close()
  }

  #change(client: Client, viewer: Viewer | null, topics: readonly Topic[]): void {
    if (!this.#clients.has(client.id)) return
    this.#leave(client)
    client.viewer = viewer
    client.topics = new Map(topics.map((topic) => [topic.name, topic]))
    this.#enter(client)
  }

  #enter(client: Client): void {
    const account = client.viewer?.id ?? ''
    if (account) this.#accounts.getOrInsertComputed(account, () => new Set()).add(client)
    add(this.#held, holder(account, client.origin), 1)
    add(this.#asked, holder(account, client.origin), client.topics.size)
    for (const topic of client.topics.values()) {
      if (!topic.channel) continue
      const listeners = this.#channels.getOrInsertComputed(
        topic.channel,
        (): Subscribers => new Map(),
      )
      const { viewers } = listeners.getOrInsertComputed(topic.name, () => ({
        topic,
        viewers: new Map(),
      }))
      const audience = audienceOf(client.viewer)
      const clients = viewers.getOrInsertComputed(audience, () => new Set<Client>())
      clients.add(client)
      if (clients.size === 1) this.#onAudience(topic, audience, true)
    }
  }

  #leave(client: Client): void {
    const account = client.viewer?.id ?? ''
    if (account) forget(this.#accounts, account, client)
    add(this.#held, holder(account, client.origin), -1)
    add(this.#asked, holder(account, client.origin), -client.topics.size)
    for (const topic of client.topics.values()) {
      const listeners = this.#channels.get(topic.channel)
      const viewers = listeners?.get(topic.name)?.viewers
      if (!listeners || !viewers) continue
      const audience = audienceOf(client.viewer)
      forget(viewers, audience, client)
      if (viewers.has(audience)) continue
      this.#onAudience(topic, audience, false)
      if (!viewers.size) listeners.delete(topic.name)
      if (!listeners.size) this.#channels.delete(topic.channel)
    }
  }

  #refuseMore(account: string, origin: Origin): void {
    const held = this.#held.get(holder(account, origin)) ?? 0
    if (
      account
        ? held >= atMost.account
        : held >= atMost.network && !isSharedNetwork(clientNetwork(origin.address))
    )
      throw noRoom(429)
  }
}

/** Pauses regularly, as thousands of writes in one go would block requests. */
async function withPauses(clients: Iterable<Client>, work: (client: Client) => void) {
  let done = 0
  for (const client of clients) {
    work(client)
    if (++done % 500 === 0) await setImmediate()
  }
}

/**
 * The account or network whose limits a connection counts towards: the account it is signed in to
 * or whose cookie it sent, otherwise its network.
 */
function holder(account: string | undefined, { address, account: cookie }: Origin): string {
  return account || cookie || clientNetwork(address)
}

function noRoom(status: number, message = ''): ApiError {
  const error = new ApiError(status, message)
  error.retryAfter = retryAfter
  return error
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count) counts.set(key, count)
  else counts.delete(key)
}

function forget(map: Map<string, Set<Client>>, key: string, client: Client): void {
  const clients = map.get(key)
  clients?.delete(client)
  if (clients?.size === 0) map.delete(key)
}
