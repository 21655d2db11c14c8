import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import {
  ApiError,
  temporaryFolder,
  throttle,
  type Database,
  type FileStorage,
  text,
} from '#records/index.ts'
import { deviceFiles, type PageTime } from '#server/collections/connections.ts'
import type { LibraryRecords, Stored } from '#server/collections/stored.ts'
import { checkRoom } from '#server/import/disk-room.ts'
import { ImportError } from '#server/import/import-error.ts'
import { readInThread } from '#server/import/limited-thread.ts'
import type { Jobs } from '#server/runtime/jobs.ts'
import { parseInThread } from '#server/import/parse.ts'
import { query } from '#server/storage/query.ts'
import { holdsHighlights } from './device-files.ts'
import { storeQuotes } from './device-quotes.ts'
import { inTurn } from './in-turn.ts'
import { daysAtOnce, storeTimes, type StatisticsSender } from './reading-times.ts'
import type { SentDocument, StatisticsTask } from './statistics-worker.ts'

export interface DeviceFileDeps {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'find'>
  storage: Pick<FileStorage, 'read'>
  /** The folder for files while they are read. */
  folder: string
  /** Ends reading at once. */
  signal: AbortSignal
  log: Pick<Logger, 'warn'>
  now?: (() => Date) | undefined
}

/** The ids of the files of statistics and highlights that devices have sent and that aren't read yet. */
export function sentFiles(deps: Omit<DeviceFileDeps, 'signal'>): Jobs<string> {
  return {
    next: inTurn(deps.database, 'device_files', sql`tries > 0`),
    run: (id, signal) => readOne({ ...deps, signal }, id),
  }
}

async function readOne(deps: DeviceFileDeps, id: string): Promise<void> {
  const { records, log } = deps
  // Counted before it is read, so that a file that ends the process isn't read forever.
  const file = await records.write(async (tx) => {
    const found = await tx.find('device_files', id)
    return found && tx.update('device_files', id, { tries: found.tries - 1 })
  })
  if (!file) return
  try {
    await readFile(deps, file)
  } catch (error) {
    if (!isOfFile(error)) throw error
    log.warn({ err: error, file: id }, 'could not read a file of a device')
  }
  await records.write(async (tx) => {
    const found = await tx.find('device_files', id)
    if (found?.file === file.file) await tx.update('device_files', id, { tries: 0 })
  })
}

/** Whether an error is the file's own fault, so that another try would fail too. */
const isOfFile = (error: unknown) =>
  error instanceof ImportError || (error instanceof ApiError && error.status < 500)

async function readFile(deps: DeviceFileDeps, file: Stored<'device_files'>): Promise<void> {
  const { records, storage, signal, now = () => new Date() } = deps
  const content = await storage.read(`${deviceFiles.id}/${file.id}/${file.file}`)
  if (!content) return
  const connection = file.connection ? await records.find('connections', file.connection) : null
  const { user } = file
  const sender = { user, connection: connection?.id ?? '', name: connection?.name ?? '' }
  if (holdsHighlights(file.path)) return readHighlights(deps, sender, content)
  const folder = await temporaryFolder(deps.folder, 'statistics')
  try {
    const path = join(folder, 'file')
    const pieces = content instanceof Uint8Array ? [content] : content
    await pipeline(Readable.from(pieces), checkRoom(folder), createWriteStream(path), { signal })
    const task: StatisticsTask = { path, now: Math.floor(now().getTime() / 1000) }
    const script = new URL('./statistics-worker.ts', import.meta.url)
    const thread = await readInThread(script, task, { signal })
    try {
      for (;;) {
        const { next } = await thread.next<{ next?: SentDocument }>()
        if (!next) return
        await storeDocument(deps, sender, next)
      }
    } finally {
      await thread.end()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads a file as an import does; other JSON isn't a device's and stays as it is. */
async function readHighlights(
  { records, signal, folder, now = () => new Date() }: DeviceFileDeps,
  sender: StatisticsSender,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const pieces = content instanceof Uint8Array ? Readable.from([content]) : content
  await using file = await parseInThread(pieces, undefined, { within: folder, signal })
  if (file.format !== 'koreader') return
  for (let rows = await file.rows(); rows.length; rows = await file.rows())
    for (const { book } of rows) {
      const { title = '', authors = [], quotes = [], source_id: document = '' } = book ?? {}
      if (!title || !quotes.length) continue
      const marked = { document, title, authors, quotes }
      await throttle(() => records.write((tx) => storeQuotes(tx, sender, marked, now())))
    }
}

/** Stores what is new of a document, a few days at a time. */
async function storeDocument(
  { database, records, signal }: DeviceFileDeps,
  sender: StatisticsSender,
  document: SentDocument,
): Promise<void> {
  const rows = await query(
    database,
    sql`SELECT day, times FROM reading_times
      WHERE "user" = ${sender.user} AND document = ${document.document}`,
    { day: text, times: text },
  )
  const known = new Map(rows.map(({ day, times }) => [day, times]))
  const changed = document.days.filter(({ day, times }) => known.get(day) !== times)
  for (let from = 0; from < changed.length; from += daysAtOnce) {
    signal.throwIfAborted()
    const some = changed
      .slice(from, from + daysAtOnce)
      .map(({ day, times }) => ({ day, times: JSON.parse(times) as PageTime[] }))
    await throttle(() => records.write((tx) => storeTimes(tx, sender, document, some)))
  }
}
