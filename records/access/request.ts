import type { Uploads } from '../files/uploads.ts'
import type { StoredRecord } from '../schema/values.ts'

/** The account a request is made by. */
export interface Viewer {
  id: string
  collectionId: string
  collectionName: string
  /** The session the token belongs to. */
  session: string
  /** Which of the session's tokens it is; absent where another kind of token was used. */
  generation?: number
  /** When the token ends, in milliseconds since 1970. */
  expires?: number
  record: StoredRecord
}

/** What of a request the rules can see, as `@request.*`. */
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
  /** Files that came along; the body says by which names, and that is all the rules see. */
  uploads?: Uploads | undefined
  /** Where it comes from, as limits count it, which no rule sees; absent for the process itself. */
  network?: string | undefined
}
