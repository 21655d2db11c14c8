import { parse, CsvError } from 'csv-parse/sync'
import { ImportError } from './import-error.ts'

/** A row's cells; `isBroken` where a quotation mark is never closed. */
export interface TableRow {
  cells: string[]
  isBroken?: boolean
}

/** Characters of one row. A review has 20,000. */
const rowAtMost = 1_000_000
export const rowsAtMost = 100_000
/** Rows whose quotation marks don't close, before the file counts as no table. */
const brokenAtMost = 100

/**
 * Takes a table apart, with the separator that its first line shows.
 *
 * @returns its rows, the header among them if it has one
 * @throws ImportError for too many rows, or too much in one
 */
export function readTable(text: string): TableRow[] {
  const delimiter = separatorOf(text)
  // LibraryThing writes tabs without quotes, so that a quotation mark is part of a title.
  const quote = delimiter === '\t' && !/^"|\t"/.test(text.slice(0, text.indexOf('\n'))) ? null : '"'
  const rows: TableRow[] = []
  let rest = text
  for (let broken = 0; ; broken++) {
    const { good, end } = readUntilBroken(rest, delimiter, quote)
    rows.push(...good)
    if (rows.length > rowsAtMost)
      throw new ImportError(`This file has more than ${rowsAtMost.toLocaleString('en')} rows.`)
    if (end === null) return rows
    if (broken === brokenAtMost)
      throw new ImportError('The quotation marks in this file don’t match. Export it again.')
    const line = /^[^\n]*\n?/.exec(rest.slice(end))?.[0] ?? ''
    if (!line) return rows
    rows.push({ cells: line.trimEnd().split(delimiter), isBroken: true })
    rest = rest.slice(end + line.length)
  }
}

/** @returns the rows up to one that doesn't end, and where in the text it begins */
function readUntilBroken(text: string, delimiter: string, quote: string | null) {
  const good: TableRow[] = []
  let bytes = 0
  try {
    parse(text, {
      delimiter,
      quote,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: rowAtMost,
      on_record: (cells: string[], context) => {
        good.push({ cells })
        bytes = context.bytes
        return null
      },
    })
    return { good, end: null }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw new ImportError(`Row ${good.length + 1} of this file is larger than 1 MB.`)
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED') throw new ImportError('This file isn’t a table.')
    return { good, end: Buffer.from(text).subarray(0, bytes).toString().length }
  }
}

/** The separator that the first line has most of, outside of quotation marks. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((one): [string, number] => [
    one,
    bare.split(one).length - 1,
  ])
  return counts.toSorted((a, b) => b[1] - a[1])[0]![0]
}
