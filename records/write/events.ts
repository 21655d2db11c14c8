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
  /** An account, or one of its sessions, was signed out. */
  | { action: 'signOut'; id: string; session?: string }

/** A delete event and its recipients, determined while the record still existed. */
export interface DeleteEvent {
  message: string
  to: [channel: string, topic: string, account: string][]
}
