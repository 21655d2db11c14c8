import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { DateOrder } from '#shared/import.ts'
import { ImportError } from './import-error.ts'
import { openImportFile } from './read.ts'
import type { ParsedRow } from './row.ts'

/** Rows per message, each looked up and written at once. */
const batch = 10

const { path, order } = workerData as { path: string; order: DateOrder | undefined }
const port = parentPort!
// Requests go first. Only Linux has priorities per thread; elsewhere this would lower the whole
// process's.
if (process.platform === 'linux') setPriority(19)

let rows: AsyncIterator<ParsedRow> | undefined
const said = async (work: () => Promise<object>) => {
  try {
    port.postMessage(await work())
  } catch (error) {
    port.postMessage({
      error: error instanceof ImportError ? error.message : 'This file can’t be read.',
      cause: error instanceof ImportError ? '' : String(error),
    })
  }
}
// Each message asks for the next rows.
port.on('message', () => void said(next))
await said(async () => {
  const { format, ambiguous, total, rows: read } = await openImportFile(path, order)
  rows = read()[Symbol.asyncIterator]()
  return { format, ambiguous, total }
})

async function next(): Promise<object> {
  const some: ParsedRow[] = []
  for (let count = 0; count < batch; count++) {
    const one = await rows?.next()
    if (!one || one.done) break
    some.push(one.value)
  }
  return { rows: some }
}
