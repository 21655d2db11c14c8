import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import type { TokenScope, Viewer } from '../filter/request.ts'
import { readViewerAccount } from './credential.ts'
import type { Core } from '../write/core.ts'

/** Seconds. Short, because the token is part of a URL, where others may see it. */
const life = 120

/**
 * Short-lived tokens for loading files where no header can be sent. They end with the session or
 * API token they were created with, and give access to nothing but files.
 */
export class FileTokens {
  readonly #core: Core
  readonly #secret: string

  constructor(core: Core, secret: string) {
    this.#core = core
    this.#secret = secret
  }

  sign({ id, collectionId, session, scope, record }: Viewer): Promise<string> {
    const exp = Math.floor(this.#core.now().getTime() / 1000) + life
    return new SignJWT({ type: 'file', id, collectionId, sid: session, scope, exp })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(this.#key(String(record['tokenKey'])))
  }

  /** @returns the token's viewer; null if the token is invalid or has expired */
  async viewer(token: string): Promise<Viewer | null> {
    const claims = readClaims(token)
    const collection = claims && this.#core.schema.find(claims.collectionId)
    if (!claims || collection?.type !== 'auth') return null
    const { database, schema } = this.#core
    const now = this.#core.now()
    const origin = { ...claims, session: claims.sid }
    const record = await readViewerAccount(database, schema, origin, now.getTime())
    if (record?.id !== claims.id) return null
    try {
      const key = this.#key(String(record['tokenKey']))
      await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now })
    } catch {
      return null
    }
    const { id, name } = collection
    return {
      id: claims.id,
      collectionId: id,
      collectionName: name,
      session: claims.sid,
      scope: claims.scope,
      record,
    }
  }

  /** Differs from the key of session tokens, so that neither token can pass for the other. */
  #key(tokenKey: string): Uint8Array {
    return new TextEncoder().encode(`file:${tokenKey}${this.#secret}`)
  }
}

interface Claims {
  id: string
  collectionId: string
  /** The session or API token. */
  sid: string
  scope: TokenScope | undefined
}

function readClaims(token: string): Claims | null {
  try {
    const { type, id, collectionId, sid, scope }: Record<string, unknown> = decodeJwt(token)
    if (type !== 'file' || !isKey(id) || !isKey(collectionId) || !isKey(sid)) return null
    // The signature is checked before the scope counts.
    return { id, collectionId, sid, scope: scope as TokenScope | undefined }
  } catch {
    return null
  }
}

/** These values reach the database before the token is verified. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,100}$/.test(value)
}
