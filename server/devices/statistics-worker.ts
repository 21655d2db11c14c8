import { parentPort, workerData } from 'node:worker_threads'
import { yieldToRequests } from '#catalogue/in-thread.ts'
import { answerWith } from '#server/import/limited-thread.ts'
import { readStatisticsDatabase, type DocumentTimes } from './statistics-database.ts'

/** What the thread is given. */
export interface StatisticsTask {
  path: string
  /** Seconds since 1970. */
  now: number
}

/** A document, whose page times are JSON so that days without news needn't be parsed. */
export interface SentDocument extends Omit<DocumentTimes, 'days'> {
  days: { day: string; times: string }[]
}

const { path, now } = workerData as StatisticsTask
yieldToRequests(19)

await answerWith(async () => {
  const documents = readStatisticsDatabase(path, now)
  // Each message asks for the next document.
  const next = async () => ({ next: toSent(documents.shift()) })
  parentPort!.on('message', () => void answerWith(next))
  return { documents: documents.length }
})

function toSent(document: DocumentTimes | undefined): SentDocument | undefined {
  if (!document) return undefined
  const days = document.days.map(({ day, times }) => ({ day, times: JSON.stringify(times) }))
  return { ...document, days }
}
