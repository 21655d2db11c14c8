import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { burst } from './load.ts'
import { getFrom, isShort, rounds } from './measure.ts'
import type { ServerProcess } from './server-process.ts'
import { median, percentile } from './table.ts'

const secondsEach = isShort ? 0.1 : 2

interface LoadComparison {
  /** Milliseconds, the 99th percentile: without anything else, and beside it. */
  idle: string
  busy: string
  ratio: string
  /** How many of the others were answered a second. */
  others: string
}

/**
 * How long what is asked for takes, without anything else and beside it. The other requests come from
 * a process of their own: who measures has nothing besides to do.
 *
 * @param script of the other process, in this folder; it is told the origin, the seconds and the
 *   round, says a line when it begins, and at the end how many were answered a second
 */
export async function underConcurrentLoad(
  script: string,
  server: ServerProcess,
  path: string,
  connections: number,
): Promise<LoadComparison> {
  const pairs: { idle: number; busy: number; others: number }[] = []
  for (let round = isShort ? 0 : -1; round < rounds; round++) {
    const idle = await slowest(server, path, connections)
    const others = await begin(script, server, round)
    const busy = await slowest(server, path, connections)
    const answered = await others()
    if (round >= 0) pairs.push({ idle, busy, others: answered })
  }
  const over = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
  return {
    idle: over(({ idle }) => idle).toFixed(2),
    busy: over(({ busy }) => busy).toFixed(2),
    ratio: over(({ busy, idle }) => busy / idle).toFixed(2),
    others: over(({ others }) => others).toFixed(0),
  }
}

async function slowest(server: ServerProcess, path: string, connections: number): Promise<number> {
  const ask = getFrom(path)(server)
  const { times } = await burst(new URL(server.origin), connections, secondsEach, ask)
  return percentile(times, 0.99)
}

/** @returns once it has begun, what tells how many were answered a second */
async function begin(script: string, { origin }: ServerProcess, round: number) {
  const args = [join(import.meta.dirname, script), origin, String(secondsEach), String(round)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await said.next()
  return async () => Number((await said.next()).value)
}
