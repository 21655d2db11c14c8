import { parentPort, workerData } from 'node:worker_threads'
import { yieldToRequests } from '#catalogue/in-thread.ts'
import type { DateOrder } from '#shared/import.ts'
import { DuplicateFinder } from './duplicate-finder.ts'
import { ImportError } from './import-error.ts'
import type { FileRow } from './parse.ts'
import { openImportFile } from './read.ts'
import type { ParsedRow } from './row.ts'

/** Rows per message; they are looked up and written together. */
const batch = 5

const { path, order } = workerData as { path: string; order: DateOrder | undefined }
const port = parentPort!
yieldToRequests(19)

let rows: AsyncIterator<ParsedRow> | undefined
let number = 0
const inFile = new DuplicateFinder()
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
  const some: FileRow[] = []
  for (let count = 0; count < batch; count++) {
    const one = await rows?.next()
    if (!one || one.done) break
    const { book, own } = one.value
    number++
    some.push({ ...one.value, earlier: book && !own ? inFile.add(book, number) : null })
  }
  return { rows: some }
}
