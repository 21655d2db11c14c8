import { sql, type RawBuilder } from 'kysely'
import { number, text, type Database, type Transaction } from '#records/index.ts'
import {
  claimDue,
  claimedRow,
  isDue,
  postponeJob,
  renewClaim,
  retryAt,
  type Claimed,
  type RetriedTable,
  type Retries,
} from '#server/runtime/job-table.ts'
import { modify, query, queryNumber } from '#server/storage/query.ts'
import type { CompletionSource } from '#shared/user-book.ts'

/*
 * `book_completions` has a row for each reader's book that waits to be completed: at which source,
 * and from when on.
 */

/** The columns that are read of a book in the queue. */
interface QueueRow {
  user: string
  book_key: string
  tries: number
}

/** A book in the queue, while it is worked on. */
export type QueuedBook = Claimed<QueueRow>

const minute = 60_000
/** Times a source is asked for a book before the next one is, after one minute, four and so on. */
const retries: Retries = { delays: [minute, 4 * minute, 16 * minute, 64 * minute] }

const queueJobs: RetriedTable<QueueRow> = {
  name: 'book_completions',
  key: ['user', 'book_key'],
  columns: { user: text, book_key: text, tries: number },
  time: (milliseconds) => milliseconds,
  claim: minute / 2,
  latest: 1024 * minute,
  // As in their index.
  order: sql`due`,
  tries: 'tries',
  retries,
}

/** Where each book begins. */
const firstSource: CompletionSource = 'catalogue'

/** The current time as a value of the column, whose type a SELECT doesn't tell PostgreSQL. */
const now = () => sql`CAST(${Date.now()} AS DOUBLE PRECISION)`

/** Queues a book, unless its reader doesn't want it. */
export async function queueBook(
  tx: Transaction,
  { user, book_key }: { user: string; book_key: string },
  importId = '',
): Promise<void> {
  await modify(
    tx,
    'book_completions',
    sql`INSERT INTO book_completions ("user", book_key, import, source, due)
      SELECT "user", ${book_key}, ${importId}, ${firstSource}, ${now()}
      FROM settings WHERE "user" = ${user} AND complete_books <> 'off'
      ON CONFLICT ("user", book_key) DO UPDATE SET import = excluded.import
        WHERE excluded.import <> ''`,
  )
}

/**
 * Queues all of a reader's books that lack a cover or a description and have an ISBN or an author.
 * Those that wait for a source to answer are due at once.
 */
export async function queueIncomplete(tx: Transaction, user: string): Promise<void> {
  await modify(
    tx,
    'book_completions',
    sql`INSERT INTO book_completions ("user", book_key, source, due)
      SELECT DISTINCT "user", book_key, ${firstSource}, ${now()}
      FROM user_books WHERE "user" = ${user} AND (isbn <> '' OR authors NOT IN ('[]', 'null'))
        AND ((image = '' AND images IN ('[]', 'null')) OR description = '')
      ON CONFLICT ("user", book_key) DO UPDATE SET due = excluded.due, tries = 0`,
  )
}

/** Takes a reader's books off the queue: all, or those that came with an import. */
export async function dropQueued(tx: Transaction, user: string, importId?: string): Promise<void> {
  const ofImport = importId === undefined ? sql`` : sql`AND import = ${importId}`
  await modify(
    tx,
    'book_completions',
    sql`DELETE FROM book_completions WHERE "user" = ${user} ${ofImport}`,
  )
}

/** @returns how many of a reader's books wait: all, or those that came with an import */
export function countQueued(database: Database, user: string, importId?: string): Promise<number> {
  const ofImport = importId === undefined ? sql`` : sql`AND import = ${importId}`
  return queryNumber(
    database,
    sql`SELECT COUNT(*) FROM book_completions WHERE "user" = ${user} ${ofImport}`,
  )
}

/** @returns how many books of all readers wait */
export function countAllQueued(database: Database): Promise<number> {
  return queryNumber(database, sql`SELECT COUNT(*) FROM book_completions`)
}

/** Begins again with the books that wait at a source which is no longer asked. */
export async function leaveSources(
  database: Database,
  sources: readonly CompletionSource[],
): Promise<void> {
  const leave = sql`UPDATE book_completions SET source = ${firstSource}
    WHERE source NOT IN (${sql.join(sources)})`
  await database.transaction((tx) => modify(tx, 'book_completions', leave))
}

/** The books that wait at one source. Readers take turns. */
export class SourceQueue {
  readonly #database: Database
  readonly #isHere: RawBuilder<unknown>
  #lastReader = ''

  constructor(database: Database, source: CompletionSource) {
    this.#database = database
    this.#isHere = sql`source = ${source}`
  }

  /** Claims books that are due. */
  async claim(atMost: number, now: number): Promise<QueuedBook[]> {
    const claimed: QueuedBook[] = []
    for (let turns = 0; claimed.length < atMost && turns < atMost; turns++) {
      const reader = await this.#nextReader(now)
      if (reader === null) break
      const among = sql`${this.#isHere} AND "user" = ${reader}`
      const options = { now, atMost: atMost - claimed.length, among }
      claimed.push(...(await claimDue(this.#database, queueJobs, options)))
      this.#lastReader = reader
    }
    return claimed
  }

  async #nextReader(now: number): Promise<string | null> {
    const after = async (last: string) => {
      const [row] = await query(
        this.#database,
        sql`SELECT "user" FROM book_completions
          WHERE ${this.#isHere} AND "user" > ${last} AND ${isDue(queueJobs, now)}
          ORDER BY "user" LIMIT 1`,
        { user: text },
      )
      return row?.user ?? null
    }
    const next = await after(this.#lastReader)
    return next === null && this.#lastReader ? after('') : next
  }
}

/** Claims a book again. @returns false if another process has claimed it in the meantime */
export function renewBook(database: Database, book: QueuedBook, now: number): Promise<boolean> {
  return renewClaim(database, queueJobs, book, now)
}

/**
 * Locks a book in the queue, so that it stays there while it is completed.
 *
 * @returns the import that it came with; '' for none, null if this process no longer has it
 */
export async function importOf(tx: Transaction, book: QueuedBook): Promise<string | null> {
  const lock = sql`UPDATE book_completions SET tries = tries ${sameTry(book)} RETURNING import`
  const [row] = await modify(tx, 'book_completions', lock, { importId: text })
  return row?.importId ?? null
}

/** Ends a source's work on a book, which goes on to the next source or leaves the queue. */
export async function moveOn(
  tx: Transaction,
  book: QueuedBook,
  next: CompletionSource | undefined,
): Promise<void> {
  const change = next
    ? sql`UPDATE book_completions SET source = ${next}, due = ${Date.now()}, tries = 0`
    : sql`DELETE FROM book_completions`
  await modify(tx, 'book_completions', sql`${change} ${sameTry(book)}`)
}

/** Lets a book wait, as its source didn't answer; after some tries it goes on to the next one. */
export async function postpone(
  tx: Transaction,
  book: QueuedBook,
  next: CompletionSource | undefined,
  now: number,
): Promise<void> {
  if (book.tries >= retries.delays.length) return moveOn(tx, book, next)
  await postponeJob(tx, queueJobs, book, retryAt(queueJobs, book, now))
}

const sameTry = (book: QueuedBook) => sql`WHERE ${claimedRow(queueJobs, book)}`
