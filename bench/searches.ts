import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { underConcurrentLoad } from './concurrent-load.ts'
import { connections } from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import { table } from './table.ts'
import { records } from './writes.ts'

/**
 * How long a record takes while the catalogue is being searched, on the starter catalogue or, with
 * `npm run bench -- searches FOLDER`, on the index that `npm run bench -- catalogue FOLDER` made.
 */
export async function searches(folder: string, indexed?: string): Promise<string> {
  const index = indexed === undefined ? '' : join(indexed, 'catalogue.db')
  if (existsSync(index)) copyFileSync(index, join(folder, 'catalogue.db'))
  const { record } = await seed(join(folder, 'octavo.db'))
  await using candidate = await startProduct(folder)
  const path = `${records}/${record}`
  const rows = [['p99 of a record, ms', 'idle', 'beside 4 searches', 'ratio', 'searches a second']]
  for (const many of [1, connections]) {
    const { idle, busy, ratio, others } = await underConcurrentLoad(
      'searching.ts',
      candidate,
      path,
      many,
    )
    rows.push([many === 1 ? 'one connection' : `${many} connections`, idle, busy, ratio, others])
  }
  return `## Searches

One record again and again, without searches and beside them.

${table(rows)}
`
}
