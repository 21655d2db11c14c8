import type { Row } from './database.ts'

/** Gives a column's value the type that the statement promises. */
type Column<T> = (value: Row[number]) => T

/** Text; NULL is ''. */
export const text: Column<string> = (value) => (value === null ? '' : String(value))

/** A number; NULL is 0. PostgreSQL returns counts and sums as text. */
export const number: Column<number> = Number

/** A boolean, which is 1 or 0 in SQLite. */
export const flag: Column<boolean> = Boolean

/** A list of texts as JSON; empty if it holds something else. */
export const texts: Column<string[]> = (value) => {
  const list: unknown = JSON.parse(text(value) || 'null')
  return Array.isArray(list) ? list.map(String) : []
}

/** A column that may be NULL. */
export function orNull<T>(column: Column<T>): Column<T | null> {
  return (value) => (value === null ? null : column(value))
}

/**
 * Names the columns of rows.
 *
 * @param columns one for each column, in the order in which they were selected
 */
export function named<C extends Record<string, Column<unknown>>>(
  rows: readonly Row[],
  columns: C,
): { [Name in keyof C]: ReturnType<C[Name]> }[] {
  const entries = Object.entries(columns)
  return rows.map((row) => {
    const values = entries.map(([name, column], i) => [name, column(row[i] ?? null)])
    return Object.fromEntries(values) as { [Name in keyof C]: ReturnType<C[Name]> }
  })
}
