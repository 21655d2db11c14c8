import { createReadStream } from 'node:fs'
import { parse, CsvError, type Parser } from 'csv-parse'
import { readBytes, type TextFile } from './decode.ts'
import type { ImportReason } from '#shared/import.ts'
import { ImportError } from './import-error.ts'

/** A row's cells, and a sentence for the reader if they can't be used. */
export interface TableRow {
  cells: string[]
  problem?: ImportReason['key']
}

/** Bytes of one row. (A review alone may have 20,000 characters.) */
export const maxRowBytes = 1_000_000
export const maxRows = 100_000
/** Rows that don't end before the file is refused. */
const brokenAtMost = 100
/** Bytes to look for the end of a row in. */
const endWithin = 10 * maxRowBytes
/** Bytes to detect a table's separator from. */
const firstLine = 65_536

/**
 * Streams a table's rows. The separator is detected from its first line. A row that doesn't end
 * within {@link maxRowBytes} has a problem, and those after it are read.
 *
 * @returns its rows, including a header
 * @throws ImportError for too many rows, or too many that don't end
 */
export async function* readTable({ path, start }: TextFile): AsyncGenerator<TableRow> {
  const shape = await detectDialect({ path, start })
  let from = start + shape.skipped
  let count = 0
  for (let broken = 0; ; broken++) {
    const end = { bytes: 0, isBroken: false }
    for await (const cells of readUntilBroken(path, from, shape, end)) {
      if (++count > maxRows) throw tooManyRows()
      yield { cells }
    }
    if (!end.isBroken) return
    if (broken === brokenAtMost) throw new ImportError('quotesBroken')
    from += end.bytes
    const length = await rowLength(path, from, shape.quote)
    const isLarge = length > maxRowBytes
    const text = isLarge ? '' : (await readBytes(path, from, length)).toString().trim()
    if (isLarge) yield { cells: [], problem: rowTooLarge }
    else if (text) yield { cells: text.split(shape.delimiter), problem: neverClosed }
    if (text || isLarge) count++
    from += length
  }
}

export const rowTooLarge = 'rowTooLarge'
const neverClosed = 'quoteNotClosed'

/**
 * @returns the bytes of a row that doesn't end where it should: of all its lines if it is only too
 *   large, or else of its first line, as a quotation mark in it is never closed
 */
async function rowLength(path: string, start: number, quote: string | null): Promise<number> {
  const [mark, end] = [quote?.charCodeAt(0), 10]
  let [length, line, isQuoted] = [0, 0, false]
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>)
    for (const byte of chunk) {
      length++
      if (byte === mark) isQuoted = !isQuoted
      if (byte !== end || length === 1) continue
      line ||= length
      if (!isQuoted && length > maxRowBytes) return length
      // It ended before, so that this isn't what was wrong with it.
      if (!isQuoted || (length > endWithin && line)) return line
    }
  return line || length
}

export function tooManyRows(): ImportError {
  return new ImportError('fileTooManyRows', { count: maxRows })
}

interface CsvDialect {
  /** One character between the cells. */
  delimiter: string
  quote: string | null
  /** Bytes of a line before the table that names its separator. */
  skipped: number
}

/** Detects how a table separates its cells, from its first line. */
export async function detectDialect({ path, start }: TextFile): Promise<CsvDialect> {
  const head = (await readBytes(path, start, firstLine)).toString()
  // Excel writes such a line.
  const named = /^sep=(.)\r?\n/i.exec(head)
  const text = named ? head.slice(named[0].length) : head
  const delimiter = named?.[1] ?? separatorOf(text)
  // LibraryThing writes tabs without quotes, so that a quotation mark is part of a title.
  const isBare = delimiter === '\t' && !/^"|\t"/.test(text.split('\n', 1)[0]!)
  return { delimiter, quote: isBare ? null : '"', skipped: named?.[0].length ?? 0 }
}

/** Yields rows until one that doesn't end. `end.bytes` is then that row's offset from `from`. */
async function* readUntilBroken(
  path: string,
  from: number,
  { delimiter, quote }: CsvDialect,
  end: { bytes: number; isBroken: boolean },
): AsyncGenerator<string[]> {
  let rows: string[][] = []
  const parser = parse({
    delimiter,
    quote,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    on_record: (cells: string[], { bytes }) => {
      rows.push(cells)
      end.bytes = bytes
      return null
    },
  })
  const ended = new Promise<unknown>((resolve) => {
    parser.once('error', resolve)
    parser.once('end', () => resolve(null))
  })
  parser.resume()
  const taken = () => {
    const some = rows
    rows = []
    return some
  }
  for await (const chunk of createReadStream(path, { start: from }) as AsyncIterable<Buffer>) {
    const problem = await write(parser, chunk)
    yield* taken()
    if (problem) return judge(problem, end)
  }
  parser.end()
  const problem = await ended
  yield* taken()
  if (problem) judge(problem, end)
}

function write(parser: Parser, chunk: Buffer): Promise<unknown> {
  return new Promise((resolve) => parser.write(chunk, (problem) => resolve(problem ?? null)))
}

function judge(problem: unknown, end: { isBroken: boolean }): void {
  if (!(problem instanceof CsvError)) throw problem
  // A row with an unclosed quotation mark runs to the end of the file or becomes too large.
  end.isBroken = ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'].includes(problem.code)
  if (!end.isBroken) throw new ImportError('fileNotTable')
}

/** @returns whether a line is a heading, as in notes: "# Books", "My books 2024:" */
export const isHeading = (line: string): boolean => /^#{1,6} |[:：]$/.test(line.trim())

/** @returns whether a row only divides others, as in Markdown's tables: "---", ":-- | --:" */
export const isDivider = (cells: readonly string[]): boolean =>
  /^[-–—=*_:|+~\s]+$/.test(cells.join(''))

/** The most frequent separator in the first line below a heading, outside quotation marks. */
function separatorOf(text: string): string {
  const line = text.split('\n').find((one) => one.trim() && !isHeading(one)) ?? ''
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((one): [string, number] => [
    one,
    bare.split(one).length - 1,
  ])
  return counts.toSorted((a, b) => b[1] - a[1])[0]![0]
}
