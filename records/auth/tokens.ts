import { jwtVerify, SignJWT, decodeJwt } from 'jose'
import { LRUCache } from 'lru-cache'

/** A session token's claims. `exp` is in seconds since 1970. */
interface Claims {
  type: 'auth'
  id: string
  collectionId: string
  refreshable: boolean
  exp: number
  /** The session. */
  sid: string
  /** Which of the session's tokens it is; see ./rotation.ts. */
  gen: number
}

/** Verified tokens to cache; about 400 bytes each. */
const maxVerified = 20_000

/** Signs and reads session tokens. A token is invalid once the account's `tokenKey` has changed. */
export class Tokens {
  readonly #secret: string
  readonly #verified = new LRUCache<string, { claims: Claims; tokenKey: string }>({
    // Sizes of 1 rather than `max`, which would allocate the memory up front.
    maxSize: maxVerified,
    sizeCalculation: () => 1,
  })

  constructor(secret: string) {
    this.#secret = secret
  }

  sign(claims: Claims, tokenKey: string): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(this.#key(tokenKey))
  }

  /** @returns the token's claims, not yet verified; null if it isn't a session token */
  read(token: string): Claims | null {
    const known = this.#verified.get(token)
    if (known) return known.claims
    try {
      const claims: Partial<Record<keyof Claims, unknown>> = decodeJwt(token)
      const { type, id, collectionId, sid, exp, gen = 0 } = claims
      if (type !== 'auth' || typeof exp !== 'number') return null
      if (!isKey(id) || !isKey(collectionId) || !isKey(sid) || !Number.isSafeInteger(gen))
        return null
      const refreshable = claims.refreshable === true
      return { type, id, collectionId, refreshable, exp, sid, gen: Number(gen) }
    } catch {
      return null
    }
  }

  /**
   * Whether the token was signed with this account's key. The signature is verified once; after
   * that, only the key is compared.
   */
  async verify(token: string, claims: Claims, tokenKey: string, now: Date): Promise<boolean> {
    if (claims.exp * 1000 <= now.getTime()) return false
    const known = this.#verified.get(token)
    if (known?.tokenKey === tokenKey) return true
    try {
      await jwtVerify(token, this.#key(tokenKey), { algorithms: ['HS256'], currentDate: now })
    } catch {
      return false
    }
    this.#verified.set(token, { claims, tokenKey })
    return true
  }

  #key(tokenKey: string): Uint8Array {
    return new TextEncoder().encode(tokenKey + this.#secret)
  }
}

/** These values reach the database before the token is verified. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,100}$/.test(value)
}
