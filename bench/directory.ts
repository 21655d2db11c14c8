/**
 * How long the server takes for the directory and for profiles when there are very many readers:
 * `npm run bench -- directory`. What is asked is what the screens ask, one request after the other.
 */
import { join } from 'node:path'
import { fillSqlite } from '#tests/fill.ts'
import { books, largestReader, directoryTables, readers, username } from './directory-data.ts'
import { isShort } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { percentile, table } from './table.ts'
import { readerId } from './taste-data.ts'

const times = isShort ? 2 : 60

/** The first has most.books; the others ten each. */
const viewers = [0, ...[101, 201, 305, 408].map((n, fifth) => ((fifth + 1) * readers) / 5 + n)]

interface Question {
  name: string
  /** The address, by how often it was asked before. */
  path: (n: number) => string
  /** Number of the reader who asks, by how often it was asked before; a visitor unless given. */
  viewer?: (n: number) => number
  /** Rows of the answer at least. */
  least?: number
}

/** A page of the directory near its end. */
const late = readers / 20

const listPath = (query: string) => `/api/v1/users?${query}`

/** Numbers of readers with a public profile, spread over all. */
const somebody = (n: number) => 1000 + ((n * 830) % (readers - 1000))

const listed = (collection: string, filter: string, rest: string) =>
  `/api/collections/${collection}/records?${rest}&filter=${encodeURIComponent(filter)}`

const profileOf = (n: number) =>
  listed('profile', `username = "${username(n)}"`, 'page=1&perPage=1&skipTotal=1')
const timelineOf = (n: number, page = 1) =>
  listed('activities', `user = "${readerId(n)}"`, `page=${page}&perPage=15&sort=-created`)

const ordinary = (n: number) => viewers[1 + (n % (viewers.length - 1))]!

const questions: readonly Question[] = [
  { name: 'directory, newest', path: () => listPath('sort=newest') },
  { name: 'directory, newest, signed in', path: () => listPath('sort=newest'), viewer: ordinary },
  { name: 'directory, A-Z', path: () => listPath('sort=a-z') },
  { name: `directory, newest, page ${late}`, path: (n) => listPath(`page=${late + n}`) },
  { name: `directory, A-Z, page ${late}`, path: (n) => listPath(`sort=a-z&page=${late + n}`) },
  { name: 'search of one', path: (n) => listPath(`q=${username(somebody(n))}`), least: 1 },
  { name: 'search of an eighth', path: () => listPath('q=harb') },
  { name: 'search of an eighth, A-Z', path: () => listPath('sort=a-z&q=harb') },
  { name: 'search of nobody', path: (n) => listPath(`q=nobody${n}`), least: 0 },
  { name: 'similar taste', path: () => listPath('sort=similar'), viewer: ordinary, least: 1 },
  {
    name: `similar taste, ${largestReader.books} books`,
    path: () => listPath('sort=similar'),
    viewer: () => 0,
    least: 1,
  },
  { name: 'profile', path: (n) => profileOf(somebody(n)), least: 1 },
  { name: 'profile, signed in', path: (n) => profileOf(somebody(n)), viewer: ordinary, least: 1 },
  { name: 'timeline', path: (n) => timelineOf(somebody(n)), least: 1 },
  { name: 'timeline, signed in', path: (n) => timelineOf(somebody(n)), viewer: ordinary, least: 1 },
  { name: `profile, ${largestReader.books} books`, path: () => profileOf(0), least: 1 },
  {
    name: `own profile, ${largestReader.books} books`,
    path: () => profileOf(0),
    viewer: () => 0,
    least: 1,
  },
  { name: `timeline of ${largestReader.activities}`, path: () => timelineOf(0) },
  { name: `timeline of ${largestReader.activities}, page 100`, path: () => timelineOf(0, 100) },
  {
    name: `own timeline of ${largestReader.activities}`,
    path: () => timelineOf(0),
    viewer: () => 0,
  },
  { name: 'page of the directory', path: () => '/users', least: 0 },
  { name: 'page of a profile', path: (n) => `/u/${username(somebody(n))}`, least: 0 },
]

export async function directory(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  await fillSqlite(file, directoryTables())
  const tokens = new Map<number, string>()
  for (const n of viewers) tokens.set(n, await signedIn(file, readerId(n)))
  await using server = await startProduct(folder)
  const rows = [['Question', 'p50 ms', 'p95 ms', 'processor ms']]
  for (const question of questions) rows.push(await asked(server, question, tokens))
  return `## The directory

The directory and profiles among ${readers} readers with ${books} books, one request after the other, up to the last byte of the answer.

${table(rows)}
`
}

async function asked(
  server: Awaited<ReturnType<typeof startProduct>>,
  { name, path, viewer, least = 15 }: Question,
  tokens: ReadonlyMap<number, string>,
): Promise<string[]> {
  const took: number[] = []
  let before = Number.NaN
  for (let n = -5; n < times; n++) {
    if (n === 0) before = server.cpuSeconds()
    const token = viewer && tokens.get(viewer(n + 5))
    const start = performance.now()
    const answer = await fetch(
      server.origin + path(n + 5),
      token ? { headers: { Authorization: token } } : {},
    )
    const text = await answer.text()
    if (n >= 0) took.push(performance.now() - start)
    const rows = least > 0 ? rowsOf(text) : 0
    if (!answer.ok || rows < least) throw new Error(`${name}: ${answer.status}, ${rows} rows`)
  }
  const cpu = ((server.cpuSeconds() - before) / times) * 1000
  return [name, percentile(took, 0.5).toFixed(1), percentile(took, 0.95).toFixed(1), cpu.toFixed(1)]
}

function rowsOf(text: string): number {
  const answer = JSON.parse(text) as { items?: unknown[]; data?: { items: unknown[] } }
  return (answer.items ?? answer.data?.items ?? []).length
}
