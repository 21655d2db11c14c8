import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'

/** What the columns of an index file hold. */
export type Cell = string | number | null

/**
 * A query that is prepared once and gives its rows as arrays, which are cheaper than objects.
 *
 * @returns all rows for the values bound to its question marks
 */
export function preparedRows(
  db: DatabaseSync,
  sql: string,
): (...values: SQLInputValue[]) => Cell[][] {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  // setReturnArrays is not reflected in the type of all(); the schema holds no blobs.
  return (...values) => statement.all(...values) as unknown as Cell[][]
}

/**
 * The same for a query that ends in a limit. SQLite prepares a statement anew each time its limit
 * is bound, which takes longer than many a search: the limit stands in its text.
 *
 * @param sql makes the query with its limit
 * @returns all rows, at most as many as asked for; a few statements are kept
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

/** Different limits of one query whose statements are kept. */
const maxLimits = 16

/** The same, one row after the other, for more rows than fit into memory. */
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
 * A statement that writes to an index. The shadow tables of FTS5 hold row ids above 2^53, and
 * Node reports the last one written, by whichever statement: as a number it would throw, after the
 * write is done.
 */
export function preparedWrite(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}

/** Rows of numbers that are put into a table many at once, in a third of the time. */
interface NumberRows {
  add(...row: number[]): void
  /**
   * What is left over; to be called once no more come, or not for now.
   *
   * @returns how many rows were written or changed since the last time
   */
  finish(): number
}

/** Rows of one statement. */
const maxAtOnce = 32

/**
 * @param into such as `INSERT INTO table`
 * @param columns how many the table has
 * @param from reads the rows it is given as SQL; all of them as they are unless told
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
  const [full, single] = [insert(maxAtOnce), insert(1)]
  let waiting: number[] = []
  let written = 0
  return {
    add(...row) {
      waiting.push(...row)
      if (waiting.length < maxAtOnce * columns) return
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

/** @returns the entries of a list that stands one a line in its column */
export function linesOf(text: Cell | undefined): string[] {
  return text ? String(text).split('\n') : []
}

/** @returns a list as it stands in its column; what would be a line break inside becomes a space */
export function lines(list: readonly string[]): string {
  return list
    .map((entry) => entry.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')
}
