import type { RawBuilder } from 'kysely'
import type { Listener } from './listener.ts'
import type { Value } from './placeholder.ts'

/** A row as the database gives it: the columns' values in the order they were selected. */
export type Row = readonly (string | number | bigint | boolean | null)[]

/** A statement in one database's SQL, kept prepared under its text; parameters may hold placeholders. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /**
   * For {@link Database.search}: 'broad' may look at very many rows, 'narrow' at all of one owner's,
   * which is seldom many. Without it, it is for {@link Connection.query}.
   */
  readonly scan?: Scan
}

/** How many rows a read may look at. */
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
   * False for background work that resumes by itself and that nobody relies on yet: SQLite then
   * commits without waiting for the disk, so a power failure may undo the last of it, in order.
   */
  isDurable?: boolean
}

/** A transaction: everything in it is written, or nothing is. */
export interface Transaction extends Db {
  /** Runs once the transaction is durable, in the order given; never after a rollback. */
  afterCommit(effect: () => void): void
  /** Told of each table before it is written to: see `modify` in ./query.ts. */
  modifying?(table: string): void
}

export interface Database extends Db, AsyncDisposable {
  /** @throws {@link QueryTimeoutError} on PostgreSQL, for what takes longer than reads may */
  query(sql: string, parameters?: readonly Value[]): Promise<Row[]>
  /**
   * A query that may look at very many rows. Few run at a time, and SQLite answers them in threads
   * of their own, so that nobody else waits for them. It sees what was committed before.
   *
   * @param scan a narrow one goes ahead of the others; on SQLite it is begun at once and, if it
   *   asks `withinTimeout` and takes more than a moment, begun again in a thread
   * @param client whose read it is: waiting clients take turns; '' are those whom nothing
   *   tells apart, null is the process itself, which is never refused
   * @throws {@link QueryTimeoutError} for what takes longer than reads may, on SQLite if it asks `withinTimeout`;
   *   {@link TooManyReadsError} if the client has too many waiting
   */
  search(
    sql: string,
    parameters?: readonly Value[],
    client?: string | null,
    scan?: Scan,
  ): Promise<Row[]>
  /**
   * Runs the work in one transaction; on SQLite one after the other, on PostgreSQL side by side.
   *
   * @throws what the work throws, after rolling back; {@link UniqueError} for a broken unique index
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: CommitOptions): Promise<T>
  /**
   * Hears what transactions say with NOTIFY; only a database that several processes can share has
   * it. See `openListener` in ./listener.ts.
   */
  readonly listen?: (
    channel: string,
    heard: (payload: string) => void,
    lost: () => void,
  ) => Promise<Listener>
  /**
   * Hears that another process has written, within a second or so; only a database without `listen`
   * has it, whose processes can't tell each other what they wrote.
   *
   * @returns what ends it
   */
  readonly watch?: (written: () => void) => () => void
  close(): Promise<void>
}

/** Where the two databases' SQL differs. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  compile(fragment: RawBuilder<unknown>): Statement
  /** LIKE with \ as escape, blind to the case of ASCII letters only. */
  like(left: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<boolean>
  /** The same for a client's search, which ends when its time is up. */
  search(left: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<boolean>
  /** ASCII lower case. */
  lower(text: RawBuilder<unknown>): RawBuilder<string>
  /** A parameter cast to text or number, where the database can't infer its type. */
  text(value: RawBuilder<unknown>): RawBuilder<string>
  number(value: RawBuilder<unknown>): RawBuilder<number>
  /** A boolean column as 1 or 0. */
  bit(column: RawBuilder<unknown>): RawBuilder<number>
  /** A number as text: 5, not 5.0. */
  numberText(number: RawBuilder<unknown>): RawBuilder<string>
  /** Text that sorts by its bytes. */
  bytewise(text: RawBuilder<unknown>): RawBuilder<string>
  /** The text at a path inside a JSON column, or a list or object as it is stored; else null. */
  jsonText(column: RawBuilder<unknown>, path: readonly string[]): RawBuilder<string>
  /** The number at a path inside a JSON column, 1 or 0 for a boolean; else null. */
  jsonNumber(column: RawBuilder<unknown>, path: readonly string[]): RawBuilder<number>
  /** Whatever is at a path inside a JSON column, as text to search in; null for JSON's null. */
  jsonPrint(column: RawBuilder<unknown>, path: readonly string[]): RawBuilder<string>
  /** The elements of a JSON list column as a table with one column named `value`. */
  jsonEach(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** How many elements a JSON list column has. */
  jsonLength(column: RawBuilder<unknown>): RawBuilder<number>
  /**
   * A condition that holds for every row and ends the statement when it has taken as long as reads
   * may; undefined where the database does so by itself.
   *
   * @param table the alias of a stored table, whose rows are counted; without it the dearer form
   */
  readonly withinTimeout?: (table?: string) => RawBuilder<boolean>
  /** Insertion order of a table's rows. */
  rowid(alias: string): RawBuilder<unknown>
}

/** A unique index was violated; the columns are those of the index. */
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

/** A read took longer than reads may. */
export class QueryTimeoutError extends Error {
  constructor(cause: unknown) {
    super('the read took too long', { cause })
    this.name = 'QueryTimeoutError'
  }
}

/** The client has too many reads waiting. */
export class TooManyReadsError extends Error {
  constructor() {
    super('too many reads of one client are waiting')
    this.name = 'TooManyReadsError'
  }
}
