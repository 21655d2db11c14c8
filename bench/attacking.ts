/**
 * Attacks a server in a process of its own that yields the processor to the server and to who measures,
 * as if it were elsewhere. Arguments: the server's origin, a reader's id, how many seconds, the
 * networks that send one request after the other, by commas, and the name of the only attack, if it
 * is to be one. Says at the end, as JSON, how often each attack was answered with which status.
 */
import { setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { attacks, type Attack } from './hostile.ts'
import { proxyHeaders } from './visitors.ts'

const [, , origin = '', user = '', seconds, networks = '', only] = process.argv
const answers: Record<string, Record<string, number>> = {}

setPriority(10)
const until = performance.now() + Number(seconds) * 1000
await Promise.all(networks.split(',').map((network, n) => attack(Number(network), n)))
console.log(JSON.stringify(answers))

async function attack(network: number, first: number): Promise<void> {
  const all = attacks(user).filter((make) => !only || make().name === only)
  for (let n = first; performance.now() < until; n++) {
    const one = all[n % all.length]!()
    const status = await sent(one, network)
    const statuses = (answers[one.name] ??= {})
    statuses[status] = (statuses[status] ?? 0) + 1
    // Whoever is refused comes back at once, but a machine has only so many processors.
    if (status === '429') await setTimeout(20)
  }
}

async function sent(attack: Attack, network: number): Promise<string> {
  try {
    const { method, path, headers, body } = attack
    const answer = await fetch(origin + path, {
      method,
      headers: { ...proxyHeaders(network), ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(30_000),
    })
    await answer.arrayBuffer()
    return String(answer.status)
  } catch (error) {
    return error instanceof DOMException ? 'no answer in 30 s' : 'connection ended'
  }
}
