import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a sign-in at a provider may take; seconds. */
const life = 15 * 60

const randomLength = 16
const expiryLength = 4
const macLength = 12

/**
 * The PKCE code verifier of a sign-in at a provider: 43 characters that only this server can create
 * and can recognise without storing them. The browser keeps it, the provider sees its hash, and the
 * nonce is derived from it, so only the browser that began the sign-in can use the code.
 *
 * @param purpose such as a collection and a provider
 * @param now seconds since 1970
 * @param seconds how long it is good for
 */
export function createCodeVerifier(
  secret: string,
  purpose: string,
  now: number,
  seconds = life,
): string {
  const expiry = Buffer.alloc(expiryLength)
  expiry.writeUInt32BE(Math.floor(now) + seconds)
  const body = Buffer.concat([randomBytes(randomLength), expiry])
  return Buffer.concat([body, mac(secret, purpose, body)]).toString('base64url')
}

/** @returns whether the verifier was made for this purpose, and not too long ago */
export function isCodeVerifier(
  secret: string,
  purpose: string,
  verifier: string,
  now: number,
): boolean {
  if (!/^[\w-]{43}$/.test(verifier)) return false
  const bytes = Buffer.from(verifier, 'base64url')
  const body = bytes.subarray(0, randomLength + expiryLength)
  return (
    timingSafeEqual(bytes.subarray(body.length), mac(secret, purpose, body)) &&
    body.readUInt32BE(randomLength) > now
  )
}

/** The nonce that the provider must put into the ID token, which ties the token to this sign-in. */
export function nonceOf(secret: string, verifier: string): string {
  return createHmac('sha256', secret).update(`oauth2 nonce ${verifier}`).digest('base64url')
}

function mac(secret: string, purpose: string, body: Buffer): Buffer {
  const hmac = createHmac('sha256', secret).update(`oauth2 verifier ${purpose} `).update(body)
  return hmac.digest().subarray(0, macLength)
}
