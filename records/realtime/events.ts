import type { Viewer } from '../filter/request.ts'
import type { WriteEvent } from '../write/events.ts'

/** What processes tell each other, as plain JSON: the events of writes, and messages to clients. */
export type RealtimeEvent =
  | WriteEvent
  | ({ action: 'direct' } & DirectMessage)
  | ({ action: 'subscribe' } & RelayedSubscription)
  | ({ action: 'answered' } & RelayedAnswer)

/** A message to one client that has subscribed to its topic, which ends that subscription. */
export interface DirectMessage {
  client: string
  topic: string
  /** JSON. */
  message: string
  /** The sender's network; a client only accepts messages from its own. */
  network: string
}

/** A client's subscriptions, on their way to the process it is connected to. */
export interface RelayedSubscription {
  /** Returned with the answer. */
  number: string
  client: string
  /**
   * The viewer of the request; null for a visitor. The other process reads the account's record
   * itself.
   */
  viewer: Omit<Viewer, 'record'> | null
  /** The IP address of the request. */
  address: string
  names: readonly string[]
}

/** The other process's answer. */
export interface RelayedAnswer {
  number: string
  /** Absent if the client is subscribed now. */
  refusal?: { status: number; message: string; retryAfter?: number }
}

/** @returns the channels of a record's events */
export function channelsOf(collection: string, id: string): [all: string, one: string] {
  return [`${collection}/*`, `${collection}/${id}`]
}
