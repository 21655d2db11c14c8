import type { RawBuilder } from 'kysely'
import type { Listener } from './listener.ts'
import type { Value } from './placeholder.ts'

/** A row: the columns' values in the order they were selected. */
export type Row = readonly (string | number | bigint | boolean | null)[]

/**
 * A statement in one database's SQL, cached as a prepared statement by its text. Its parameters may
 * be placeholders.
 */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /**
   * For {@link Database.search}: 'broad' may scan very many rows, 'narrow' all rows of one owner,
   * which are rarely many. Without it, the statement is for {@link Connection.query}.
   */
  readonly scan?: Scan
}

/** How many rows a read may scan. */
export type Scan = 'broad' | 'narrow'

/** Runs statements. SQLite returns booleans as 0 or 1; see `decode` in schema/values. */
export interface Connection {
  query(sql: string, parameters?: readonly Value[]): Promise<Row[]>
}

/** A database or one of its transactions, with its SQL dialect. */
export interface Db extends Connection {
  readonly dialect: Dialect
}

/** How a transaction is committed. */
export interface CommitOptions {
  /**
   * False for background work that resumes by itself and that nobody relies on yet. SQLite then
   * commits without waiting for the disk, so a power failure may lose the latest commits, but none
   * before a kept one.
   */
  isDurable?: boolean
}

export interface Transaction extends Db {
  /** Runs once the transaction is durable, in the order registered; never after a rollback. */
  afterCommit(effect: () => void): void
  /** Called with each table's name before a write to it; see `modify` in ./query.ts. */
  modifying?(table: string): void
}

export interface Database extends Db, AsyncDisposable {
  /** @throws {@link QueryTimeoutError} on PostgreSQL, if the statement exceeds the read timeout */
  query(sql: string, parameters?: readonly Value[]): Promise<Row[]>
  /**
   * A query that may scan very many rows. Only a few run at a time, and on SQLite they run in
   * threads, so that other requests don't wait for them. It sees everything committed before.
   *
   * @param scan a narrow one skips the queue; on SQLite it runs at once and, if it checks
   *   `withinTimeout` and takes more than a moment, runs again in a thread
   * @param client the client that reads, as waiting clients take turns; '' for clients that can't
   *   be told apart, null for the process itself, which is never refused
   * @throws {@link QueryTimeoutError} if it exceeds the read timeout, on SQLite only if it checks
   *   `withinTimeout`; {@link TooManyReadsError} if the client has too many reads waiting
   */
  search(
    sql: string,
    parameters?: readonly Value[],
    client?: string | null,
    scan?: Scan,
  ): Promise<Row[]>
  /**
   * Runs the work in one transaction. SQLite runs one at a time, PostgreSQL several concurrently.
   *
   * @throws what the work throws, after rolling back; {@link UniqueError} if a unique index is
   *   violated
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: CommitOptions): Promise<T>
  /** Listens for NOTIFY messages; only PostgreSQL has it. See `openListener` in ./listener.ts. */
  readonly listen?: (
    channel: string,
    heard: (payload: string) => void,
    lost: () => void,
  ) => Promise<Listener>
  /**
   * Watches for writes by other processes, which it reports within about a second. Only SQLite has
   * it, where processes can't notify each other.
   *
   * @returns a function that stops watching
   */
  readonly watch?: (written: () => void) => () => void
  close(): Promise<void>
}

/** The parts of SQL that differ between the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  compile(fragment: RawBuilder<unknown>): Statement
  /** LIKE with \ as escape; case-insensitive for ASCII letters only. */
  like(left: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<boolean>
  /** The same for a client's search, which stops at the timeout. */
  search(left: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<boolean>
  /** ASCII lower case. */
  lower(text: RawBuilder<unknown>): RawBuilder<string>
  /**
   * A parameter cast to text, where the database can't infer its type. `number` does the same for
   * numbers.
   */
  text(value: RawBuilder<unknown>): RawBuilder<string>
  number(value: RawBuilder<unknown>): RawBuilder<number>
  /** A boolean column as 1 or 0. */
  bit(column: RawBuilder<unknown>): RawBuilder<number>
  /** A number as text: 5, not 5.0. */
  numberText(number: RawBuilder<unknown>): RawBuilder<string>
  /** Text that sorts by its bytes. */
  bytewise(text: RawBuilder<unknown>): RawBuilder<string>
  /** The text at a path in a JSON column, or a list or object as stored; otherwise null. */
  jsonText(column: RawBuilder<unknown>, path: readonly string[]): RawBuilder<string>
  /** The number at a path in a JSON column, 1 or 0 for a boolean; otherwise null. */
  jsonNumber(column: RawBuilder<unknown>, path: readonly string[]): RawBuilder<number>
  /** The value at a path in a JSON column, as searchable text; null for JSON's null. */
  jsonPrint(column: RawBuilder<unknown>, path: readonly string[]): RawBuilder<string>
  /** The elements of a JSON list column, as a table with one column named `value`. */
  jsonEach(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** How many elements a JSON list column has. */
  jsonLength(column: RawBuilder<unknown>): RawBuilder<number>
  /**
   * A condition that is true for every row and aborts the statement at the read timeout; undefined
   * where the database enforces the timeout itself.
   *
   * @param table the alias of a stored table, whose rowids let most rows skip the check; without it
   *   every row checks
   */
  readonly withinTimeout?: (table?: string) => RawBuilder<boolean>
  /** Insertion order of a table's rows. */
  rowid(alias: string): RawBuilder<unknown>
}

/** A unique index was violated. `columns` are the index's columns. */
export class UniqueError extends Error {
  readonly table: string
  readonly columns: readonly string[]
  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`not unique: ${table}(${columns.join(', ')})`, { cause })
    this.name = 'UniqueError'
    this.table = table
    this.columns = columns
  }
}

/** A read exceeded its timeout. */
export class QueryTimeoutError extends Error {
  constructor(cause: unknown) {
    super('the read took too long', { cause })
    this.name = 'QueryTimeoutError'
  }
}

/** The client has too many reads waiting. */
export class TooManyReadsError extends Error {
  constructor() {
    super('one client has too many reads waiting')
    this.name = 'TooManyReadsError'
  }
}

/** A pooler that shares connections between clients answers where PostgreSQL itself is needed. */
export class PooledError extends Error {
  constructor() {
    super('a connection pooler in transaction or statement mode answers instead of PostgreSQL')
    this.name = 'PooledError'
  }
}
