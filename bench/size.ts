import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { createRecords, openSqlite, type Database } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import { isShort } from './measure.ts'
import { seed } from './seed.ts'
import { median, table } from './table.ts'
import { records } from './writes.ts'

const sizes = isShort ? { '4 000': 8, '8 000': 16 } : { '10 000': 20, '1 000 000': 2000 }
const times = isShort ? 20 : 2000

/** The first page of a list with filter and sort, when there are few records and when there are many. */
export async function size(folder: string): Promise<string> {
  const rows = [['Records in the table', 'µs a list']]
  const found: number[] = []
  for (const [name, readers] of Object.entries(sizes)) {
    const time = await listTime(join(folder, `${readers}.db`), readers)
    found.push(time)
    rows.push([name, time.toFixed(0)])
  }
  const [few = Number.NaN, many = Number.NaN] = found
  rows.push(['ratio', (many / few).toFixed(2)])
  return `## Size

The first 30 of a shelf of 100 books, best rated first, by one caller in the same process. Every statement is checked to find its rows by an index.

${table(rows)}
`
}

async function listTime(file: string, readers: number): Promise<number> {
  const { shelf } = await seed(file, readers)
  const database = openSqlite(file)
  const said = new Map<string, number>()
  const listening: Database = {
    ...database,
    query(text, parameters = []) {
      said.set(text, parameters.length)
      return database.query(text, parameters)
    },
  }
  const service = createRecords({
    database: listening,
    schema,
    secret: 'only for the bench '.repeat(3),
    appUrl: 'http://localhost',
    limits: false,
    onOtp: () => {},
  })
  const filter = encodeURIComponent(`shelf="${shelf}"`)
  const address = `${records}?filter=${filter}&sort=-rating`
  const taken: number[] = []
  for (let i = -times / 10; i < times; i++) {
    const start = performance.now()
    const answer = await service.routes.request(address)
    const text = await answer.text()
    if (i >= 0) taken.push((performance.now() - start) * 1000)
    if (answer.status !== 200 || !text.includes('"totalItems":100,'))
      throw new Error(text.slice(0, 300))
  }
  await service.close()
  await database.close()
  assertIndexed(file, said)
  return median(taken)
}

/** @throws if a statement reads the whole table */
function assertIndexed(file: string, said: ReadonlyMap<string, number>): void {
  const db = new DatabaseSync(file, { readOnly: true })
  for (const [text, parameters] of said) {
    if (!text.includes('"user_books"')) continue
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...Array.from({ length: parameters }, () => ''))
      .map((step) => String(step['detail']))
    if (!plan.some((step) => /USING (?:COVERING )?INDEX user_books_/.test(step)))
      throw new Error(`no index serves ${text}\n${plan.join('\n')}`)
  }
  db.close()
}
