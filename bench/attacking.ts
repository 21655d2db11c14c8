/**
 * Attacks a server in a process of its own that yields the processor to the server and to who measures,
 * as if it were elsewhere. Argument: {@link Attacking} as JSON. Prints at the end, as JSON, how often
 * each attack was answered with which status.
 */
import { setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { attacks, type Attack, type Targets } from './hostile.ts'
import { proxyHeaders } from './visitors.ts'

export interface Attacking {
  /** The server's address. */
  origin: string
  targets: Targets
  seconds: number
  /** Each sends one request after the other. */
  networks: readonly number[]
  /** The name of the only attack; all if absent. */
  only?: string | undefined
}

const { origin, targets, seconds, networks, only } = JSON.parse(process.argv[2]!) as Attacking
const answers: Record<string, Record<string, number>> = {}

setPriority(10)
const until = performance.now() + seconds * 1000
await Promise.all(networks.map((network, n) => attack(network, n)))
console.log(JSON.stringify(answers))

async function attack(network: number, first: number): Promise<void> {
  const all = attacks(targets).filter((make) => !only || make().name === only)
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
