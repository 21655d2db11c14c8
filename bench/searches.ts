import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { burst } from './load.ts'
import { getting, rounds } from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { median, table } from './table.ts'

const searching = 4
const secondsEach = 2

/** Most are mistyped, which takes the longest to answer; each is asked for once. */
const titles = ['pride and predjudice', 'the grate gatzby', 'wuthering hights', 'huckelberry fin']
const words = ['love', 'the', 'history of', 'war', 'stories from']

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
    const end = new AbortController()
    const loops = Array.from({ length: searching }, (_, i) =>
      keepSearching(candidate, `${round} ${i}`, end.signal),
    )
    const busy = await slowest(candidate, path)
    end.abort()
    const answered = await Promise.all(loops)
    const searches = answered.reduce((sum, each) => sum + each, 0) / secondsEach
    if (round >= 0) pairs.push({ idle, busy, searches })
  }
  const over = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
  const rows = [
    ['p99 of a record, ms', `beside ${searching} searches, ms`, 'ratio', 'searches a second'],
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

/** @returns how many were answered */
async function keepSearching(
  server: ServerProcess,
  name: string,
  end: AbortSignal,
): Promise<number> {
  let answered = 0
  while (!end.aborted) {
    const asked = `${words[answered % words.length]} ${titles[answered % titles.length]} ${name}${answered}`
    const url = `${server.origin}/api/v1/book-info/search?q=${encodeURIComponent(asked)}`
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
    await answer.arrayBuffer()
    answered += 1
  }
  return answered
}
