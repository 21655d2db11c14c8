import type { Database } from '../database/database.ts'
import { findRecord } from '../read/read.ts'
import type { SignedOut } from '../write/events.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Broker } from './broker.ts'
import { Message } from './client.ts'
import { eventJson, visibleTo } from './visibility.ts'
import type { RealtimeEvent } from './events.ts'
import { audienceOf } from './topic.ts'

type RecordEvent = Extract<RealtimeEvent, { collection: string }>

/** Milliseconds that a sign-out waits for earlier events. */
const signOutWithin = 2000

interface BroadcasterDeps {
  database: Database
  schema: Schema
  broker: Broker
  report: (error: unknown) => void
}

/**
 * Sends events to this process's clients in the order they arrive. Each is checked and sent before
 * the next, so that nobody receives a record's changes in the wrong order.
 */
export class Broadcaster {
  readonly #deps: BroadcasterDeps
  #delivering: Promise<void> = Promise.resolve()

  constructor(deps: BroadcasterDeps) {
    this.#deps = deps
  }

  receive(event: Exclude<RealtimeEvent, { action: 'subscribe' | 'answered' }>): void {
    if (event.action === 'signOut') return this.#signOutInOrder(event)
    if (event.action === 'direct') return void this.#deps.broker.sendDirect(event)
    const collection = this.#deps.schema.find(event.collection)
    if (!collection || !this.#concerns(event, collection)) return
    this.#delivering = this.#delivering
      .then(() => this.#deliver(event, collection))
      .catch(this.#deps.report)
  }

  /** Resolves once every event received so far is sent. */
  settled(): Promise<void> {
    return this.#delivering
  }

  #concerns(event: RecordEvent, { id, type }: Collection): boolean {
    const { broker } = this.#deps
    if (event.action === 'delete') return event.deliveries.length > 0
    if (type === 'auth' && broker.of(event.id).length) return true
    return broker.audiences(id, event.id).length > 0
  }

  async #deliver(event: RecordEvent, collection: Collection): Promise<void> {
    const { broker, database, schema, report } = this.#deps
    if (event.action === 'delete') {
      for (const { message, to } of event.deliveries) {
        const encoded = new Message(message)
        for (const [channel, name, audience] of to)
          await broker.send({ channel, name }, audience, encoded)
      }
      return
    }
    if (collection.type === 'auth') await this.#refresh(collection, event.id)
    const { owner } = event
    const all = broker.audiences(collection.id, event.id)
    const audiences = owner === undefined ? all : all.filter(({ viewer }) => viewer?.id === owner)
    const subject = { db: database, schema, collection, id: event.id }
    const recipients = await visibleTo(subject, audiences, report)
    const messages = new Map<string, Message>()
    for (const [{ topic, viewer }, record] of recipients) {
      const message = messages.get(record) ?? new Message(eventJson(event.action, record))
      messages.set(record, message)
      await broker.send(topic, audienceOf(viewer), message)
    }
  }

  async #refresh(collection: Collection, id: string): Promise<void> {
    const { broker, database } = this.#deps
    if (!broker.of(id).length) return
    const record = await findRecord(database, collection, id)
    if (record) broker.refresh({ id, collectionId: collection.id, record })
  }

  /**
   * Signs out after earlier events, such as the account's own deletion, unless they take too long.
   */
  #signOutInOrder(event: Extract<RealtimeEvent, { action: 'signOut' }>): void {
    const late = setTimeout(() => this.#signOut(event), signOutWithin)
    this.#delivering = this.#delivering.then(() => {
      clearTimeout(late)
      this.#signOut(event)
    })
  }

  #signOut({ id, session, keepsTokens }: SignedOut): void {
    const { broker } = this.#deps
    for (const client of broker.of(id)) {
      if (session && client.viewer?.session !== session) continue
      if (!keepsTokens || !client.viewer?.scope) broker.revoke(client)
    }
  }
}
