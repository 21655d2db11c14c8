import { setTimeout } from 'node:timers/promises'

/** @returns what a proxy says of a client in that network */
export const proxyHeaders = (network: number) => ({ 'X-Forwarded-For': `203.0.113.${network}` })

/**
 * An honest visitor who looks at one address again and again.
 *
 * @param every milliseconds between the views
 * @param seen hears how many milliseconds each view took
 * @throws if any is not answered with 200
 */
export async function viewRepeatedly(
  address: string,
  { network, every, until }: { network: number; every: number; until: number },
  seen: (time: number) => void,
): Promise<void> {
  while (performance.now() < until) {
    const start = performance.now()
    const answer = await fetch(address, { headers: proxyHeaders(network) })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`an honest view was answered with ${answer.status}`)
    seen(performance.now() - start)
    await setTimeout(every)
  }
}
