import { join } from 'node:path'
import { schema } from '#server/collections/schema.ts'
import { burst } from './load.ts'
import {
  compare,
  comparisonHead,
  connections,
  getFrom,
  isShort,
  measure,
  rounds,
  type Measured,
} from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { median, percentile, table, whole } from './table.ts'

const warmUp = isShort ? 0.05 : 4

/** Reading against the bare ceiling, which answers the same bytes from the same database. */
export async function reads(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const { user, shelf, record } = await seed(file)
  await using candidate = await startProduct(folder)
  const collectionId = schema.find('user_books')?.id ?? ''
  await using ceiling = await startServer([
    join(import.meta.dirname, 'ceiling.ts'),
    file,
    collectionId,
  ])
  const records = '/api/collections/user_books/records'
  const list = (field: string, value: string) =>
    `${records}?filter=${encodeURIComponent(`${field}="${value}"`)}&sort=-rating`
  const scenarios = {
    'one record': `${records}/${record}`,
    'list of 30, one shelf of 100': list('shelf', shelf),
    'list of 30, one reader with 500': list('user', user),
  }
  const against = [comparisonHead]
  for (const [name, path] of Object.entries(scenarios)) {
    await assertSameBytes(candidate, ceiling, path)
    against.push([name, ...(await compare(getFrom(path), candidate, ceiling))])
  }
  const pages = [['Page', 'connections', 'req/s', 'p50 ms', 'p99 ms', 'Octavo µs']]
  for (const many of [1, connections])
    pages.push(['/explore', String(many), ...(await page('/explore', many, candidate))])
  return `## Reading

The ceiling is a bare \`node:http\` server (bench/ceiling.ts) that answers the same bytes from the same database; a ratio of 1 is as good as it gets. µs is the processor time a server used for a request, which says most when the machine is busy with other things. 100 000 books of 200 readers.

${table(against)}

${table(pages)}
`
}

export async function assertSameBytes(
  a: ServerProcess,
  b: ServerProcess,
  path: string,
): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [a, b].map(async ({ origin }) => (await fetch(origin + path)).text()),
  )
  if (ours === theirs) return
  throw new Error(
    `the answers to ${path} differ:\n${ours?.slice(0, 600)}\n${theirs?.slice(0, 600)}`,
  )
}

async function page(path: string, many: number, candidate: ServerProcess): Promise<string[]> {
  // Rendering is much code, which takes seconds to be compiled well.
  await burst(new URL(candidate.origin), many, warmUp, getFrom(path)(candidate))
  const bursts: Measured[] = []
  for (let round = 0; round < rounds; round++)
    bursts.push(await measure(candidate, getFrom(path), many))
  const medianOf = (share: number) =>
    median(bursts.map(({ times }) => percentile(times, share))).toFixed(1)
  return [
    whole(median(bursts.map(({ rate }) => rate))),
    medianOf(0.5),
    medianOf(0.99),
    whole(median(bursts.map(({ cpu }) => cpu))),
  ]
}
