/** What one transaction has to tell, as it travels between processes: plain JSON. */
export type News =
  | { action: 'create' | 'update'; collection: string; id: string }
  | { action: 'delete'; collection: string; id: string; farewells: readonly Farewell[] }
  /** An account, or one of its sessions, is no longer signed in. */
  | { action: 'signOut'; id: string; session?: string }
  | ({ action: 'whisper' } & Whisper)

/** A word to one client, which has subscribed to it; by this it stops to listen for it. */
export interface Whisper {
  client: string
  topic: string
  /** JSON. */
  message: string
  /** Where it came from: nobody is told anything on behalf of another network. */
  network: string
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
