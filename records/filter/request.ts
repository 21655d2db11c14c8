import type { Uploads } from '../files/uploads.ts'
import type { StoredRecord } from '../schema/values.ts'

/** What an API token may do; see `requireScope` in ../access/scope.ts. */
export interface TokenScope {
  /** `write` includes reading. */
  level: 'read' | 'write'
  /** The names of the collections it is limited to; empty for no limit. */
  collections: readonly string[]
}

/** The account a request is made by. */
export interface Viewer {
  id: string
  collectionId: string
  collectionName: string
  /** The session the token belongs to, or the id of the API token. */
  session: string
  /** Of an API token; absent for a session, which may do everything. */
  scope?: TokenScope | undefined
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
    | 'passkey'
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
