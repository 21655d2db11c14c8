import type { Database } from '#records/index.ts'
import type { Arguments, Command } from './command.ts'
import { libraryCommand } from './library-command.ts'

/** A column of a list. */
export interface Column<Row> {
  /** As a column of tab-separated text; the table shows it in capitals. */
  name: string
  /** The cell for programs: numbers without units, times in full. */
  value: (row: Row) => string | number | boolean | Date | null
  /** The cell of the table, if it reads differently; `null` leaves the column out of the table. */
  text?: ((row: Row) => string) | null
}

/**
 * A command that prints a list: as a table, as JSON with everything that is known, or as
 * tab-separated text, whose first line has the names of the columns.
 *
 * @param empty what the table says if there is nothing
 */
export function listCommand<Row>(
  { about, empty, columns }: { about: string; empty: string; columns: readonly Column<Row>[] },
  read: (database: Database) => Promise<readonly Row[]>,
): Command {
  const options = {
    json: { type: 'boolean', about: 'as JSON, with everything that is known' },
    tsv: { type: 'boolean', about: 'as tab-separated text, for other programs' },
  } as const
  return libraryCommand({ about, options }, async (database, given) => {
    refuseBoth(given)
    const rows = await read(database)
    if (given.options['json']) return JSON.stringify(rows, null, 2)
    if (given.options['tsv']) return tabSeparated(columns, rows)
    return rows.length > 0 ? table(columns, rows) : empty
  })
}

function refuseBoth({ options }: Arguments): void {
  if (options['json'] && options['tsv']) throw new Error('choose one of --json and --tsv')
}

/** @returns tab-separated text as IANA registers it: a line of names, then a line for each row */
function tabSeparated<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    columns.map(({ value }) => {
      const cell = value(row)
      // The format has no way to write a tab or a line break inside a cell.
      return (cell instanceof Date ? cell.toISOString() : String(cell ?? '')).replaceAll(/\s/g, ' ')
    }),
  )
  return [columns.map(({ name }) => name), ...lines].map((cells) => cells.join('\t')).join('\n')
}

/** @returns columns of the same width; numbers are right-aligned */
function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const shown = columns.filter(({ text }) => text !== null)
  const lines = rows.map((row) => shown.map(({ value, text }) => text?.(row) ?? cellOf(value(row))))
  const all = [shown.map(({ name }) => name.replaceAll('_', ' ').toUpperCase()), ...lines]
  const widths = shown.map((_, at) => Math.max(...all.map((cells) => cells[at]!.length)))
  const isNumber = shown.map(({ value }) => typeof value(rows[0]!) === 'number')
  const cell = (text: string, at: number) =>
    isNumber[at] ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)
  return all.map((cells) => cells.map(cell).join('  ').trimEnd()).join('\n')
}

function cellOf(value: string | number | boolean | Date | null): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return value === null ? '-' : String(value)
}
