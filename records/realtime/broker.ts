import type { Viewer } from '../access/request.ts'
import { Client } from './client.ts'
import type { Topic } from './topic.ts'

const heartbeat = 25_000
/** Without an event for so long, or this old, a client is sent away to connect anew. */
const idleAtMost = 5 * 60_000
const lifeAtMost = 30 * 60_000

/** Each costs about 10 KB. */
const clientsAtMost = 12_000

/** The clients that hear the same of an event: one subscription as one viewer. */
export interface Audience {
  topic: Topic
  viewer: Viewer | null
  clients: Client[]
}

/** Who is connected and what they subscribed to. Knows nothing of records and rules. */
export class Broker {
  readonly #clients = new Map<string, Client>()
  /** By collection, then by subscription. */
  readonly #topics = new Map<string, Map<string, Set<Client>>>()
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now
    this.#timer = setInterval(() => this.sweep(), heartbeat)
    this.#timer.unref()
  }

  /** @returns undefined when there is no room for another */
  connect(address: string): Client | undefined {
    if (this.#clients.size >= clientsAtMost) return undefined
    const client = new Client(address, this.#now(), (ended) => {
      this.subscribe(ended, [])
      this.#clients.delete(ended.id)
    })
    this.#clients.set(client.id, client)
    client.send('PB_CONNECT', JSON.stringify({ clientId: client.id }), this.#now())
    return client
  }

  find(id: string): Client | undefined {
    return this.#clients.get(id)
  }

  /** Replaces all that the client is subscribed to. */
  subscribe(client: Client, topics: readonly Topic[]): void {
    for (const topic of client.topics.values()) {
      const names = this.#topics.get(topic.collection)
      names?.get(topic.name)?.delete(client)
      if (names?.get(topic.name)?.size === 0) names.delete(topic.name)
      if (names?.size === 0) this.#topics.delete(topic.collection)
    }
    client.topics = new Map(topics.map((topic) => [topic.name, topic]))
    for (const topic of client.topics.values()) {
      let names = this.#topics.get(topic.collection)
      if (!names) this.#topics.set(topic.collection, (names = new Map()))
      const clients = names.get(topic.name)
      if (clients) clients.add(client)
      else names.set(topic.name, new Set([client]))
    }
  }

  /** @returns whether anybody may have to hear of a record; cheap */
  isHeard(collections: readonly string[]): boolean {
    return collections.some((collection) => this.#topics.has(collection))
  }

  /**
   * Who has to be asked about an event of a record.
   *
   * @param collections the id and the name of its collection
   */
  audiences(collections: readonly string[], record: string): Audience[] {
    const found: Audience[] = []
    for (const names of collections.map((collection) => this.#topics.get(collection)))
      for (const [name, clients] of names ?? []) {
        const topic = clients.values().next().value?.topics.get(name)
        if (!topic || (topic.record !== '*' && topic.record !== record)) continue
        for (const group of Map.groupBy(clients, (client) => client.viewer?.id).values())
          found.push({ topic, viewer: group[0]!.viewer, clients: group })
      }
    return found
  }

  /** Sends to those of the audience who are still what they were when it was asked. */
  send(audience: Audience, json: string): void {
    for (const client of audience.clients)
      if (client.viewer?.id === audience.viewer?.id && client.topics.has(audience.topic.name))
        client.send(audience.topic.name, json, this.#now())
  }

  /** @returns the connections of an account */
  of(viewer: string): Client[] {
    return [...this.#clients.values()].filter((client) => client.viewer?.id === viewer)
  }

  /** Beats every heart and parts with what is idle, old or no longer signed in. */
  sweep(): void {
    const now = this.#now()
    for (const client of this.#clients.values()) {
      if ((client.viewer?.expires ?? Infinity) <= now) client.viewer = null
      if (now - client.lastSent >= idleAtMost || now - client.opened >= lifeAtMost) client.close()
      else client.beat()
    }
  }

  close(): void {
    clearInterval(this.#timer)
    for (const client of this.#clients.values()) client.close()
  }
}
