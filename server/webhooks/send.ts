import { isTimeout, openOutgoing, waitOf } from '#server/network/outgoing.ts'
import { answerWithin, type WebhookDelivery } from '#shared/webhook.ts'

/** The most bytes of an answer that are read, and the most characters that are logged. */
const maxRead = 2000
const maxExcerpt = 200

/** What came of an attempt. */
export interface Answer {
  /** 0 for none. */
  status: number
  excerpt: string
  failure: WebhookDelivery['failure']
  /** Milliseconds for which the address asks not to be tried again. */
  wait: number
}

/** Sends webhooks; see {@link openSender}. */
export interface Sender {
  /** Whether the address may be sent to, as far as that is known without looking up a name. */
  mayReach: (url: string) => boolean
  post(
    url: string,
    message: { body: string; headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Answer>
  close(): Promise<void>
}

/**
 * @param networks private networks that may be reached besides the public internet
 * @param within milliseconds until an attempt ends
 * @returns a client that sends nothing but what it is given, follows no redirect, and reads little of
 *   an answer
 */
export function openSender(networks: readonly string[], within = answerWithin * 1000): Sender {
  const client = openOutgoing(networks)
  const { mayReach } = client
  return {
    mayReach,
    async post(url, { body, headers, signal }) {
      const timeout = AbortSignal.timeout(within)
      try {
        if (!mayReach(url)) return { ...noAnswer, failure: 'unreachable' }
        const answer = await client.fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body,
          signal: AbortSignal.any([timeout, signal]),
        })
        const wait = waitOf(answer.headers.get('retry-after'))
        // The status decides; what is said about it may be cut off.
        const excerpt = await beginning(answer.body).catch(() => '')
        return { status: answer.status, excerpt, failure: '', wait }
      } catch (error) {
        return { ...noAnswer, failure: isTimeout(error) ? 'timeout' : 'unreachable' }
      }
    },
    close: () => client.close(),
  }
}

const noAnswer = { status: 0, excerpt: '', wait: 0 }

async function beginning(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    // Leaving the loop ends the transfer.
    if (size >= maxRead) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxRead))
  const printable = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return [...printable].slice(0, maxExcerpt).join('')
}
