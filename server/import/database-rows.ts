import { withoutZeros } from '#shared/text.ts'
import { openForeignDatabase, type TableColumns } from './foreign-database.ts'
import { ImportError } from './import-error.ts'
import { maxRows, tooManyRows } from './table.ts'

/** Characters to keep of a text. */
const textAtMost = 20_000

/** One row of a foreign database, whose values may be anything. */
export class DatabaseRow {
  readonly #values: Record<string, unknown>

  constructor(values: Record<string, unknown>) {
    this.#values = values
  }

  /** @returns a text without NUL; '' for anything else */
  text(column: string): string {
    const value = this.#values[column]
    return typeof value === 'string' ? withoutZeros(value.slice(0, textAtMost)) : ''
  }

  /** @returns a number, also one that is stored as a text; 0 for anything else */
  number(column: string): number {
    const value = this.#values[column]
    return Number(typeof value === 'string' || typeof value === 'number' ? value : 0) || 0
  }
}

type Columns<Name extends string> = Readonly<Record<Name, readonly string[]>>

const namesOf = <Name extends string>(columns: Columns<Name>) => Object.keys(columns) as Name[]

/** @returns those of the wanted columns that each table has; null without a table's first column */
function columnsIn<Name extends string>(
  { tables }: { tables: TableColumns },
  columns: Columns<Name>,
): ReadonlyMap<Name, readonly string[]> | null {
  const found = namesOf(columns).map((table) => {
    const has = tables.get(table) ?? []
    return [table, columns[table].filter((name) => has.includes(name))] as const
  })
  const isWhole = found.every(([table, names]) => names[0] === columns[table][0])
  return isWhole ? new Map(found) : null
}

/** @returns whether a file is a database with these tables, each with its first column at least */
export function hasTables<Name extends string>(path: string, columns: Columns<Name>): boolean {
  try {
    using database = openForeignDatabase(path, (table) => Object.hasOwn(columns, table))
    return database !== null && columnsIn(database, columns) !== null
  } catch {
    return false
  }
}

/**
 * Reads tables of a database that may come from anyone. Columns that a version of the program doesn't
 * have are empty.
 *
 * @param columns to read, by table
 * @throws ImportError for a database that is damaged, lacks a table, or has too many rows
 */
export function readTables<Name extends string>(
  path: string,
  columns: Columns<Name>,
): Record<Name, DatabaseRow[]> {
  try {
    using database = openForeignDatabase(path, (table) => Object.hasOwn(columns, table))
    const found = database && columnsIn(database, columns)
    if (!found) throw new ImportError('fileUnreadable')
    const tables = Array.from(found, ([table, names]) => {
      const rows: DatabaseRow[] = []
      const all = database.db.prepare(`SELECT ${names.join()} FROM ${table}`)
      for (const row of all.iterate())
        if (rows.push(new DatabaseRow(row)) > maxRows) throw tooManyRows()
      return [table, rows] as const
    })
    return Object.fromEntries(tables) as Record<Name, DatabaseRow[]>
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError('fileUnreadable', {}, cause)
  }
}
