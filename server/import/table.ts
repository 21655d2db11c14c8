import { createReadStream } from 'node:fs'
import { parse, CsvError, type Parser } from 'csv-parse'
import { readBytes, type TextFile } from './decode.ts'
import { ImportError } from './import-error.ts'

/** A row's cells; `isBroken` if a quotation mark is never closed. */
export interface TableRow {
  cells: string[]
  isBroken?: boolean
}

/** Bytes of one row. (A review alone may have 20,000 characters.) */
export const maxRowBytes = 1_000_000
export const maxRows = 100_000
/** Rows with unclosed quotation marks before the file is refused. */
const brokenAtMost = 100
/** Bytes to detect a table's separator from. */
const firstLine = 65_536

/**
 * Streams a table's rows. The separator is detected from its first line.
 *
 * @returns its rows, including a header
 * @throws ImportError for too many rows or too large a row
 */
export async function* readTable({ path, start }: TextFile): AsyncGenerator<TableRow> {
  const shape = detectDialect((await readBytes(path, start, firstLine)).toString())
  let from = start + shape.skipped
  let count = 0
  for (let broken = 0; ; broken++) {
    const end = { bytes: 0, isBroken: false }
    for await (const cells of readUntilBroken(path, from, shape, end)) {
      if (++count > maxRows) throw tooManyRows()
      yield { cells }
    }
    if (!end.isBroken) return
    if (broken === brokenAtMost)
      throw new ImportError('The quotation marks in this file don’t match. Export it again.')
    from += end.bytes
    const bytes = await readBytes(path, from, maxRowBytes)
    const at = bytes.indexOf('\n', 1)
    if (at < 0 && bytes.length === maxRowBytes)
      throw new ImportError(`Row ${count + 1} of this file is larger than 1 MB.`)
    const line = bytes.subarray(0, at < 0 ? bytes.length : at + 1)
    const text = line.toString().trim()
    if (text) yield { cells: text.split(shape.delimiter), isBroken: true }
    from += line.length
    count++
    if (at < 0) return
  }
}

export function tooManyRows(): ImportError {
  return new ImportError(`This file has more than ${maxRows.toLocaleString('en')} rows.`)
}

interface CsvDialect {
  delimiter: string
  quote: string | null
  /** Bytes of a line before the table that names its separator. */
  skipped: number
}

function detectDialect(start: string): CsvDialect {
  // Excel writes such a line.
  const named = /^sep=(.)\r?\n/i.exec(start)
  const text = named ? start.slice(named[0].length) : start
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
  if (!end.isBroken) throw new ImportError('This file isn’t a table.')
}

/** The most frequent separator in the first line, outside quotation marks. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((one): [string, number] => [
    one,
    bare.split(one).length - 1,
  ])
  return counts.toSorted((a, b) => b[1] - a[1])[0]![0]
}
