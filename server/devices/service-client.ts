import type * as z from 'zod'
import { isTimeout, openOutgoing, waitOf } from '#server/network/outgoing.ts'
import type { ConnectionProblem } from '#shared/connection.ts'

/** Why a service couldn't be read. */
export class ServiceError extends Error {
  readonly problem: ConnectionProblem
  /** Milliseconds for which the service asks to be left alone. */
  readonly wait: number
  /** Of its answer; 0 without one. */
  readonly status: number

  constructor(
    problem: ConnectionProblem,
    { wait = 0, status = 0, cause }: { wait?: number; status?: number; cause?: unknown } = {},
  ) {
    super(`a service could not be read: ${problem}`, { cause })
    this.problem = problem
    this.wait = wait
    this.status = status
  }
}

/** A request to a service. */
export interface ServiceRequest<T> {
  url: string
  /** As the service wants it, with the token. */
  authorization: string
  /** What the answer has to look like. */
  answer: z.ZodType<T>
  /** Sent as JSON with POST; GET without it. */
  body?: unknown
  signal: AbortSignal
}

/** Asks readers' services; see {@link openServices}. */
export interface Services {
  /** Whether an address may be asked, as far as that is known without looking up a name. */
  mayReach: (url: string) => boolean
  /** @throws ServiceError */
  ask<T>(request: ServiceRequest<T>): Promise<T>
  close(): Promise<void>
}

/**
 * @param networks private networks that may be reached besides the public internet
 * @param limits.within milliseconds until an answer has to be there
 * @param limits.bytes of an answer
 * @returns a client that follows no redirect and reads JSON of a limited size
 */
export function openServices(
  networks: readonly string[],
  { within = 30_000, bytes = 16 * 1024 * 1024 } = {},
): Services {
  const client = openOutgoing(networks)
  return {
    mayReach: client.mayReach,
    async ask({ url, authorization, answer, body, signal }) {
      if (!client.mayReach(url)) throw new ServiceError('away')
      try {
        const sent = await client.fetch(url, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            Accept: 'application/json',
            Authorization: authorization,
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.any([AbortSignal.timeout(within), signal]),
        })
        const { status } = sent
        if (status < 200 || status > 299) {
          await sent.body?.cancel()
          const wait = waitOf(sent.headers.get('retry-after'))
          throw new ServiceError(problemOf(status), { wait, status })
        }
        const parsed = answer.safeParse(toJson(await read(sent.body, bytes)))
        if (!parsed.success) throw new ServiceError('malformed', { cause: parsed.error })
        return parsed.data
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ServiceError) throw error
        throw new ServiceError(isTimeout(error) ? 'slow' : 'away', { cause: error })
      }
    },
    close: () => client.close(),
  }
}

function problemOf(status: number): ConnectionProblem {
  if (status === 401 || status === 403) return 'token'
  if (status === 429) return 'busy'
  return status >= 500 ? 'away' : 'malformed'
}

/** @returns undefined for what is no JSON, which no form of an answer allows */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function read(body: AsyncIterable<Uint8Array> | null, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Leaving the loop ends the transfer.
    if (size > most) throw new ServiceError('tooLarge')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
