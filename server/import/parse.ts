import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { temporaryFolder } from '#records/index.ts'
import type { DateOrder, ImportFormat, ImportLabel } from '#shared/import.ts'
import { checkRoom } from './disk-room.ts'
import type { EarlierRow } from './duplicate-finder.ts'
import { readInThread, type ThreadTask, type ThreadTime } from './limited-thread.ts'
import type { SizedRow } from './row.ts'

/** @returns the folder for files while they are read; in the data folder, as /tmp may be small */
export const importFolder = (dataDir: string) => join(dataDir, 'importing')

/** A file that is being read in a thread. */
export interface ParsedFile extends AsyncDisposable {
  format: ImportFormat
  ambiguous: string[]
  /** Columns with values that aren't read. */
  unused: string[]
  labels: ImportLabel[]
  total: number
  /** Bytes of the file. */
  size: number
  /** The next rows; none at the end. @throws ImportError if they take too long */
  rows(): Promise<FileRow[]>
}

/** A row of another tracker's file comes with the earlier row about the same book, if any. */
export interface FileRow extends SizedRow {
  earlier: EarlierRow | null
}

/** What the thread is given. */
export interface ParseTask extends ThreadTask {
  path: string
  order: DateOrder | undefined
}

interface ParseOptions {
  within: string
  signal: AbortSignal
  time?: ThreadTime
}

/**
 * Reads a file in its own thread, so that a crash affects nothing else. Meanwhile the file is in
 * its own folder, along with its text in UTF-8 if it has another encoding.
 *
 * @param content the file, in pieces
 * @param options.within the parent of these folders
 * @param options.signal ends the thread
 * @throws ImportError if the file can't be read, or takes too much time, memory or disk space; the
 *   signal's reason
 */
export async function parseInThread(
  content: AsyncIterable<Uint8Array>,
  order: DateOrder | undefined,
  { within, signal, time }: ParseOptions,
): Promise<ParsedFile> {
  const folder = await temporaryFolder(within, 'file')
  const path = join(folder, 'file')
  try {
    await pipeline(content, checkRoom(folder), createWriteStream(path), { signal })
    const { size } = await stat(path)
    const script = new URL('./parse-worker.ts', import.meta.url)
    const thread = await readInThread<Head>(script, { path, order }, { signal, time })
    return {
      ...thread.first,
      size,
      rows: async () => (await thread.next<{ rows: FileRow[] }>()).rows,
      async [Symbol.asyncDispose]() {
        await thread.end()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

type Head = Pick<ParsedFile, 'format' | 'ambiguous' | 'unused' | 'labels' | 'total'>
