import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Checkpoints } from './checkpoints.ts'
import { QueryTimeoutError, type Database, type Row, type Transaction } from './database.ts'
import { FairQueue } from './fair-queue.ts'
import { currentBudget } from './request-budget.ts'
import { ReadPool, threads } from './read-pool.ts'
import { isLocked, readTimeout, SqliteConnection } from './sqlite-connection.ts'
import type { Value } from './placeholder.ts'
import { sqlite } from './sqlite-dialect.ts'

/** Bytes. A larger file is checked for damage only after an unclean shutdown. */
const checkedAlways = 268_435_456

/** Timeout in milliseconds for slow reads inside a write, which block everything else. */
const writerTimeout = 1000

/** Milliseconds for which a narrow search may block other requests. */
const shortReadTimeout = 20

/** Milliseconds that writes wait while another process, such as a backup, has the file locked. */
const defaultLockTimeout = 5000
/** Milliseconds between attempts to lock the file. */
const lookAgain = 20

/** Milliseconds between checks for writes by other processes. */
const watchEvery = 1000

/**
 * Opens a SQLite file in WAL mode, with one connection for writes, one for reads and threads for
 * slow reads. Every commit is synced to disk before it is acknowledged.
 *
 * @param file path of the database; created if it doesn't exist, readable by its owner only
 * @param limits in milliseconds: how long writes wait for another process's lock (reads go on), and
 *   how long a search may take
 * @throws if the file isn't a database, is damaged or can't be written
 */
export function openSqlite(
  file: string,
  { lockTimeout = defaultLockTimeout, statementTimeout = readTimeout } = {},
): Database {
  refuseOldSqlite(process.versions.sqlite ?? '')
  // SQLite would create it readable by others, and its WAL files take over the permissions. Create
  // it only if it is absent: closing a file drops all locks the process has on it.
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  const isSuspect = sizeOf(`${file}-wal`) > 0 || sizeOf(file) <= checkedAlways
  const writer = new SqliteConnection(file, false, writerTimeout)
  const damage = isSuspect ? writer.query('PRAGMA quick_check(1)')[0]?.[0] : 'ok'
  if (damage !== 'ok') throw new Error(`${file} is damaged: ${String(damage)}`)
  const mode = writer.query('PRAGMA journal_mode')[0]?.[0]
  const synchronous = writer.query('PRAGMA synchronous')[0]?.[0]
  if (mode !== 'wal' || synchronous !== 2)
    throw new Error(`${file} does not keep a durable write-ahead log (${mode}, ${synchronous})`)
  // SQLite's own waiting would block the whole process.
  writer.query('PRAGMA busy_timeout = 0')
  const reader = new SqliteConnection(file, true)
  const readers = new ReadPool({ file, statementTimeout })
  const searches = new FairQueue(threads)
  const checkpoints = new Checkpoints(file, () => writer.uncopied)
  const writes = new GroupCommit(writer, checkpoints, lockTimeout)

  /** Runs in this thread and blocks it. */
  function query(text: string, parameters?: readonly Value[], within?: number): Row[] {
    // The writer's cache still has what was just written, while every commit empties the reader's.
    // But during a transaction only the reader sees just the committed data, and anything that
    // isn't a plain SELECT goes to the connection that can't write.
    if (writer.inTransaction || !asking.test(text)) return reader.query(text, parameters, within)
    try {
      return writer.query(text, parameters, within)
    } catch (error) {
      if (!isLocked(error)) throw error
      return reader.query(text, parameters, within)
    }
  }

  async function close() {
    await writes.settled()
    searches.close()
    await Promise.all([checkpoints.close(), readers.close()])
    reader.close()
    // A process that only read leaves the log alone, as truncating it looks like a write to others.
    if (writes.hasWritten) writer.query('PRAGMA wal_checkpoint(TRUNCATE)')
    writer.close()
  }

  return {
    dialect: sqlite,
    query: async (text, parameters) => query(text, parameters),
    async search(text, parameters, client = '', scan = 'broad') {
      if (scan === 'narrow')
        try {
          return query(text, parameters, shortReadTimeout)
        } catch (error) {
          if (!(error instanceof QueryTimeoutError)) throw error
        }
      return searches.run(client, async () => {
        // Earlier searches may have spent the budget while this one waited.
        currentBudget()?.refuseIfSpent()
        return readers.query(text, parameters)
      })
    },
    transaction: (work, options) => writes.enqueue(work, options?.isDurable),
    watch: (written) => watch(writer, written),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Versions before 3.51.3 can damage a write-ahead log that is reset while it is read; see
 * https://sqlite.org/wal.html#walresetbug.
 *
 * @throws Error for such a version
 */
export function refuseOldSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const number = major * 1e6 + minor * 1e3 + patch
  if (number < 3_051_003)
    throw new Error(
      `SQLite ${version} can damage its log; Octavo needs a Node with 3.51.3 or later`,
    )
}

/**
 * `data_version` changes when another connection commits or truncates the log, but not at a
 * checkpoint.
 */
function watch(writer: SqliteConnection, written: () => void): () => void {
  const look = () => writer.query('PRAGMA data_version')[0]?.[0]
  let last = look()
  const timer = setInterval(() => {
    try {
      const now = look()
      if (now === last) return
      last = now
    } catch {
      // Another process has the file locked. Check again at the next tick.
      return
    }
    written()
  }, watchEvery).unref()
  return () => clearInterval(timer)
}

const asking = /^\s*SELECT\b/i

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** The most transactions committed together, and the milliseconds after which no more may join. */
const commitGroup = { atMost: 64, within: 10 }

/** A queued transaction. `answer` reports its outcome once the shared commit is done. */
interface Member {
  work: (tx: Transaction) => Promise<unknown>
  isDurable: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  answer?: () => void
}

/**
 * Queues transactions for the one writer, so that they don't wait inside SQLite. Those that wait at
 * the same time run one after another, each in its own savepoint, and share one commit, as each
 * commit waits for the disk. None is answered before that commit.
 */
class GroupCommit {
  readonly #writer: SqliteConnection
  readonly #checkpoints: Checkpoints
  readonly #lockTimeout: number
  readonly #waiting: Member[] = []
  #running: Promise<void> | undefined
  /** Runs the queue as the process itself, whichever request starts it. */
  readonly #inProcessContext = AsyncLocalStorage.snapshot()
  /** Whether commits currently wait for the disk. */
  #isDurable = true
  /** Whether anything was committed. */
  hasWritten = false

  constructor(writer: SqliteConnection, checkpoints: Checkpoints, lockTimeout: number) {
    this.#writer = writer
    this.#checkpoints = checkpoints
    this.#lockTimeout = lockTimeout
  }

  enqueue<T>(work: (tx: Transaction) => Promise<T>, isDurable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Runs in the caller's async context, which carries its budget and log fields.
      const inCallerContext = AsyncLocalStorage.snapshot()
      const callersWork = (tx: Transaction) => inCallerContext(() => work(tx))
      const answer = resolve as (value: unknown) => void
      this.#waiting.push({ work: callersWork, isDurable, resolve: answer, reject })
      this.#running ??= this.#inProcessContext(() => this.#run())
    })
  }

  async settled(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length) {
      // Let requests that have arrived but haven't been handled yet join this commit.
      await setImmediate()
      await this.#checkpoints.beforeWrite()
      await this.#runTogether()
    }
    this.#running = undefined
  }

  async #runTogether(): Promise<void> {
    const writer = this.#writer
    const members: Member[] = []
    try {
      this.#waitForDisk(this.#waiting[0]!.isDurable)
      await this.#begin()
      const start = performance.now()
      do {
        const member = this.#waiting.shift()!
        members.push(member)
        await this.#runOne(member, members.length === 1)
      } while (writer.inTransaction && this.#mayJoin(members.length, performance.now() - start))
      if (writer.inTransaction) {
        writer.query('COMMIT')
        this.hasWritten = true
      }
    } catch (error) {
      // A connection closed in the meantime has rolled back by itself.
      if (writer.isOpen && writer.inTransaction) writer.query('ROLLBACK')
      // If it didn't even begin, all that wait have waited long enough.
      const failed = members.length ? members : this.#waiting.splice(0)
      for (const { reject } of failed) reject(error)
      return
    }
    for (const { answer } of members) answer?.()
    this.#checkpoints.afterCommit()
  }

  /** @throws SQLite's "database is locked" if another process keeps the file locked */
  async #begin(): Promise<void> {
    const until = performance.now() + this.#lockTimeout
    for (;;) {
      try {
        this.#writer.query('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (!isLocked(error) || performance.now() >= until) throw error
      }
      await setTimeout(lookAgain)
    }
  }

  #mayJoin(many: number, time: number): boolean {
    const [next] = this.#waiting
    if (!next || (next.isDurable && !this.#isDurable)) return false
    return many < commitGroup.atMost && time < commitGroup.within
  }

  /** SQLite only allows this outside of transactions. */
  #waitForDisk(isDurable: boolean): void {
    if (isDurable === this.#isDurable) return
    this.#writer.query(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
    this.#isDurable = isDurable
  }

  /**
   * The first transaction needs no savepoint, which costs half as much as a write: nothing before
   * it can be lost.
   *
   * @throws if SQLite has rolled back the other transactions too, such as for a full disk
   */
  async #runOne(member: Member, isFirst: boolean): Promise<void> {
    const writer = this.#writer
    const effects: (() => void)[] = []
    if (!isFirst) writer.query('SAVEPOINT turn')
    try {
      const result = await member.work({
        dialect: sqlite,
        query: async (text, parameters) => writer.query(text, parameters),
        afterCommit: (effect) => effects.push(effect),
      })
      if (!isFirst) writer.query('RELEASE turn')
      member.answer = () => {
        try {
          for (const effect of effects) effect()
          member.resolve(result)
        } catch (error) {
          member.reject(error)
        }
      }
    } catch (error) {
      if (!writer.inTransaction && !isFirst) throw error
      if (writer.inTransaction) writer.query(isFirst ? 'ROLLBACK' : 'ROLLBACK TO turn')
      if (!isFirst) writer.query('RELEASE turn')
      member.answer = () => member.reject(error)
    }
  }
}
