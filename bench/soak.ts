/**
 * Lets honest readers use the running product beside clients that mean harm, each of which sends the
 * worst it can within the limits. Run by `npm run bench -- soak [minutes]`; writes
 * bench/last-run-soak.md. Shows R43 and R52: views stay quick, memory does not stay, and nothing that
 * was acknowledged is lost.
 */
import { spawn } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fillSqlite } from '#tests/fill.ts'
import { largeLibrary } from '#tests/large-library.ts'
import type { Attacking } from './attacking.ts'
import { isShort } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { readerOf, seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { machine, percentile, table } from './table.ts'
import { proxyHeaders, viewRepeatedly } from './visitors.ts'

const defaultMinutes = isShort ? 0.015 : 30
/** Minutes of honest readers alone, before the attacks. */
const minutesQuiet = isShort ? 0.01 : 1
/** Minutes without requests after the attacks. Threads that search end when nobody searched for ten. */
const minutesAfter = isShort ? 0.01 : 12
/** Networks that mean harm, each sending one request after the other. */
const attackers = [0, 1, 2, 3, 4, 5]
/** One network that requests each of these eight times at once, and for how many minutes. */
const crowd = {
  network: 6,
  concurrency: 8,
  attacks: ['a search of everything', 'a page of tags'],
  minutes: minutesQuiet / 2,
}
/** Seeded readers: one who gets a large library, and one whose account an attacker has. */
const [largeReader, attacker] = [readerOf(6), readerOf(5)]
/** Milliseconds between the views of an honest reader, and between their writes. */
const viewEvery = 50
const writeEvery = 250

/** The views and the memory of one minute. */
interface Window {
  views: number[]
  memory: number
}

/** The figures of one part of a run. */
interface Part {
  views: number[]
  answers: Answers
}

/** How often each attack was answered with which status. */
type Answers = Record<string, Record<string, number>>

interface Soak {
  server: ServerProcess
  token: string
  shelf: string
  record: string
  until: number
  windows: Window[]
  answers: Answers
  acknowledged: Map<string, number>
  failedWrites: number
}

/** @param minutes how long the attacks last */
export async function soak(minutes = defaultMinutes): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
  const file = join(folder.path, 'octavo.db')
  const { user, shelf, record } = await seed(file)
  // It takes seconds, and a short run shows only that this works.
  if (!isShort) await fillSqlite(file, largeLibrary(largeReader.id))
  const token = await signedIn(file, user)
  const targets = {
    user,
    large: largeReader.username,
    token: await signedIn(file, attacker.id),
  }
  await using server = await startProduct(folder.path, {
    RATE_LIMITS: 'on',
    LOG_LEVEL: 'fatal',
    PLAN_DEFAULT: 'premium',
    // Everybody comes through a proxy, which says who they are.
    TRUST_PROXY: '127.0.0.1',
    // As the unit and the container have it.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  })
  const run: Soak = {
    server,
    token,
    shelf,
    record,
    until: performance.now() + minutesQuiet * 60_000,
    windows: [newWindow()],
    answers: {},
    acknowledged: new Map(),
    failedWrites: 0,
  }
  // Honest readers alone say what is usual.
  await Promise.all([viewer(run), writer(run), watcher(run)])
  const [baseline] = run.windows
  const crowded: Part[] = []
  for (const only of crowd.attacks) {
    const networks = Array<number>(crowd.concurrency).fill(crowd.network)
    begin(run, crowd.minutes)
    await Promise.all([viewer(run), attack(run, { targets, networks, only })])
    crowded.push({ views: run.windows[0]!.views, answers: run.answers })
    // Its budget is full again.
    await setTimeout(minutesQuiet * 60_000)
  }
  begin(run, minutes)
  await Promise.all([
    viewer(run),
    writer(run),
    watcher(run),
    attack(run, { targets, networks: attackers }),
  ])
  await setTimeout(minutesAfter * 60_000)
  const after = server.memory()
  const lost = await countLost(run)
  const report = written(baseline!, crowded, run, { minutes, after, lost })
  console.log(report)
  if (lost > 0) throw new Error(`${lost} acknowledged writes are lost`)
  if (!isShort) writeFileSync(join(import.meta.dirname, 'last-run-soak.md'), report)
}

/** Begins another part of the run. */
function begin(run: Soak, minutes: number): void {
  run.windows = [newWindow()]
  run.until = performance.now() + minutes * 60_000
}

const newWindow = (): Window => ({ views: [], memory: 0 })

function viewer({ server, record, until, windows }: Soak): Promise<void> {
  const address = `${server.origin}/api/collections/user_books/records/${record}`
  return viewRepeatedly(address, { network: 100, every: viewEvery, until }, (time) =>
    windows.at(-1)!.views.push(time),
  )
}

async function writer(run: Soak): Promise<void> {
  const books = `${run.server.origin}/api/collections/user_books/records`
  const write = async (method: string, path: string, body: object) => {
    const answer = await fetch(books + path, {
      method,
      headers: {
        ...proxyHeaders(101),
        'Content-Type': 'application/json',
        Authorization: run.token,
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.ok) return (JSON.parse(text) as { id: string }).id
    run.failedWrites++
    return undefined
  }
  for (let n = 0; performance.now() < run.until; n++) {
    const book = { title: `Soaked ${n}`, shelf: run.shelf, status: 'reading', page_count: 500 }
    const id = await write('POST', '', book)
    if (id) {
      run.acknowledged.set(id, 0)
      const progress = 1 + (n % 400)
      if (await write('PATCH', `/${id}`, { progress })) run.acknowledged.set(id, progress)
    }
    await setTimeout(writeEvery)
  }
}

/** Closes a window each minute. */
async function watcher(run: Soak): Promise<void> {
  while (performance.now() < run.until) {
    await setTimeout(Math.min(60_000, Math.max(0, run.until - performance.now())))
    run.windows.at(-1)!.memory = run.server.memory()
    if (performance.now() < run.until) run.windows.push(newWindow())
  }
}

/** Lets attackers loose for as long as the run goes on; their answers are those of the run. */
async function attack(
  run: Soak,
  how: Pick<Attacking, 'targets' | 'networks' | 'only'>,
): Promise<void> {
  const seconds = (run.until - performance.now()) / 1000
  const { origin } = run.server
  const script = join(import.meta.dirname, 'attacking.ts')
  const args = [script, JSON.stringify({ ...how, origin, seconds } satisfies Attacking)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const piece of child.stdout) said += String(piece)
  run.answers = JSON.parse(said) as Answers
}

async function countLost({ server, token, acknowledged }: Soak): Promise<number> {
  let lost = 0
  for (const [id, progress] of acknowledged) {
    const answer = await fetch(`${server.origin}/api/collections/user_books/records/${id}`, {
      headers: { ...proxyHeaders(102), Authorization: token },
    })
    const text = await answer.text()
    if (!answer.ok || (JSON.parse(text) as { progress: number }).progress !== progress) lost++
    // Within what one network may ask for.
    await setTimeout(40)
  }
  return lost
}

function written(
  baseline: Window,
  crowded: readonly Part[],
  run: Soak,
  { minutes, after, lost }: Readonly<Record<'minutes' | 'after' | 'lost', number>>,
): string {
  const attacked = run.windows.flatMap(({ views }) => views)
  const row = (name: string, value: (views: readonly number[]) => number) => [
    name,
    ...[baseline, ...crowded, { views: attacked }].map(({ views }) => value(views).toFixed(1)),
  ]
  const windows = run.windows.filter(({ views }) => views.length > 0)
  const worst = Math.max(...windows.map(({ views }) => percentile(views, 0.99)))
  const most = Math.max(...run.windows.map(({ memory }) => memory))
  const none = crowded.map(() => '')
  const rows = [
    [
      '',
      'honest readers alone',
      ...crowd.attacks.map((name) => `beside a crowd: ${name}`),
      `beside ${attackers.length} attackers`,
    ],
    row('p50 of a view, ms', (views) => percentile(views, 0.5)),
    row('p99 of a view, ms', (views) => percentile(views, 0.99)),
    ['p99 in the worst minute, ms', '', ...none, worst.toFixed(1)],
    row('slowest view, ms', (views) => Math.max(...views)),
    ['memory, MB', mb(baseline.memory), ...none, mb(most)],
    [
      `memory after ${minutesAfter} minutes without requests, MB`,
      '',
      ...none,
      `${mb(after)} (${(after / baseline.memory).toFixed(2)} times)`,
    ],
    ['books written and acknowledged', '', ...none, String(run.acknowledged.size)],
    ['of these lost', '', ...none, String(lost)],
    ['writes refused', '', ...none, String(run.failedWrites)],
  ]
  return `# Last run of \`npm run bench -- soak\`

${machine()}, SQLite, 120 000 books, 20 000 of them of one reader, ${minutes} minutes. One reader views a record ${1000 / viewEvery} times a second, another writes; the attackers send what is below, each from a network of its own, as fast as they are answered. They run on the same cores as the server, which goes first. A crowd is one network that sends one dear request ${crowd.concurrency} times at once.

${table(rows)}

${table([['Attack', 'answers'], ...crowded.flatMap(({ answers }) => answerRows(answers, 'a crowd: ')), ...answerRows(run.answers)])}
`
}

const answerRows = (answers: Answers, by = '') =>
  Object.entries(answers).map(([name, statuses]) => [
    by + name,
    Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  ])

const mb = (bytes: number) => (bytes / 1e6).toFixed(0)
