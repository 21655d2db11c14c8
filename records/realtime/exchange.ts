import type { Transaction } from '../database/database.ts'
import type { Audience, Broker } from './broker.ts'
import type { RealtimeEvent } from './events.ts'

/** Delivers the events of one process to the clients of all processes. */
export interface Exchange {
  /** Delivers the events to every process, in the order of commits, once `tx` is durable. */
  post(tx: Transaction, events: readonly RealtimeEvent[]): Promise<void>
  /** The subscribers to a record, in any process. */
  audiences(tx: Transaction, collection: string, id: string): Promise<Audience[]>
  /**
   * Resolves once this process receives every event committed from then on.
   *
   * @throws ApiError 503 if it can't
   */
  ready(): Promise<void>
  /** The beginning of the ids of this process's clients; set once it is ready. */
  readonly idPrefix: string
  /** Whether a client with this id may be connected to another process. */
  isElsewhere(client: string): Promise<boolean>
  /** Resolves once every process knows the subscriptions of this one's clients. */
  settled(): Promise<void>
  /**
   * Deletes what stopped processes and old events have left behind; called about every half minute.
   */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The exchange for a database with only one process. */
export function localExchange(broker: Broker, receive: (event: RealtimeEvent) => void): Exchange {
  const done = () => Promise.resolve()
  return {
    async post(tx, events) {
      tx.afterCommit(() => events.forEach(receive))
    },
    audiences: async (_, collection, id) => broker.audiences(collection, id),
    ready: done,
    idPrefix: '',
    isElsewhere: async () => false,
    settled: done,
    sweep: done,
    close: done,
  }
}
