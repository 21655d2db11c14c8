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

/** A bigger file is only checked after a process that did not end well. Bytes. */
const checkedAlways = 268_435_456

/** Milliseconds for what may take long and is asked inside a write: everybody waits for it. */
const writerTimeout = 1000

/** Milliseconds that a narrow search may keep requests from being answered. */
const shortReadTimeout = 20

/** Milliseconds that writes wait while another process, such as a backup tool, holds the file. */
const defaultLockTimeout = 5000
/** Milliseconds between two looks whether it still does. */
const lookAgain = 20

/** Milliseconds between two looks whether another process has written. */
const watchEvery = 1000

/**
 * Opens a SQLite file: one connection that writes, one that reads meanwhile, and threads for what
 * may take long, in WAL mode with every commit synced to disk before it is acknowledged.
 *
 * @param file path of the database, made when absent, for its owner alone
 * @param limits milliseconds: for how long another process may hold up writes (reads go on), and
 *   how long a search may take
 * @throws if the file is no database, is damaged or cannot be written
 */
export function openSqlite(
  file: string,
  { lockTimeout = defaultLockTimeout, statementTimeout = readTimeout } = {},
): Database {
  refuseOldSqlite(process.versions.sqlite ?? '')
  // SQLite itself would let others read it, and what it puts beside a file is as open as that. Only
  // when absent: whoever closes a file drops the locks that the process has on it.
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  const isSuspect = sizeOf(`${file}-wal`) > 0 || sizeOf(file) <= checkedAlways
  const writer = new SqliteConnection(file, false, writerTimeout)
  const damage = isSuspect ? writer.query('PRAGMA quick_check(1)')[0]?.[0] : 'ok'
  if (damage !== 'ok') throw new Error(`${file} is damaged: ${String(damage)}`)
  const mode = writer.query('PRAGMA journal_mode')[0]?.[0]
  const synchronous = writer.query('PRAGMA synchronous')[0]?.[0]
  if (mode !== 'wal' || synchronous !== 2)
    throw new Error(`${file} does not keep a durable write-ahead log (${mode}, ${synchronous})`)
  // SQLite itself would wait by holding up everything else in this process.
  writer.query('PRAGMA busy_timeout = 0')
  const reader = new SqliteConnection(file, true)
  const readers = new ReadPool({ file, statementTimeout })
  const searches = new FairQueue(threads)
  const checkpoints = new Checkpoints(file, () => writer.uncopied)
  const writes = new GroupCommit(writer, checkpoints, lockTimeout)

  /** In this thread: nothing else is answered meanwhile. */
  function query(text: string, parameters?: readonly Value[], within?: number): Row[] {
    // What was just written is still at hand to the writer, while every commit empties the reader's
    // cache. In the middle of a transaction only the reader sees what is committed; and what is no
    // plain question is for the one that cannot write.
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
    // Another process that only looked leaves the log alone: emptying it looks like a write there.
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
        // It may have been spent on what was asked before, while this one waited.
        currentBudget()?.refuseIfSpent()
        return readers.query(text, parameters)
      })
    },
    transaction: (work, options) => writes.take(work, options?.isDurable),
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

/** What other connections commit changes the number, as does emptying the log; copying it does not. */
function watch(writer: SqliteConnection, written: () => void): () => void {
  const look = () => writer.query('PRAGMA data_version')[0]?.[0]
  let last = look()
  const timer = setInterval(() => {
    try {
      const now = look()
      if (now === last) return
      last = now
    } catch {
      // Another process holds the file: the next look tells.
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

/** Transactions committed together at most, and milliseconds after which none joins them. */
const commitGroup = { atMost: 64, within: 10 }

/** A transaction in line; `answer` tells how it ended, once all it shares a commit with is committed. */
interface Member {
  work: (tx: Transaction) => Promise<unknown>
  isDurable: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  answer?: () => void
}

/**
 * One writer: transactions wait for each other here instead of inside SQLite. Those that wait at
 * the same time run one after the other, each in a savepoint of its own, and are committed
 * together, as a commit waits for the disk. Nobody is answered before that.
 */
class GroupCommit {
  readonly #writer: SqliteConnection
  readonly #checkpoints: Checkpoints
  readonly #lockTimeout: number
  readonly #waiting: Member[] = []
  #running: Promise<void> | undefined
  /** As the process itself, whoever happens to ask first. */
  readonly #asNobody = AsyncLocalStorage.snapshot()
  /** Whether commits wait for the disk, as they do when the file is opened. */
  #isDurable = true
  /** Whether anything was committed. */
  hasWritten = false

  constructor(writer: SqliteConnection, checkpoints: Checkpoints, lockTimeout: number) {
    this.#writer = writer
    this.#checkpoints = checkpoints
    this.#lockTimeout = lockTimeout
  }

  take<T>(work: (tx: Transaction) => Promise<T>, isDurable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // It runs as who asks: who pays, and in whose name something is logged, go along.
      const asAsker = AsyncLocalStorage.snapshot()
      const asked = (tx: Transaction) => asAsker(() => work(tx))
      const answer = resolve as (value: unknown) => void
      this.#waiting.push({ work: asked, isDurable, resolve: answer, reject })
      this.#running ??= this.#asNobody(() => this.#run())
    })
  }

  async settled(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length) {
      // Requests that have come in but were not looked at yet join the turn.
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
      // Closed meanwhile, it has rolled back what was not committed.
      if (writer.isOpen && writer.inTransaction) writer.query('ROLLBACK')
      // Not even begun: all have waited long enough.
      const failed = members.length ? members : this.#waiting.splice(0)
      for (const { reject } of failed) reject(error)
      return
    }
    for (const { answer } of members) answer?.()
    this.#checkpoints.afterCommit()
  }

  /** @throws SQLite's "database is locked" when another process does not let go of the file */
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

  /** To be called outside of transactions, where SQLite takes it. */
  #waitForDisk(isDurable: boolean): void {
    if (isDurable === this.#isDurable) return
    this.#writer.query(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
    this.#isDurable = isDurable
  }

  /**
   * The first of a turn needs no savepoint, which costs as much as half a write: nothing is lost
   * with it yet.
   *
   * @throws if SQLite gave up what others wrote, too, such as for a full disk
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
