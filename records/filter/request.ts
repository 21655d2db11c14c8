import type { Uploads } from '../files/uploads.ts'
import type { StoredRecord } from '../schema/values.ts'

/** The account a request is made by. */
export interface Viewer {
  id: string
  collectionId: string
  collectionName: string
  /** The session the token belongs to. */
  session: string
  /** Which of the session's tokens was used; absent for another kind of token. */
  generation?: number
  /** When the token ends, in milliseconds since 1970. */
  expires?: number
  record: StoredRecord
}

/** The parts of a request that rules can see, as `@request.*`. */
export interface RequestInfo {
  context:
    | 'default'
    | 'expand'
    | 'realtime'
    | 'protectedFile'
    | 'batch'
    | 'oauth2'
    | 'otp'
    | 'password'
  method: string
  /** First value of each key. */
  query: Readonly<Record<string, string>>
  /** Names in lower snake case: `X-Token` is `x_token`. */
  headers: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>>
  /** null for a visitor. */
  viewer: Viewer | null
  /** The uploaded files. Rules only see their names, in the body. */
  uploads?: Uploads | undefined
  /**
   * The network that rate limits count the request for. Rules can't see it; absent for calls made
   * inside the process.
   */
  network?: string | undefined
}
