import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { signedIn, startProduct } from './product.ts'
import { seed } from './seed.ts'
import { table } from './table.ts'
import { records } from './writes.ts'

const books = 10_000
const times = 200

/** What the books page asks of one account with 10,000 books: first page, with its total. */
const questions: readonly [name: string, filter: string, sort: string, page: number][] = [
  ['best first', '', '-rating', 1],
  ['worst first', '', 'rating,-id', 1],
  ['Z-A', '', '-title,-id', 1],
  ['newest first', '', '-created', 1],
  ['title and author', 'title ~ "volume 3" && authors ~ "number"', '-rating', 1],
  ['one of them', 'title ~ "volume 3501 " && title ~ "numbers 7"', 'title', 1],
  [
    'status, progress and rating',
    'status = "reading" && progress_average >= 5 && rating >= 4',
    'title',
    1,
  ],
  ['page 600 while scrolling', '', 'title', 600],
]

/** How long the server takes for the books page of a reader with very many books. */
export async function library(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const { user } = await seed(file)
  fill(file, user)
  const token = await signedIn(file, user)
  await using candidate = await startProduct(folder)
  const rows = [['Question', 'p50 ms', 'p95 ms']]
  for (const [name, filter, sort, page] of questions) {
    const query = new URLSearchParams({
      filter: [`user = "${user}"`, filter].filter(Boolean).join(' && '),
      sort,
      page: String(page),
      perPage: '15',
      expand: 'shelf,user',
      ...(page > 1 && { skipTotal: '1' }),
    })
    const took: number[] = []
    for (let n = 0; n < times; n++) {
      const start = performance.now()
      const answer = await fetch(`${candidate.origin}${records}?${query.toString()}`, {
        headers: { Authorization: token },
      })
      const { items } = (await answer.json()) as { items: unknown[] }
      if (!answer.ok || items.length === 0)
        throw new Error(`${name} was answered with ${answer.status} and ${items.length} books`)
      took.push(performance.now() - start)
    }
    took.sort((a, b) => a - b)
    const at = (share: number) => (took[Math.floor(took.length * share)] ?? Number.NaN).toFixed(1)
    rows.push([name, at(0.5), at(0.95)])
  }
  return `## A library of 10 000 books

The books page of one reader with 10 000 books among 100 000 of others, one request after the other, the reader's own totals and shelves included.

${table(rows)}
`
}

/** Multiplies the reader's books, each copy a book of its own. */
function fill(file: string, user: string): void {
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
  }
  const names = columns.map((name) => `"${name}"`).join()
  const values = columns.map((name) => made[name] ?? `"${name}"`).join()
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${books / 500 - 1})
    INSERT INTO user_books (${names}) SELECT ${values} FROM user_books, n WHERE "user" = '${user}'`)
  const row = db.prepare('SELECT COUNT(*) AS n FROM user_books WHERE "user" = ?').get(user)
  if (Number(row?.['n']) !== books) throw new Error(`there are ${String(row?.['n'])} books`)
  db.exec('ANALYZE')
  db.close()
}
