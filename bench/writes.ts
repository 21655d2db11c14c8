import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonRequest } from './load.ts'
import { compare, comparisonHead, connections, type RequestSource } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { seed, type Seeded } from './seed.ts'
import { startServer } from './server-process.ts'
import { table } from './table.ts'

export const records = '/api/collections/user_books/records'
let made = 0

/** A book that is not on any shelf yet. */
export function newBook({ user, shelves }: Seeded): Record<string, unknown> {
  return {
    user,
    // By turns: counting the books of a shelf takes longer the more there are.
    shelf: shelves[made % shelves.length],
    title: `A new book, number ${made++}`,
    authors: ['Author of Many'],
    genres: ['fiction'],
    page_count: 320,
    status: 'planning',
  }
}

/** Creating and changing one record against one bare prepared statement, both synced to disk. */
export async function writes(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const seeded = await seed(file)
  const token = await signedIn(file, seeded.user)
  const [copy, other] = [join(folder, 'ceiling.db'), join(folder, 'rows.db')]
  for (const one of [copy, other]) copyFileSync(file, one)
  await using candidate = await startProduct(folder)
  await using ceiling = await startServer([join(import.meta.dirname, 'ceiling-writes.ts'), copy])
  await using rowsCeiling = await startServer([
    join(import.meta.dirname, 'ceiling-writes.ts'),
    other,
    'rows',
  ])

  const create: RequestSource = ({ origin }) => {
    const url = new URL(origin + records)
    return () => jsonRequest('POST', url, newBook(seeded), token)
  }
  let turn = 0
  const update: RequestSource = ({ origin }) => {
    const url = new URL(`${origin}${records}/${seeded.record}`)
    return () => jsonRequest('PATCH', url, { rating: (turn++ % 10) / 2 }, token)
  }
  const rows = [comparisonHead]
  for (const many of [1, connections]) {
    const by = many === 1 ? 'one connection' : `${many} connections`
    rows.push([`create a book, ${by}`, ...(await compare(create, candidate, ceiling, many))])
    const same = await compare(create, candidate, rowsCeiling, many)
    rows.push([`create a book, ${by}: the same rows`, ...same])
    rows.push([`rate a book, ${by}`, ...(await compare(update, candidate, ceiling, many))])
  }
  return `## Writing

The ceiling (bench/ceiling-writes.ts) runs one prepared INSERT or UPDATE a request and syncs each to disk. Octavo acknowledges nothing before it is synced either, but syncs together what waits at the same time; with one connection nothing does. It also asks the rules, checks the values, writes the reader's activity and keeps the shelf's count and covers: a new book is four rows, and the lines of *the same rows* compare with a ceiling that writes these four in one transaction.

${table(rows)}
`
}
