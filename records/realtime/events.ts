import type { Viewer } from '../access/request.ts'

/** An event as it travels between processes: plain JSON. */
export type RealtimeEvent =
  | { action: 'create' | 'update'; collection: string; id: string }
  | { action: 'delete'; collection: string; id: string; deliveries: readonly DeleteEvent[] }
  /** An account, or one of its sessions, is no longer signed in. */
  | { action: 'signOut'; id: string; session?: string }
  | ({ action: 'direct' } & DirectMessage)
  | ({ action: 'subscribe' } & RelayedSubscription)
  | ({ action: 'answered' } & RelayedAnswer)

/** A message to one client that has subscribed to its topic, which ends that subscription. */
export interface DirectMessage {
  client: string
  topic: string
  /** JSON. */
  message: string
  /** Where it came from; a client only accepts messages from its own network. */
  network: string
}

/** A client's subscriptions, on their way to the process it is connected to. */
export interface RelayedSubscription {
  /** Comes back with the answer. */
  number: string
  client: string
  /** Whose session asks, null for a visitor; the account is read anew. */
  viewer: Omit<Viewer, 'record'> | null
  /** The network address that asks. */
  address: string
  names: readonly string[]
}

/** What that process answered. */
export interface RelayedAnswer {
  number: string
  /** Absent if the client is subscribed now. */
  refusal?: { status: number; message: string; retryAfter?: number }
}

/** A deletion's event and its recipients, found while the record was still there. */
export interface DeleteEvent {
  message: string
  to: [channel: string, topic: string, account: string][]
}

/** @returns the channels that a record's events go to */
export function channelsOf(collection: string, id: string): [all: string, one: string] {
  return [`${collection}/*`, `${collection}/${id}`]
}
