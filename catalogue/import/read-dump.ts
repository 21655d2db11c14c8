import { openLibraryNumber } from '#catalogue/index/schema.ts'
import { dumpLines } from './dump-lines.ts'
import type { Dump } from './options.ts'
import type { AuthorRecord, EditionRecord, Skipped, Subset, WorkRecord } from './records.ts'
import { readAuthor, readEdition, readWork } from './records.ts'

/** How many more readers a work has. */
export interface ReadersRecord {
  id: number
  readers: number
}

/** What the lines of each dump say. */
export interface Records {
  authors: AuthorRecord
  works: WorkRecord
  editions: EditionRecord
  popularity: ReadersRecord
  ratings: ReadersRecord
  'reading-log': ReadersRecord
}

/** A dump to be read. */
export interface Reading {
  dump: Dump
  file: string
  /** Lines at its start that are passed over. */
  skip: number
  /** Which of so many readers this one is; each takes its turn. */
  share: { of: number; number: number }
  subset: Subset
}

/** Some lines of a dump. */
export interface ReadBatch {
  /** Records as JSON: as one text they pass between threads in a fraction of the time. */
  records: string
  /** Lines that were not taken, by reason. */
  skipped: Record<string, number>
  lines: number
  /** Bytes read of the file so far, as it lies on disk. */
  bytes: number
  isLast: boolean
}

/** Lines in one batch. */
const batchLines = 2000

/**
 * What a dump says, a few thousand lines at once.
 *
 * @throws ImportError when it cannot be read to its end
 */
export async function* readBatches(reading: Reading): AsyncGenerator<ReadBatch, undefined> {
  const { dump, file, subset, skip, share } = reading
  const read = readers(subset)[dump]
  let reached = 0
  for await (const { lines, bytes } of dumpLines(file, { skip, batch: batchLines, share })) {
    reached = bytes
    yield batchOf(lines, bytes, read)
  }
  yield { records: '[]', skipped: {}, lines: 0, bytes: reached, isLast: true }
}

type Read = (line: string) => Records[Dump] | Skipped

function batchOf(lines: string[], bytes: number, read: Read): ReadBatch {
  const records: Records[Dump][] = []
  const skipped: Record<string, number> = {}
  for (const line of lines) {
    const record = read(line)
    if (typeof record === 'string') skipped[record] = (skipped[record] ?? 0) + 1
    else records.push(record)
  }
  return {
    records: JSON.stringify(records),
    skipped,
    lines: lines.length,
    bytes,
    isLast: false,
  }
}

/** @returns what reads a line of each dump */
function readers(subset: Subset): Record<Dump, Read> {
  // Each line is one reader's rating or mark; the work is in the first column.
  const mark = (line: string) => readReaders(line.split('\t', 1)[0] ?? '', '1')
  return {
    authors: readAuthor,
    works: readWork,
    editions: (line) => readEdition(line, subset),
    popularity: (line) => {
      const [key = '', count = ''] = line.split('\t', 2)
      return readReaders(key, count)
    },
    ratings: mark,
    'reading-log': mark,
  }
}

function readReaders(key: string, count: string): ReadersRecord | Skipped {
  const id = openLibraryNumber(key.trim(), 'W')
  if (id === null) return 'no usable key'
  if (!/^\d{1,9}\s*$/.test(count)) return 'a line of another form'
  return { id, readers: Number(count) }
}
