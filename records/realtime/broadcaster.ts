import type { Database } from '../database/database.ts'
import { findRecord } from '../read/read.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Broker } from './broker.ts'
import { Message } from './client.ts'
import { eventJson, judge } from './judge.ts'
import type { News } from './events.ts'

type RecordNews = Extract<News, { collection: string }>

/** Milliseconds that a sign-out waits at most for what was to be told before it. */
const signOutWithin = 2000

interface HeraldDeps {
  database: Database
  schema: Schema
  broker: Broker
  report: (error: unknown) => void
}

/**
 * Tells this process's clients the news, in the order they come in: one is judged and sent before
 * the next is looked at, so that nobody hears of a record's changes in the wrong order.
 */
export class Herald {
  readonly #deps: HeraldDeps
  #telling: Promise<void> = Promise.resolve()

  constructor(deps: HeraldDeps) {
    this.#deps = deps
  }

  hear(news: Exclude<News, { action: 'subscribe' | 'answered' }>): void {
    if (news.action === 'signOut') return this.#signOutInTurn(news)
    if (news.action === 'whisper') return void this.#deps.broker.whisper(news)
    const collection = this.#deps.schema.find(news.collection)
    if (!collection || !this.#concerns(news, collection)) return
    this.#telling = this.#telling.then(() => this.#tell(news, collection)).catch(this.#deps.report)
  }

  /** Waits until all that came in is told. */
  settled(): Promise<void> {
    return this.#telling
  }

  #concerns(news: RecordNews, { id, type }: Collection): boolean {
    const { broker } = this.#deps
    if (news.action === 'delete') return news.farewells.length > 0
    if (type === 'auth' && broker.of(news.id).length) return true
    return broker.audiences(id, news.id).length > 0
  }

  async #tell(news: RecordNews, collection: Collection): Promise<void> {
    const { broker, database, schema, report } = this.#deps
    if (news.action === 'delete') {
      for (const { message, to } of news.farewells) {
        const said = new Message(message)
        for (const [place, name, account] of to) await broker.send({ place, name }, account, said)
      }
      return
    }
    if (collection.type === 'auth') await this.#refresh(collection, news.id)
    const audiences = broker.audiences(collection.id, news.id)
    const subject = { db: database, schema, collection, id: news.id }
    const heard = await judge(subject, audiences, report)
    const messages = new Map<string, Message>()
    for (const [{ topic, viewer }, record] of heard) {
      const message = messages.get(record) ?? new Message(eventJson(news.action, record))
      messages.set(record, message)
      await broker.send(topic, viewer?.id ?? '', message)
    }
  }

  async #refresh(collection: Collection, id: string): Promise<void> {
    const { broker, database } = this.#deps
    if (!broker.of(id).length) return
    const record = await findRecord(database, collection, id)
    if (record) broker.refresh({ id, collectionId: collection.id, record })
  }

  /** After what was committed before, the account's own deletion not least, if that is soon told. */
  #signOutInTurn(news: Extract<News, { action: 'signOut' }>): void {
    const late = setTimeout(() => this.#signOut(news), signOutWithin)
    this.#telling = this.#telling.then(() => {
      clearTimeout(late)
      this.#signOut(news)
    })
  }

  #signOut({ id, session }: Extract<News, { action: 'signOut' }>): void {
    const { broker } = this.#deps
    for (const client of broker.of(id))
      if (!session || client.viewer?.session === session) broker.revoke(client)
  }
}
