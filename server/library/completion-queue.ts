import { sql } from 'kysely'
import { named, number, text, type Database, type Transaction } from '#records/index.ts'
import { modify, query } from '#server/storage/query.ts'
import type { CompletionSource } from '#shared/user-book.ts'

/*
 * `book_completions` has a row for each reader's book that waits to be completed: at which source,
 * and from when on. Who takes a row sets its time past the end of the work, so that several
 * processes don't do it twice, and a row whose process was killed comes back.
 */

/** A book in the queue, while it is worked on. */
export interface QueuedBook {
  user: string
  book_key: string
  /** Until when it is taken, which tells this try from another process's. */
  due: number
  tries: number
}

/** Milliseconds within which a taken book is completed, if its process isn't killed. */
const takenFor = 30_000
/** Milliseconds until a source that didn't answer is asked again; each time four times as long. */
const firstPause = 60_000
/** Times a source is asked for a book before the next one is. */
const triesAtMost = 5

/**
 * Milliseconds in which every book is due, also by another process's clock. One that is due later
 * was queued before the clock was set back.
 */
const latest = firstPause * 4 ** triesAtMost

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
export async function countQueued(
  database: Database,
  user: string,
  importId?: string,
): Promise<number> {
  const ofImport = importId === undefined ? sql`` : sql`AND import = ${importId}`
  const [row] = await query(
    database,
    sql`SELECT COUNT(*) FROM book_completions WHERE "user" = ${user} ${ofImport}`,
  )
  return Number(row?.[0])
}

/** @returns how many books of all readers wait */
export async function countAllQueued(database: Database): Promise<number> {
  const [row] = await query(database, sql`SELECT COUNT(*) FROM book_completions`)
  return Number(row?.[0])
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

const isDue = (now: number) => sql`(due <= ${now} OR due > ${now + latest})`

/** The books that wait at one source. Readers take turns. */
export class SourceQueue {
  readonly #database: Database
  readonly #source: CompletionSource
  #lastReader = ''

  constructor(database: Database, source: CompletionSource) {
    this.#database = database
    this.#source = source
  }

  /** Takes books that are due, for {@link takenFor} milliseconds. */
  async take(atMost: number, now: number): Promise<QueuedBook[]> {
    const taken: QueuedBook[] = []
    for (let turns = 0; taken.length < atMost && turns < atMost; turns++) {
      const reader = await this.#nextReader(now)
      if (reader === null) break
      taken.push(...(await this.#takeOf(reader, atMost - taken.length, now)))
      this.#lastReader = reader
    }
    return taken
  }

  async #nextReader(now: number): Promise<string | null> {
    const after = async (last: string) => {
      const [row] = await query(
        this.#database,
        sql`SELECT "user" FROM book_completions
          WHERE source = ${this.#source} AND "user" > ${last} AND ${isDue(now)}
          ORDER BY "user" LIMIT 1`,
      )
      return row ? String(row[0]) : null
    }
    const next = await after(this.#lastReader)
    return next === null && this.#lastReader ? after('') : next
  }

  async #takeOf(reader: string, atMost: number, now: number): Promise<QueuedBook[]> {
    const isNext = sql`source = ${this.#source} AND "user" = ${reader} AND ${isDue(now)}`
    const take = sql`UPDATE book_completions SET due = ${now + takenFor}
      WHERE ${isNext} AND book_key IN (
        SELECT book_key FROM book_completions WHERE ${isNext} ORDER BY due LIMIT ${atMost})
      RETURNING "user", book_key, due, tries`
    const rows = await this.#database.transaction((tx) => modify(tx, 'book_completions', take))
    return named(rows, { user: text, book_key: text, due: number, tries: number })
  }
}

/**
 * Keeps a taken book for another {@link takenFor} milliseconds.
 *
 * @returns null if another process has taken it in the meantime
 */
export async function keepTaken<Book extends QueuedBook>(
  database: Database,
  book: Book,
  now: number,
): Promise<Book | null> {
  const due = now + takenFor
  const keep = sql`UPDATE book_completions SET due = ${due} ${sameTry(book)} RETURNING due`
  const [row] = await database.transaction((tx) => modify(tx, 'book_completions', keep))
  return row ? { ...book, due } : null
}

/**
 * Locks a book in the queue, so that it isn't taken off while it is completed.
 *
 * @returns the import that it came with; '' for none, null if it isn't taken any more
 */
export async function importOf(tx: Transaction, book: QueuedBook): Promise<string | null> {
  const lock = sql`UPDATE book_completions SET tries = tries ${sameTry(book)} RETURNING import`
  const [row] = await modify(tx, 'book_completions', lock)
  return row ? String(row[0]) : null
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
  if (book.tries + 1 >= triesAtMost) return moveOn(tx, book, next)
  const due = now + firstPause * 4 ** book.tries
  await modify(
    tx,
    'book_completions',
    sql`UPDATE book_completions SET due = ${due}, tries = tries + 1 ${sameTry(book)}`,
  )
}

const sameTry = ({ user, book_key, due }: QueuedBook) =>
  sql`WHERE "user" = ${user} AND book_key = ${book_key} AND due = ${due}`
