import { openLibraryNumber } from '#catalogue/index/schema.ts'
import type { Dump } from './options.ts'
import type {
  AuthorRecord,
  EditionRecord,
  SeriesRecord,
  SkipReason,
  Subset,
  WorkRecord,
} from './records.ts'
import { parseAuthor, parseEdition, parseSeries, parseWork } from './records.ts'

/** Additional readers of a work. */
export interface ReaderCount {
  id: number
  readers: number
}

/** The records of each dump. */
export interface DumpRecords {
  authors: AuthorRecord
  works: WorkRecord
  editions: EditionRecord
  series: SeriesRecord
  popularity: ReaderCount
  ratings: ReaderCount
  'reading-log': ReaderCount
}

/** The records of some lines. */
export interface ParsedLines {
  /** Records as JSON: one string passes between threads in a fraction of the time. */
  records: string
  /** Skipped lines by reason. */
  skipped: Record<string, number>
  lines: number
}

/** @returns a function that parses lines of a dump */
export function lineParser(subset: Subset): (dump: Dump, lines: readonly string[]) => ParsedLines {
  const readersOf = readers(subset)
  return (dump, lines) => {
    const read = readersOf[dump]
    const records: DumpRecords[Dump][] = []
    const skipped: Record<string, number> = {}
    for (const line of lines) {
      const record = read(line)
      if (typeof record === 'string') skipped[record] = (skipped[record] ?? 0) + 1
      else records.push(record)
    }
    return { records: JSON.stringify(records), skipped, lines: lines.length }
  }
}

type Read = (line: string) => DumpRecords[Dump] | SkipReason

/** @returns parsers for a line of each dump */
function readers(subset: Subset): Record<Dump, Read> {
  // Each line is one reader's rating or shelf; the first column is the work.
  const mark = (line: string) => parseReaderCount(line.split('\t', 1)[0] ?? '', '1')
  return {
    authors: parseAuthor,
    works: parseWork,
    editions: (line) => parseEdition(line, subset),
    series: parseSeries,
    popularity: (line) => {
      const [key = '', count = ''] = line.split('\t', 2)
      return parseReaderCount(key, count)
    },
    ratings: mark,
    'reading-log': mark,
  }
}

function parseReaderCount(key: string, count: string): ReaderCount | SkipReason {
  const id = openLibraryNumber(key.trim(), 'W')
  if (id === null) return 'no usable key'
  if (!/^\d{1,9}\s*$/.test(count)) return 'a line of another form'
  return { id, readers: Number(count) }
}
