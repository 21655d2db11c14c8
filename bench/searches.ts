import { spawn } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { burst } from './load.ts'
import { getting, rounds } from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import { searchPath } from './search-questions.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { median, table } from './table.ts'

const secondsEach = 2

/**
 * How long a record takes while the catalogue is being searched, on the starter catalogue or, with
 * `npm run bench -- searches FOLDER`, on the index that `npm run bench -- catalogue FOLDER` made.
 */
export async function searches(folder: string, indexed?: string): Promise<string> {
  const index = indexed === undefined ? '' : join(indexed, 'catalogue.db')
  if (existsSync(index)) copyFileSync(index, join(folder, 'catalogue.db'))
  const { record } = await seed(join(folder, 'octavo.db'))
  await using candidate = await startProduct(folder)
  const path = `/api/collections/user_books/records/${record}`
  const cost = await costOfSearch(candidate)
  const sizes = await Promise.all(
    [path, searchPath(0, 'size')].map((each) => bytesOf(candidate, each)),
  )
  await using ceiling = await startServer([
    join(import.meta.dirname, 'ceiling-searches.ts'),
    ...[...sizes, cost].map(String),
  ])
  const servers = [candidate, ceiling]
  const pairs = servers.map((): Pair[] => [])
  for (let round = -1; round < rounds; round++)
    for (const [i, server] of servers.entries()) {
      // By turns, so that both meet the same weather.
      const pair = await measured(server, path, String(round))
      if (round >= 0) pairs[i]?.push(pair)
    }
  const rows = pairs.map((ofServer, i) => {
    const over = (value: (pair: Pair) => number) => median(ofServer.map(value))
    return [
      ['Octavo', 'ceiling'][i] ?? '',
      over(({ idle }) => idle).toFixed(2),
      over(({ busy }) => busy).toFixed(2),
      over(({ idle, busy }) => busy / idle).toFixed(2),
      over(({ rate }) => rate).toFixed(0),
    ]
  })
  const head = ['', 'p99 of a record, ms', 'beside 4 searches, ms', 'ratio', 'searches a second']
  return `## Searches

One record again and again on one connection, without searches and beside them. The ceiling is a bare server whose threads burn the same ${cost} µs of processor time for a search and find nothing.

${table([head, ...rows])}
`
}

interface Pair {
  idle: number
  busy: number
  /** Searches a second. */
  rate: number
}

async function measured(server: ServerProcess, path: string, name: string): Promise<Pair> {
  const idle = await slowest(server, path)
  const searching = await beginSearching(server, name)
  const busy = await slowest(server, path)
  return { idle, busy, rate: await searching.answered() }
}

/** Microseconds of the server's processor time. */
async function costOfSearch(server: ServerProcess): Promise<number> {
  const answered = async (name: string) => (await beginSearching(server, name)).answered()
  await answered('warm')
  const before = server.cpuSeconds()
  const rate = await answered('cost')
  return Math.round(((server.cpuSeconds() - before) / (rate * secondsEach)) * 1e6)
}

async function bytesOf({ origin }: ServerProcess, path: string): Promise<number> {
  const answer = await fetch(origin + path)
  return (await answer.arrayBuffer()).byteLength
}

async function slowest(server: ServerProcess, path: string): Promise<number> {
  const { times } = await burst(new URL(server.origin), 1, secondsEach, getting(path)(server))
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** @returns once it has begun, what tells how many were answered a second */
async function beginSearching({ origin }: ServerProcess, name: string) {
  const script = join(import.meta.dirname, 'searching.ts')
  const child = spawn(process.execPath, [script, origin, String(secondsEach), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await said.next()
  return { answered: async () => Number((await said.next()).value) }
}
