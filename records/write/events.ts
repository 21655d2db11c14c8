/** What a committed write has done, as plain JSON that goes to every process. */
export type WriteEvent =
  | {
      action: 'create' | 'update'
      collection: string
      id: string
      /** The only account that receives it, as others can't read what has changed. */
      owner?: string
    }
  | { action: 'delete'; collection: string; id: string; deliveries: readonly DeleteEvent[] }
  /** An account was signed out, or one of its sessions or API tokens. */
  | ({ action: 'signOut' } & SignedOut)

export interface SignedOut {
  /** The account. */
  id: string
  /** Absent for all of them. */
  session?: string
  /** Whether API tokens go on. */
  keepsTokens?: true
}

/** A delete event and its recipients, determined while the record still existed. */
export interface DeleteEvent {
  message: string
  to: [channel: string, topic: string, audience: string][]
}
