import type { Transaction } from '../database/database.ts'
import type { Audience, Broker } from './broker.ts'
import type { News } from './events.ts'

/** How what one process writes comes to the ears of all. */
export interface Exchange {
  /** Has the news heard in every process, in the order of the commits, once `tx` is durable. */
  post(tx: Transaction, news: readonly News[]): Promise<void>
  /** Who listens to a record, in any process. */
  audiences(tx: Transaction, collection: string, id: string): Promise<Audience[]>
  /**
   * Resolves once this process hears of all that is committed from then on.
   *
   * @throws ApiError 503 if it cannot
   */
  ready(): Promise<void>
  /** What the ids of this process's clients begin with; there once it is ready. */
  readonly mark: string
  /** Whether a client with this id may be connected to another process. */
  isElsewhere(client: string): Promise<boolean>
  /** Resolves once every process knows what this one's clients listen to. */
  settled(): Promise<void>
  /** Clears what has been left behind; called every half minute or so. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The exchange of a database that has one process only. */
export function localExchange(broker: Broker, hear: (news: News) => void): Exchange {
  const done = () => Promise.resolve()
  return {
    async post(tx, news) {
      tx.afterCommit(() => news.forEach(hear))
    },
    audiences: async (_, collection, id) => broker.audiences(collection, id),
    ready: done,
    mark: '',
    isElsewhere: async () => false,
    settled: done,
    sweep: done,
    close: done,
  }
}
