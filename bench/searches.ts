import { spawn } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { burst } from './load.ts'
import { getting, rounds } from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
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
  const pairs: { idle: number; busy: number; searches: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const idle = await slowest(candidate, path)
    const search = await beginSearching(candidate, String(round))
    const busy = await slowest(candidate, path)
    const searches = await search.answered()
    if (round >= 0) pairs.push({ idle, busy, searches })
  }
  const over = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
  const rows = [
    ['p99 of a record, ms', 'beside 4 searches, ms', 'ratio', 'searches a second'],
    [
      over(({ idle }) => idle).toFixed(2),
      over(({ busy }) => busy).toFixed(2),
      over(({ idle, busy }) => busy / idle).toFixed(2),
      over(({ searches }) => searches).toFixed(0),
    ],
  ]
  return `## Searches

One record again and again on one connection, without searches and beside them.

${table(rows)}
`
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
