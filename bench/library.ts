import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { Client } from 'pg'
import { copyToPostgres } from '#server/backup/move-to-postgres.ts'
import { startPostgres } from '#tests/postgres.ts'
import { isShort } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { recount, seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { percentile, table } from './table.ts'
import { records } from './writes.ts'

const books = isShort ? 1000 : 10_000
/** A reader's books are copies of 500; this is one of the copies. */
const copy = isShort ? 1 : 7
const lastPages = (books * 6) / 100
const times = isShort ? 2 : 200

interface Question {
  name: string
  filter?: string
  /** As the screen sends it; an index has it in either direction. */
  sort: string
  page?: number
}

/** What the screens ask of one account with 10,000 books: first page, with its total. */
const questions: readonly Question[] = [
  { name: 'best first', sort: '-rating,id' },
  { name: 'worst first', sort: 'rating,-id' },
  { name: 'Z-A', sort: '-title,-id' },
  { name: 'newest first', sort: '-created,id' },
  {
    name: 'title and author',
    filter: 'title ~ "volume 3" && authors ~ "number"',
    sort: '-rating,id',
  },
  {
    name: 'one of them',
    filter: `title ~ "volume 3501 " && title ~ "numbers ${copy}"`,
    sort: 'title,id',
  },
  {
    name: 'status, progress and rating',
    filter: 'status = "reading" && progress_average >= 5 && rating >= 4',
    sort: 'title,id',
  },
  { name: `page ${lastPages} while scrolling`, sort: 'title,id', page: lastPages },
  { name: 'the wishlist', filter: 'status = "planning" && isbn != ""', sort: '-created' },
]

/** How long the server takes for the books page of a reader with very many books. */
export async function library(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const { user } = await seed(file)
  fillLibrary(file, user)
  const token = await signedIn(file, user)
  const rows = [['Database', 'Question', 'first ms', 'p50 ms', 'p95 ms', 'processor ms']]
  const postgres = await startPostgres()
  try {
    await copyToPostgres(file, postgres.url)
    await vacuum(postgres.url)
    for (const [name, databaseUrl] of [
      ['SQLite', ''],
      ['PostgreSQL', postgres.url],
    ] as const) {
      await using candidate = await startProduct(folder, { DATABASE_URL: databaseUrl })
      const taken = await askAll(candidate, user, token)
      for (const { question, first, warm, processor } of taken)
        rows.push([
          name,
          question.name,
          first.toFixed(1),
          percentile(warm, 0.5).toFixed(1),
          percentile(warm, 0.95).toFixed(1),
          processor.toFixed(1),
        ])
    }
  } finally {
    await postgres.stop()
  }
  return `## A library of 10 000 books

The books page of one reader with 10 000 books among 100 000 of others, one request after the other, the reader's own totals and shelves included. Processor time is the server's own for one answer, without that of PostgreSQL.

${table(rows)}
`
}

/** Asks each question many times in a row; all of them once before, as a server that runs has been. */
async function askAll(candidate: ServerProcess, user: string, token: string) {
  const firsts: number[] = []
  for (const question of questions) firsts.push(await ask(candidate, question, user, token))
  const taken = []
  for (const [place, question] of questions.entries()) {
    const before = candidate.cpuSeconds()
    const warm: number[] = []
    for (let n = 0; n < times; n++) warm.push(await ask(candidate, question, user, token))
    const processor = ((candidate.cpuSeconds() - before) / times) * 1000
    taken.push({ question, first: firsts[place] ?? Number.NaN, warm, processor })
  }
  return taken
}

/** @returns milliseconds until the answer was there */
async function ask(
  { origin }: ServerProcess,
  { name, filter, sort, page = 1 }: Question,
  user: string,
  token: string,
): Promise<number> {
  const query = new URLSearchParams({
    filter: [`user = "${user}"`, filter].filter(Boolean).join(' && '),
    sort,
    page: String(page),
    perPage: '15',
    expand: 'shelf,user',
    ...(page > 1 && { skipTotal: '1' }),
  })
  const start = performance.now()
  const answer = await fetch(`${origin}${records}?${query.toString()}`, {
    headers: { Authorization: token },
  })
  const { items } = (await answer.json()) as { items: unknown[] }
  if (!answer.ok || items.length === 0)
    throw new Error(`${name} was answered with ${answer.status} and ${items.length} books`)
  return performance.now() - start
}

/** What autovacuum does a minute later. */
async function vacuum(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query('VACUUM')
  await client.end()
}

/**
 * Multiplies the reader's books, each copy a book of its own.
 *
 * @param shelf of the copies; left out: that of the book they are made from
 */
export function fillLibrary(file: string, user: string, shelf?: string): void {
  const db = new DatabaseSync(file)
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('user_books')
    .map(({ name }) => String(name))
  const made: Record<string, string> = {
    id: `'x' || printf('%02d', i) || SUBSTR(id, 4)`,
    title: `title || ' ' || i`,
    book_key: `book_key || i`,
    created: `REPLACE(created, '2026', 2000 + i)`,
    ...(shelf && { shelf: `'${shelf}'` }),
  }
  const names = columns.map((name) => `"${name}"`).join()
  const values = columns.map((name) => made[name] ?? `"${name}"`).join()
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${books / 500 - 1})
    INSERT INTO user_books (${names}) SELECT ${values} FROM user_books, n WHERE "user" = '${user}'`)
  const row = db.prepare('SELECT COUNT(*) AS n FROM user_books WHERE "user" = ?').get(user)
  if (Number(row?.['n']) !== books) throw new Error(`there are ${String(row?.['n'])} books`)
  recount(db)
  db.exec('ANALYZE')
  db.close()
}
