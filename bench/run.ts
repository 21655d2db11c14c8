/**
 * Measures the running product against the bare ceiling, both in this run and by turns, and writes
 * the table to bench/last-run.md; `npm run bench -- realtime` is another matter, see ./realtime.ts.
 * Not a test: it fails only when the answers differ.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { schema } from '#server/library/collections.ts'
import { burst, type Burst } from './load.ts'
import { realtime } from './realtime.ts'
import { seed } from './seed.ts'
import { startServer, type ServerProcess } from './server-process.ts'

const connections = 16
const rounds = 7
const secondsEach = 1
const warmUp = 4

interface Measured extends Burst {
  /** Requests per second. */
  rate: number
  /** Microseconds of the server's processor time a request. */
  cpu: number
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
const running: ServerProcess[] = []
try {
  await (process.argv[2] === 'realtime' ? realtime() : main())
} finally {
  await Promise.all(running.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const file = join(folder, 'octavo.db')
  const { user, shelf, record } = await seed(file)
  const candidate = await startServer([join(import.meta.dirname, '../server/start.ts')], {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: '',
    CATALOGUE_SOURCES: '',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    NODE_ENV: 'production',
  })
  running.push(candidate)
  const collectionId = schema.find('user_books')?.id ?? ''
  const ceiling = await startServer([join(import.meta.dirname, 'ceiling.ts'), file, collectionId])
  running.push(ceiling)

  const records = '/api/collections/user_books/records'
  const list = (field: string, value: string) =>
    `${records}?filter=${encodeURIComponent(`${field}="${value}"`)}&sort=-rating`
  const scenarios = {
    'one record': `${records}/${record}`,
    'list of 30, one shelf of 100': list('shelf', shelf),
    'list of 30, one reader with 500': list('user', user),
  }
  const against = [
    [
      'Scenario',
      'Octavo req/s',
      'ceiling req/s',
      'ratio',
      'Octavo µs',
      'ceiling µs',
      'ratio by µs',
    ],
  ]
  for (const [name, path] of Object.entries(scenarios)) {
    await assertSameBytes(candidate, ceiling, path)
    against.push([name, ...(await compare(path, candidate, ceiling))])
  }
  const pages = [['Page', 'connections', 'req/s', 'p50 ms', 'p99 ms', 'Octavo µs']]
  for (const many of [1, connections])
    pages.push(['/explore', String(many), ...(await page('/explore', many, candidate))])

  const report = `# Last run of \`npm run bench\`

${cpus()[0]?.model.trim() ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}. SQLite with 100 000 books of 200 readers, ${connections} connections, median of ${rounds} rounds of ${secondsEach} s.

The ceiling is a bare \`node:http\` server (bench/ceiling.ts) that answers the same bytes from the same database; a ratio of 1 is as good as it gets. µs is the processor time a server used for a request, which says most when the machine is busy with other things.

${table(against)}

${table(pages)}
`
  console.log(report)
  writeFileSync(join(import.meta.dirname, 'last-run.md'), report)
}

async function assertSameBytes(a: ServerProcess, b: ServerProcess, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [a, b].map(async ({ origin }) => (await fetch(origin + path)).text()),
  )
  if (ours === theirs) return
  throw new Error(
    `the answers to ${path} differ:\n${ours?.slice(0, 600)}\n${theirs?.slice(0, 600)}`,
  )
}

/** Requests per second and processor time of both, each with its ratio. */
async function compare(
  path: string,
  candidate: ServerProcess,
  ceiling: ServerProcess,
): Promise<string[]> {
  const pairs: { ours: Measured; theirs: Measured }[] = []
  for (let round = -1; round < rounds; round++) {
    // By turns, so that both meet the same weather; the first round warms up.
    const ours = await measure(candidate, path, connections)
    const theirs = await measure(ceiling, path, connections)
    if (round >= 0) pairs.push({ ours, theirs })
  }
  const over = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
  return [
    whole(over(({ ours }) => ours.rate)),
    whole(over(({ theirs }) => theirs.rate)),
    over(({ ours, theirs }) => ours.rate / theirs.rate).toFixed(2),
    whole(over(({ ours }) => ours.cpu)),
    whole(over(({ theirs }) => theirs.cpu)),
    over(({ ours, theirs }) => theirs.cpu / ours.cpu).toFixed(2),
  ]
}

async function page(path: string, many: number, candidate: ServerProcess): Promise<string[]> {
  // Rendering is much code, which takes seconds to be compiled well.
  await burst(new URL(candidate.origin + path), many, warmUp)
  const bursts: Measured[] = []
  for (let round = 0; round < rounds; round++) bursts.push(await measure(candidate, path, many))
  const percentile = (share: number) =>
    median(bursts.map(({ times }) => times[Math.floor(times.length * share)] ?? Number.NaN))
  return [
    whole(median(bursts.map(({ rate }) => rate))),
    percentile(0.5).toFixed(1),
    percentile(0.99).toFixed(1),
    whole(median(bursts.map(({ cpu }) => cpu))),
  ]
}

async function measure(server: ServerProcess, path: string, many: number): Promise<Measured> {
  const before = server.cpuSeconds()
  const result = await burst(new URL(server.origin + path), many, secondsEach)
  return {
    ...result,
    rate: result.requests / result.seconds,
    cpu: ((server.cpuSeconds() - before) / result.requests) * 1e6,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function whole(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(0)
}

/** A Markdown table with its columns aligned; the first row is the head. */
function table(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
