import type { Viewer } from '../access/request.ts'

/** What one transaction has to tell, as it travels between processes: plain JSON. */
export type News =
  | { action: 'create' | 'update'; collection: string; id: string }
  | { action: 'delete'; collection: string; id: string; farewells: readonly Farewell[] }
  /** An account, or one of its sessions, is no longer signed in. */
  | { action: 'signOut'; id: string; session?: string }
  | ({ action: 'whisper' } & Whisper)
  | ({ action: 'subscribe' } & Subscribing)
  | ({ action: 'answered' } & Answered)

/** A word to one client, which has subscribed to it; by this it stops to listen for it. */
export interface Whisper {
  client: string
  topic: string
  /** JSON. */
  message: string
  /** Where it came from: nobody is told anything on behalf of another network. */
  network: string
}

/** What a client wants to hear, on its way to the process that the client is connected to. */
export interface Subscribing {
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
export interface Answered {
  number: string
  /** Absent if the client hears it now. */
  refusal?: { status: number; message: string; retryAfter?: number }
}

/** The last event of a record, and who hears it: judged while the record was there. */
export interface Farewell {
  message: string
  to: [place: string, topic: string, account: string][]
}

/** @returns where those who hear of a record have subscribed */
export function places(collection: string, id: string): [all: string, one: string] {
  return [`${collection}/*`, `${collection}/${id}`]
}
