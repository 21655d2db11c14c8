import type { Agent } from 'undici'

/**
 * undici's `fetch`, loaded with the first request to save memory in processes that never need it.
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

/** @throws Error and aborts the transfer if the body exceeds the limit */
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
