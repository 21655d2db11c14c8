import type { Row } from './database.ts'

/** Gives a column's value the type that the statement promises. */
export type Column<T> = (value: Row[number]) => T

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

/** A statement's columns by name, in the order in which they are selected. */
export type Columns = Record<string, Column<unknown>>

/** A row with the columns' names and types. */
export type NamedRow<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]> }

/** Names the columns of rows. */
export function named<C extends Columns>(rows: readonly Row[], columns: C): NamedRow<C>[] {
  const entries = Object.entries(columns)
  return rows.map((row) => {
    const values = entries.map(([name, column], i) => [name, column(row[i] ?? null)])
    return Object.fromEntries(values) as NamedRow<C>
  })
}
