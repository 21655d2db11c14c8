import { parentPort, workerData } from 'node:worker_threads'
import type { DateOrder } from '#shared/import.ts'
import { ImportError } from './import-error.ts'
import { readFile, type ReadFile } from './read.ts'

/** Rows that are on their way at once. */
const batch = 25

const { bytes, order } = workerData as { bytes: Uint8Array; order: DateOrder | undefined }
const port = parentPort!
let file: ReadFile | undefined
try {
  file = readFile(bytes, order)
  const { format, ambiguous, rows } = file
  port.postMessage({ format, ambiguous, total: rows.length })
} catch (error) {
  port.postMessage({
    error: error instanceof ImportError ? error.message : 'This file can’t be read.',
    cause: error instanceof ImportError ? '' : String(error),
  })
}
// Each message asks for the rows from a number on.
port.on('message', (from: number) => {
  const rows = file?.rows.slice(from, from + batch) ?? []
  port.postMessage({ rows })
  if (!rows.length) port.close()
})
