/** The secret addresses of a reader's own feed and calendar. */
export interface PrivateFeed {
  id: string
  user: string
  /** To the hour; '' until they are used. */
  last_used: string
  created: string
}

/** The same as the answer to their creation has them, which alone shows the secret. */
export interface NewPrivateFeed extends PrivateFeed {
  secret: string
}
