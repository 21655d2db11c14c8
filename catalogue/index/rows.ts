import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'

/** A value of an index file's column. */
export type Cell = string | number | null

/**
 * Prepares a query that returns its rows as arrays, which are cheaper than objects.
 *
 * @returns a function from bound values to all rows
 */
export function preparedRows(
  db: DatabaseSync,
  sql: string,
): (...values: SQLInputValue[]) => Cell[][] {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  // The type of all() ignores setReturnArrays; the schema has no blobs.
  return (...values) => statement.all(...values) as unknown as Cell[][]
}

/**
 * The same for a query that ends in a limit. SQLite recompiles a statement whenever its limit is
 * bound, which takes longer than many searches, so the limit is part of the text.
 *
 * @param sql returns the query with its limit
 * @returns a function from a limit and bound values to rows; a few statements are cached
 */
export function preparedUpTo(
  db: DatabaseSync,
  sql: (limit: number) => string,
): (limit: number, ...values: SQLInputValue[]) => Cell[][] {
  const statements = new LRUCache<number, ReturnType<typeof preparedRows>>({
    max: maxLimits,
    memoMethod: (limit) => preparedRows(db, sql(limit)),
  })
  return (limit, ...values) => statements.memo(limit)(...values)
}

/** The number of cached statements of a query. */
const maxLimits = 16

/** The same as an iterator, for more rows than fit into memory. */
export function eachRow(
  db: DatabaseSync,
  sql: string,
  ...values: SQLInputValue[]
): IterableIterator<Cell[]> {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement.iterate(...values) as unknown as IterableIterator<Cell[]>
}

/**
 * Prepares a statement that writes to an index. FTS5's shadow tables have row ids above 2^53, and
 * Node reports the last one written: as a number it would throw, after the write.
 */
export function preparedWrite(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}

/** Inserts rows of numbers in bulk, in a third of the time. */
interface NumberRows {
  add(...row: number[]): void
  /**
   * Writes the remaining rows; call it at the end, or before a pause.
   *
   * @returns the number of rows written or changed since the last call
   */
  finish(): number
}

/** Rows per statement. */
const batchSize = 32

/**
 * @param into such as `INSERT INTO table`
 * @param columns the number of columns
 * @param from selects from the given rows as SQL; unchanged by default
 */
export function numberRows(
  db: DatabaseSync,
  into: string,
  columns: number,
  from = (rows: string) => rows,
): NumberRows {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  const insert = (rows: number) =>
    db.prepare(`${into} ${from(`VALUES ${Array.from({ length: rows }, () => row).join(', ')}`)}`)
  const [full, single] = [insert(batchSize), insert(1)]
  let waiting: number[] = []
  let written = 0
  return {
    add(...row) {
      waiting.push(...row)
      if (waiting.length < batchSize * columns) return
      written += Number(full.run(...waiting).changes)
      waiting = []
    },
    finish() {
      for (let i = 0; i < waiting.length; i += columns)
        written += Number(single.run(...waiting.slice(i, i + columns)).changes)
      waiting = []
      const all = written
      written = 0
      return all
    },
  }
}

/** @returns the entries of a list column, one per line */
export function linesOf(text: Cell | undefined): string[] {
  return text ? String(text).split('\n') : []
}

/** @returns a list as a column value; line breaks in entries become spaces */
export function lines(list: readonly string[]): string {
  return list
    .map((entry) => entry.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')
}
