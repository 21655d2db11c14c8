import { join } from 'node:path'
import { underConcurrentLoad } from './concurrent-load.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import { table } from './table.ts'
import { records } from './writes.ts'

const reading = 4

/** How long lists take while passwords are being checked, which is meant to be slow. */
export async function signIns(folder: string): Promise<string> {
  const { shelf } = await seed(join(folder, 'octavo.db'))
  await using candidate = await startProduct(folder)
  const list = `${records}?filter=${encodeURIComponent(`shelf="${shelf}"`)}&sort=-rating`
  const { idle, busy, ratio, others } = await underConcurrentLoad(
    'signing-in.ts',
    candidate,
    list,
    reading,
  )
  const rows = [
    ['p99 of a list, ms', 'beside 8 sign-ins, ms', 'ratio', 'sign-ins a second'],
    [idle, busy, ratio, others],
  ]
  return `## Sign-ins

A list again and again on ${reading} connections, without sign-ins and beside them.

${table(rows)}
`
}
