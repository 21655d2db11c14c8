import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { autoCheckpointPages } from './checkpoints.ts'
import { QueryTimeoutError, UniqueError, type Row } from './database.ts'
import { isLike } from './like.ts'
import { currentBudget } from './request-budget.ts'
import type { Value } from './placeholder.ts'

/** Timeout for long reads in milliseconds, as on PostgreSQL. */
export const readTimeout = 5000

/**
 * Page cache sizes in KiB. A commit that has split a page goes through its connection's whole
 * cache, so the writer's is limited too; the system's file cache has the pages it misses.
 */
const readCache = 16_384
const writeCache = 16_384

/** One connection to a SQLite file, with a cache of prepared statements by their text. */
export class SqliteConnection {
  readonly #db: DatabaseSync
  readonly #statementTimeout: number
  #until = 0
  #isLate = false
  readonly #statements = new Map<string, StatementSync>()

  /** @param statementTimeout milliseconds for statements that check `withinTimeout` */
  constructor(file: string, readOnly: boolean, statementTimeout = readTimeout) {
    this.#statementTimeout = statementTimeout
    this.#db = new DatabaseSync(file, {
      readOnly,
      timeout: 5000,
      enableForeignKeyConstraints: true,
    })
    const cached = readOnly ? readCache : writeCache
    this.#db.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${cached};`)
    const look = () => {
      this.#isLate = performance.now() > this.#until
      if (this.#isLate) throw new Error('the read took too long')
    }
    this.#db.function('in_time', () => {
      look()
      return 1
    })
    this.#db.function('like_in_time', (text, pattern) => {
      look()
      return pattern === null ? null : Number(isLike(String(text), String(pattern), look))
    })
    if (readOnly) return
    // Savepoints keep their rollback data in memory; it would otherwise go to a temporary file.
    this.#db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;
       PRAGMA wal_autocheckpoint = ${autoCheckpointPages};`,
    )
  }

  get isOpen(): boolean {
    return this.#db.isOpen
  }

  /** @throws if the connection is closed */
  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  /**
   * Pages of the write-ahead log that aren't in the file yet; 0 while another process has it
   * locked.
   */
  get uncopied(): number {
    try {
      const [, log, copied] = this.query('PRAGMA wal_checkpoint(NOOP)')[0] ?? []
      return Number(log) - Number(copied)
    } catch (error) {
      if (!isLocked(error)) throw error
      return 0
    }
  }

  /**
   * @param statementTimeout milliseconds, if the statement checks `withinTimeout`
   * @throws {@link UniqueError}, {@link QueryTimeoutError} or SQLite's own error
   */
  query(
    text: string,
    parameters: readonly Value[] = [],
    statementTimeout: number = this.#statementTimeout,
  ): Row[] {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.#db.prepare(text)
      statement.setReturnArrays(true)
      // Bounded, because clients can send any number of filter shapes.
      if (this.#statements.size >= 1000) this.#statements.clear()
      this.#statements.set(text, statement)
    }
    this.#isLate = false
    const start = performance.now()
    this.#until = start + statementTimeout
    try {
      return statement.all(...toSqlite(parameters)) as unknown as Row[]
    } catch (error) {
      throw this.#isLate ? new QueryTimeoutError(error) : (uniqueError(error) ?? error)
    } finally {
      currentBudget()?.charge(performance.now() - start)
    }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }
}

/** SQLITE_BUSY is 5; extended result codes add detail in the higher bytes. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 255) === 5
}

/** SQLite has no booleans, so columns hold 1 and 0. */
function toSqlite(values: readonly Value[]): readonly Exclude<Value, boolean>[] {
  return values.some((value) => typeof value === 'boolean')
    ? values.map((value) => (typeof value === 'boolean' ? Number(value) : value))
    : (values as readonly Exclude<Value, boolean>[])
}

/** Parses SQLite's message, such as "UNIQUE constraint failed: table.a, table.b". */
function uniqueError(error: unknown): UniqueError | undefined {
  if (!(error instanceof Error)) return undefined
  const columns = /^UNIQUE constraint failed: (.+)$/.exec(error.message)?.[1]?.split(', ')
  const table = columns?.[0]?.split('.')[0]
  if (!columns || !table) return undefined
  return new UniqueError(
    table,
    columns.map((c) => c.slice(table.length + 1)),
    error,
  )
}
