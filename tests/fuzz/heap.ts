/** What a server holds in memory, asked of its debugger. */

import type { Octavo } from '#tests/octavo.ts'

/** Settings under which {@link heapUsed} can be asked. */
export const withDebugger = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** @returns bytes that are still in use after a garbage collection */
export async function heapUsed(octavo: Octavo): Promise<number> {
  // A start begins its process anew once, with another debugger.
  const url = [...octavo.output().matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1]
  if (!url) throw new Error('the server was started without its debugger')
  const socket = new WebSocket(url)
  const message = (type: string) =>
    new Promise<MessageEvent<string>>((resolve) =>
      socket.addEventListener(type, (event) => resolve(event as MessageEvent<string>), {
        once: true,
      }),
    )
  await message('open')
  const ask = async (method: string) => {
    const answer = message('message')
    socket.send(JSON.stringify({ id: 1, method }))
    return JSON.parse((await answer).data) as { result: { usedSize: number } }
  }
  await ask('HeapProfiler.collectGarbage')
  const { result } = await ask('Runtime.getHeapUsage')
  socket.close()
  return result.usedSize
}
