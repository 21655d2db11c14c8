import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonRequest } from './load.ts'
import { isShort, measure, rounds, warm, type RequestSource } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { seed } from './seed.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { median, table, whole } from './table.ts'
import { newBook, records } from './writes.ts'

const size = 50

/** Fifty creates in one request against one create a request, one after the other. */
export async function batch(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  const seeded = await seed(file)
  const token = await signedIn(file, seeded.user)
  const copy = join(folder, 'rows.db')
  copyFileSync(file, copy)
  await using candidate = await startProduct(folder)
  const script = join(import.meta.dirname, 'ceiling-writes.ts')
  await using ceiling = await startServer([script, copy, 'rows'])
  const next = () => newBook(seeded)
  const rows = await batchRows('books', candidate, ceiling, { records, token, next })
  return `## Batch

Fifty creates in one transaction save forty-nine waits for the disk. The ceiling, bare statements that write the same rows, tells what that is worth on this one.

${table([batchHead, ...rows])}
`
}

export const batchHead = [
  'Creates per second, one connection',
  'one by one',
  `in batches of ${size}`,
  'ratio',
]

/** @param of the path of the records, whose they are, and what the next one holds */
export async function batchRows(
  name: string,
  candidate: ServerProcess,
  ceiling: ServerProcess,
  of: { records: string; token: string; next: () => object },
): Promise<string[][]> {
  const { records: url, token, next } = of
  const one: RequestSource = ({ origin }) => {
    const to = new URL(origin + url)
    return () => jsonRequest('POST', to, next(), token)
  }
  const many: RequestSource = ({ origin }) => {
    const to = new URL(`${origin}/api/batch`)
    const request = () => ({ method: 'POST', url, body: next() })
    return () => jsonRequest('POST', to, { requests: Array.from({ length: size }, request) }, token)
  }
  const servers = { [name]: candidate, [`${name}, the ceiling`]: ceiling }
  const rows: string[][] = []
  for (const [label, server] of Object.entries(servers)) {
    const pairs: { single: number; inBatch: number }[] = []
    await warm(server, one, 1)
    for (let round = isShort ? 0 : -1; round < rounds; round++) {
      const single = (await measure(server, one, 1)).rate
      const inBatch = (await measure(server, many, 1)).rate * size
      if (round >= 0) pairs.push({ single, inBatch })
    }
    rows.push([
      label,
      whole(median(pairs.map(({ single }) => single))),
      whole(median(pairs.map(({ inBatch }) => inBatch))),
      median(pairs.map(({ single, inBatch }) => inBatch / single)).toFixed(1),
    ])
  }
  return rows
}
