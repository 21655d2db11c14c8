import { join } from 'node:path'
import { send } from './load.ts'
import { measure, rounds, type Ask } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { seed } from './seed.ts'
import { median, table, whole } from './table.ts'
import { newBook, records } from './writes.ts'

const size = 50

/** Fifty creates in one request against one create a request, one after the other. */
export async function batch(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const seeded = await seed(file)
  const token = await signedIn(file, seeded.user)
  await using candidate = await startProduct(folder)
  const one: Ask = ({ origin }) => {
    const url = new URL(origin + records)
    return () => send('POST', url, newBook(seeded), token)
  }
  const many: Ask = ({ origin }) => {
    const url = new URL(`${origin}/api/batch`)
    const request = () => ({ method: 'POST', url: records, body: newBook(seeded) })
    return () => send('POST', url, { requests: Array.from({ length: size }, request) }, token)
  }
  const pairs: { single: number; inBatch: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const single = (await measure(candidate, one, 1)).rate
    const inBatch = (await measure(candidate, many, 1)).rate * size
    if (round >= 0) pairs.push({ single, inBatch })
  }
  const rows = [
    ['Creates per second, one connection', 'one by one', `in batches of ${size}`, 'ratio'],
    [
      'books',
      whole(median(pairs.map(({ single }) => single))),
      whole(median(pairs.map(({ inBatch }) => inBatch))),
      median(pairs.map(({ single, inBatch }) => inBatch / single)).toFixed(1),
    ],
  ]
  return `## Batch\n\n${table(rows)}\n`
}
