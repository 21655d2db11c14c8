import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import type { Viewer } from '../filter/request.ts'
import { readSession } from './sessions.ts'
import type { Core } from '../write/core.ts'

/** Seconds. Short, because the token is part of a URL, where others may see it. */
const life = 120

/**
 * Short-lived tokens for loading files where no header can be sent. They end with the session they
 * were created in, and give access to nothing but files.
 */
export class FileTokens {
  readonly #core: Core
  readonly #secret: string

  constructor(core: Core, secret: string) {
    this.#core = core
    this.#secret = secret
  }

  sign({ id, collectionId, session, record }: Viewer): Promise<string> {
    const exp = Math.floor(this.#core.now().getTime() / 1000) + life
    return new SignJWT({ type: 'file', id, collectionId, sid: session, exp })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(this.#key(String(record['tokenKey'])))
  }

  /** @returns the token's viewer; null if the token is invalid or has expired */
  async viewer(token: string): Promise<Viewer | null> {
    const claims = readClaims(token)
    const collection = claims && this.#core.schema.find(claims.collectionId)
    if (!claims || collection?.type !== 'auth') return null
    const now = this.#core.now()
    const session = await readSession(this.#core.database, collection, claims.sid, now.getTime())
    if (!session || session.record.id !== claims.id) return null
    try {
      const key = this.#key(String(session.record['tokenKey']))
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
      record: session.record,
    }
  }

  /** Differs from the key of session tokens, so that neither token can pass for the other. */
  #key(tokenKey: string): Uint8Array {
    return new TextEncoder().encode(`file:${tokenKey}${this.#secret}`)
  }
}

function readClaims(token: string): { id: string; collectionId: string; sid: string } | null {
  try {
    const { type, id, collectionId, sid }: Record<string, unknown> = decodeJwt(token)
    if (type !== 'file' || !isKey(id) || !isKey(collectionId) || !isKey(sid)) return null
    return { id, collectionId, sid }
  } catch {
    return null
  }
}

/** These values reach the database before the token is verified. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,100}$/.test(value)
}
