import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isShort } from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { machine, median, table } from './table.ts'

const known = 'known@example.org'
/** As long as the other. */
const unknown = 'other@example.org'
const auth = '/api/collections/users'
const records = '/api/collections/user_books/records'

/** Two requests whose answers are the same; their time should be, too. */
interface Pair {
  name: string
  /** How often each is asked. */
  times: number
  /** By whether there is something to be found out. */
  ask: (isThere: boolean) => Promise<Response>
}

/**
 * Run by `npm run bench -- timing`; writes bench/last-run-timing.md.
 *
 * Whether time tells what answers keep to themselves: who has an account, and what is in records
 * that the one who asks may not see. The two of a pair are asked in turn, in random order. The
 * medians should be less than 5 ms apart, and p (of Welch's t-test, without the slowest hundredth)
 * above 0.01: below that the difference is no accident.
 */
export async function timing(): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
  const report = await measured(folder.path)
  console.log(report)
  if (!isShort) writeFileSync(join(import.meta.dirname, 'last-run-timing.md'), report)
}

async function measured(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const { user } = await seed(file, isShort ? undefined : 20)
  hide(file, user)
  await using server = await startProduct(folder)
  const account = { email: known, password: 'turns the page', passwordConfirm: 'turns the page' }
  await answered(post(server, `${auth}/records`, account), 200)
  const rows = [['Question', 'pairs', 'there, ms', 'not there, ms', 'difference, ms', 'p']]
  for (const pair of pairs(server)) rows.push(await compared(pair))
  return `# Last run of \`npm run bench -- timing\`

${machine()}, SQLite. The two requests of a row have the same answer, and should take the same time: medians less than 5 ms apart, and of filters p above 0.01 (Welch's t-test, without the slowest hundredth).

${table(rows)}
`
}

/** Makes a reader private, whose books then all have a word in their titles that no other has. */
function hide(file: string, user: string): void {
  const db = new DatabaseSync(file)
  db.prepare('UPDATE settings SET isPrivate = 1 WHERE user = ?').run(user)
  db.prepare(`UPDATE user_books SET title = 'canary ' || title WHERE user = ?`).run(user)
  db.close()
}

function pairs(server: ServerProcess): Pair[] {
  const email = (isThere: boolean) => (isThere ? known : unknown)
  const call = (name: string, times: number, body: (email: string) => object): Pair => ({
    name,
    times,
    ask: (isThere) => post(server, `${auth}/${name}`, body(email(isThere))),
  })
  const filter = (name: string, path: string, text: (isThere: boolean) => string): Pair => ({
    name,
    times: 1000,
    ask: (isThere) => fetch(`${server.origin}${path}?filter=${encodeURIComponent(text(isThere))}`),
  })
  const word = (isThere: boolean) => (isThere ? 'canary' : 'cenery')
  return [
    call('auth-with-password', 500, (identity) => ({ identity, password: 'turns no page' })),
    call('request-otp', 500, (to) => ({ email: to })),
    call('request-password-reset', 500, (to) => ({ email: to })),
    call('request-verification', 500, (to) => ({ email: to })),
    filter('filter by e-mail', `${auth}/records`, (isThere) => `email = "${email(isThere)}"`),
    filter('filter of hidden titles', records, (isThere) => `title ~ "${word(isThere)}"`),
    filter(
      'filter through a relation',
      `${auth}/records`,
      (isThere) => `user_books_via_user.title ?~ "${word(isThere)}"`,
    ),
  ]
}

async function compared({ name, times: wanted, ask }: Pair): Promise<string[]> {
  const times = isShort ? 3 : wanted
  const taken = { there: [] as number[], not: [] as number[] }
  // The first of each are slower than any other.
  for (let n = isShort ? -1 : -10; n < times; n++) {
    const isFirst = Math.random() < 0.5
    for (const isThere of [isFirst, !isFirst]) {
      const start = performance.now()
      await (await ask(isThere)).arrayBuffer()
      const time = performance.now() - start
      if (n >= 0) taken[isThere ? 'there' : 'not'].push(time)
    }
  }
  const [there, not] = [median(taken.there), median(taken.not)]
  const p = chance(withoutOutliers(taken.there), withoutOutliers(taken.not))
  const figures = [there, not, there - not].map((time) => time.toFixed(2))
  return [name, String(times), ...figures, p.toFixed(3)]
}

/** Without the slowest hundredth, which is the machine's. */
function withoutOutliers(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.99))
}

/** @returns how likely means are that far apart by accident: Welch's test, for many values */
function chance(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)]
  const error = Math.sqrt(a.variance / one.length + b.variance / other.length)
  const x = Math.abs(a.mean - b.mean) / error / Math.SQRT2
  // Abramowitz and Stegun, 7.1.26.
  const t = 1 / (1 + 0.327_591_1 * x)
  const [c1, c2, c3, c4, c5] = [
    0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429,
  ] as const
  return t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5)))) * Math.exp(-x * x)
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

function post(server: ServerProcess, path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(server.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function answered(request: Promise<Response>, status: number): Promise<void> {
  const answer = await request
  if (answer.status !== status) throw new Error(`${answer.url}: ${await answer.text()}`)
}
