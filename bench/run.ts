/**
 * Measures the running product against the bare ceiling, both in this run and by turns, and writes
 * the table to bench/last-run.md. Not a test: it fails only when the answers differ.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { schema } from '#server/library/collections.ts'
import { burst, type Burst } from './load.ts'
import { seed } from './seed.ts'
import { startServer, type ServerProcess } from './server-process.ts'

const connections = 16
const rounds = 7
const secondsEach = 1

interface Measured extends Burst {
  /** Microseconds of the server's processor time a request. */
  cpu: number
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
const running: ServerProcess[] = []
try {
  await main()
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
  const table = [
    `Measured on ${cpus()[0]?.model ?? 'an unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}; ${connections} connections, median of ${rounds} rounds of ${secondsEach} s, SQLite with 100 000 books of 200 readers.`,
    '',
    'The ceiling is a bare `node:http` server (bench/ceiling.ts) that answers the same bytes from the same database.',
    'A ratio of 1 is the ceiling; "by processor time" is what the server itself used and holds on a busy machine too.',
    '',
    '| Scenario | Octavo req/s | ceiling req/s | ratio | Octavo µs CPU | ceiling µs CPU | ratio by processor time |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const [name, path] of Object.entries(scenarios)) {
    await assertSameBytes(candidate, ceiling, path)
    table.push(await compare(name, path, candidate, ceiling))
  }
  table.push(
    '',
    '| Page | connections | req/s | p50 ms | p99 ms | µs CPU |',
    '|---|---|---|---|---|---|',
  )
  for (const many of [1, connections]) table.push(await page('/explore', many, candidate))

  const report = `# Last run of \`npm run bench\`\n\n${table.join('\n')}\n`
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

async function compare(
  name: string,
  path: string,
  candidate: ServerProcess,
  ceiling: ServerProcess,
): Promise<string> {
  const pairs: { ours: Measured; theirs: Measured }[] = []
  for (let round = -1; round < rounds; round++) {
    // By turns, so that both meet the same weather; the first round warms up.
    const ours = await measure(candidate, path, connections)
    const theirs = await measure(ceiling, path, connections)
    if (round >= 0) pairs.push({ ours, theirs })
  }
  const rate = ({ requests, seconds }: Burst) => requests / seconds
  const cells = [
    whole(median(pairs.map(({ ours }) => rate(ours)))),
    whole(median(pairs.map(({ theirs }) => rate(theirs)))),
    median(pairs.map(({ ours, theirs }) => rate(ours) / rate(theirs))).toFixed(2),
    whole(median(pairs.map(({ ours }) => ours.cpu))),
    whole(median(pairs.map(({ theirs }) => theirs.cpu))),
    median(pairs.map(({ ours, theirs }) => theirs.cpu / ours.cpu)).toFixed(2),
  ]
  return `| ${name} | ${cells.join(' | ')} |`
}

async function page(path: string, many: number, candidate: ServerProcess): Promise<string> {
  const bursts: Measured[] = []
  for (let round = -1; round < rounds; round++) {
    const measured = await measure(candidate, path, many)
    if (round >= 0) bursts.push(measured)
  }
  const percentile = (share: number) =>
    median(bursts.map(({ times }) => times[Math.floor(times.length * share)] ?? Number.NaN))
  const cells = [
    many,
    whole(median(bursts.map(({ requests, seconds }) => requests / seconds))),
    percentile(0.5).toFixed(1),
    percentile(0.99).toFixed(1),
    whole(median(bursts.map(({ cpu }) => cpu))),
  ]
  return `| ${path} | ${cells.join(' | ')} |`
}

async function measure(server: ServerProcess, path: string, many: number): Promise<Measured> {
  const before = server.cpuSeconds()
  const result = await burst(new URL(server.origin + path), many, secondsEach)
  return { ...result, cpu: ((server.cpuSeconds() - before) / result.requests) * 1e6 }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function whole(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(0)
}
