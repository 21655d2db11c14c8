/**
 * How long a file of 10,000 rows takes to be previewed and applied, and what a record's view takes
 * meanwhile: `npm run bench -- importing`. Half of the rows are of books that the catalogue has. With the
 * name of a database, `sqlite` or `postgres`, only that one is measured; a number changes the rows.
 * The control is a view beside a process that keeps one core busy.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openCatalogue } from '#catalogue/index.ts'
import type { CatalogueEdition } from '#catalogue/index/work.ts'
import { copyToPostgres } from '#server/backup/move-to-postgres.ts'
import type { ImportRecord, ImportState } from '#shared/import.ts'
import { startPostgres } from '#tests/postgres.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { burst, getRequest } from './load.ts'
import { isShort } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { percentile, table } from './table.ts'

/** Readers who look at a book again and again, and milliseconds between two looks. */
const [viewers, pause] = [4, 10]
const idleSeconds = isShort ? 0.1 : 10
/** A viewer keeps a connection for so long. */
const burstSeconds = isShort ? 0.05 : 2

export async function importing(folder: string, args: readonly string[] = []): Promise<string> {
  const rows = Number(args.find((arg) => Number(arg)) ?? (isShort ? 20 : 10_000))
  const only = args.find((arg) => arg === 'sqlite' || arg === 'postgres')
  const file = join(folder, 'octavo.db')
  const { user, shelf, record } = await seed(file)
  const token = await signedIn(file, user)
  await fillCatalogue(folder, rows)
  const content = goodreadsFile(rows)
  const postgres = await startPostgres()
  const lines = [['Database', 'Phase', 'seconds', 'view p50 ms', 'view p99 ms', 'ratio of p99']]
  try {
    await copyToPostgres(file, postgres.url)
    for (const [name, url] of [
      ['SQLite', ''],
      ['PostgreSQL', postgres.url],
    ] as const) {
      if (only && only !== (url ? 'postgres' : 'sqlite')) continue
      await using server = await startProduct(folder, { DATABASE_URL: url })
      const view = `/api/collections/user_books/records/${record}`
      // Code is compiled well only once it has run often.
      await looking(server, view, setTimeout(idleSeconds * 1000))
      const idle = await looking(server, view, setTimeout(idleSeconds * 1000))
      const control = await looking(server, view, besideBusyCore(idleSeconds))
      const { id } = await create(server, token, content, shelf)
      const preview = await looking(server, view, until(server, token, id, 'waiting'))
      await change(server, token, id, 'applying')
      const apply = await looking(server, view, until(server, token, id, 'done'))
      await change(server, token, id, 'undone')
      const undo = await looking(server, view, until(server, token, id, 'undone'))
      for (const [phase, { seconds, p50, p99 }] of Object.entries({
        idle,
        control,
        preview,
        apply,
        undo,
      }))
        lines.push([
          name,
          phase,
          seconds.toFixed(1),
          p50.toFixed(2),
          p99.toFixed(2),
          (p99 / idle.p99).toFixed(2),
        ])
    }
  } finally {
    await postgres.stop()
  }
  return `## An import of ${rows} rows

${viewers} readers look at a record meanwhile, each ${pause} ms after the last answer.

${table(lines)}
`
}

/** Keeps one core busy for a while. */
async function besideBusyCore(seconds: number): Promise<void> {
  const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' })
  await setTimeout(seconds * 1000)
  child.kill()
  await once(child, 'exit')
}

/** Looks at a record until the work is done. */
async function looking(server: ServerProcess, path: string, work: Promise<unknown>) {
  const url = new URL(server.origin + path)
  const start = performance.now()
  const phase = { seconds: 0 }
  const done = work.finally(() => (phase.seconds = (performance.now() - start) / 1000))
  done.catch(() => undefined)
  const times: number[] = []
  while (!phase.seconds) {
    const some = await burst(url, viewers, burstSeconds, getRequest(url), 200, pause)
    // The last goes on when the work is over.
    if (!phase.seconds || !times.length) times.push(...some.times)
  }
  await done
  const { seconds } = phase
  return { seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

async function ask(server: ServerProcess, token: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(`${server.origin}/api/collections/imports/records${path}`, {
    ...init,
    headers: { Authorization: token, ...init.headers },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as ImportRecord
}

function create(server: ServerProcess, token: string, content: string, shelf: string) {
  const body = new FormData()
  body.set('options', JSON.stringify({ shelf }))
  body.set('file', new File([content], 'goodreads.csv'))
  return ask(server, token, '', { method: 'POST', body })
}

const change = (server: ServerProcess, token: string, id: string, state: ImportState) =>
  ask(server, token, `/${id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ state }),
  })

async function until(server: ServerProcess, token: string, id: string, state: ImportState) {
  for (;;) {
    const now = await ask(server, token, `/${id}`)
    if (now.state === state && !(state === 'undone' && now.applied)) return
    if (now.error) throw new Error(now.error)
    await setTimeout(100)
  }
}

const title = (n: number) => `The Long Title of Volume ${n}, a Study in Numbers`
const author = (n: number) => `Mara Example${n % 997}`

/** Half of the books, in batches as outside sources send them. */
async function fillCatalogue(folder: string, rows: number): Promise<void> {
  await copyStarterIndex(folder)
  const catalogue = await openCatalogue({ folder, workers: 1 })
  const works = Array.from({ length: rows / 2 }, (_, at) => ({
    title: title(2 * at),
    other_titles: [],
    authors: [author(2 * at)],
    genres: ['fiction'],
    description: '',
    readers: 0,
    editions: [
      {
        id: `bench${at}`,
        ids: {},
        image_links: [],
        page_count: 200,
        published_date: '',
        publisher: '',
        language: 'eng',
      },
    ] as [CatalogueEdition],
  }))
  for (let at = 0; at < works.length; at += 100)
    await catalogue.learn('openlibrary', works.slice(at, at + 100))
  await catalogue.close()
}

/** As Goodreads writes it, without ISBNs: by its title a book takes longest to find. */
function goodreadsFile(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => {
    const day = `2019/${String(1 + (n % 12)).padStart(2, '0')}/15`
    const review = n % 5 ? '' : 'Read in one go. '.repeat(20)
    return `${n + 1},"${title(n)}",${author(n)},${n % 6},${100 + (n % 900)},${day},2018/01/02,"quiet, sea",read,${review},${1 + (n % 2)}`
  })
  const header =
    'Book Id,Title,Author,My Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Read Count'
  return `${header}\n${lines.join('\n')}\n`
}
