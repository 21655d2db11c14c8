import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** @returns a new secret, as Standard Webhooks writes one */
export function newSecret(): string {
  return prefix + randomBytes(24).toString('base64')
}

/**
 * The headers of Standard Webhooks.
 *
 * @param secrets those that the receiver may know
 * @param message.id the same in each attempt
 * @param message.at when this attempt is made, milliseconds since 1970
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: number },
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
