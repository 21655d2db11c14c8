import type { Agent } from 'undici'

/**
 * undici's `fetch`, which is loaded with the first request: it takes memory that most processes have
 * no use for.
 */
export function lazyFetch(options: Agent.Options) {
  let opening: ReturnType<typeof open> | undefined
  const open = async () => {
    const undici = await import('undici')
    return { agent: new undici.Agent(options), fetch: undici.fetch }
  }
  return {
    async fetch(...[input, init]: Parameters<typeof import('undici').fetch>) {
      const { agent, fetch } = await (opening ??= open())
      return fetch(input, { ...init, dispatcher: agent })
    },
    close: async () => (await opening)?.agent.destroy(),
  }
}

/** @throws Error, which ends the transfer, for a body of more than so many bytes */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  max: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > max) throw new Error(`sent more than ${max} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
