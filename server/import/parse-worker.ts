import { parentPort, workerData } from 'node:worker_threads'
import { yieldToRequests } from '#catalogue/in-thread.ts'
import { DuplicateFinder } from './duplicate-finder.ts'
import { answerWith } from './limited-thread.ts'
import type { FileRow, ParseTask } from './parse.ts'
import { openImportFile } from './read.ts'
import type { SizedRow } from './row.ts'

/** Rows per message; they are looked up and written together. */
const batch = 5

const { path, order, place } = workerData as ParseTask
yieldToRequests(19)

let rows: AsyncIterator<SizedRow> | undefined
let number = 0
const inFile = new DuplicateFinder()
/** Tells the watching thread which row is next, and the milliseconds of processor time so far. */
function atRow(row: number): void {
  const { user, system } = process.threadCpuUsage()
  place[0] = row
  place[1] = (user + system) / 1000
}

// Each message asks for the next rows.
parentPort!.on('message', () => void answerWith(next))
await answerWith(async () => {
  const { rows: read, ...head } = await openImportFile(path, order, atRow)
  rows = read()[Symbol.asyncIterator]()
  return head
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
