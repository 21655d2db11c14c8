import { sql } from 'kysely'
import type { Logger } from 'pino'
import { ApiError, formatDate, throttle, type Database } from '#records/index.ts'
import { compareTitles, isSameWork, workTitle } from '#server/titles/compare.ts'
import { deviceWrites } from '#server/library/moment.ts'
import { findOwnBooks } from '#server/library/own-books.ts'
import { updateRows } from '#server/library/update-rows.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { joinRunners, runJobs, type JobRunner, type Jobs } from '#server/runtime/jobs.ts'
import { queryNumber } from '#server/storage/query.ts'
import { bookKey } from '#shared/user-book.ts'
import { applyPush, effectOf, findCopy } from './binding.ts'
import { applyQuotes } from './device-quotes.ts'
import { applyFinishes, beginWhenHeard, releaseFinishes } from './finishes.ts'
import { inTurn } from './in-turn.ts'
import { sentFiles, type DeviceFileDeps } from './read-files.ts'
import { applyNextDays, isTimed } from './reading-times.ts'

/** The reader's books that a document is compared with. */
const maxCompared = 20

interface RunnerDeps {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'find'>
  log: Pick<Logger, 'warn'>
}

/**
 * Applies what devices have sent, in the background.
 *
 * @returns to be woken when something has been stored, or a book was bound
 */
export function runDevices(
  deps: Omit<DeviceFileDeps, 'signal'> & { log: Pick<Logger, 'error'> },
): JobRunner {
  const onError = (error: unknown) =>
    deps.log.error({ err: error }, 'failed to apply what devices sent')
  const documents = runJobs(pendingDocuments(deps), { onError })
  const sent = sentFiles(deps)
  const read: typeof sent.run = async (id, signal) => {
    await sent.run(id, signal)
    documents.wake()
  }
  // Reading a large file takes minutes, for which no page has to wait.
  const files = runJobs({ ...sent, run: read }, { onError })
  return joinRunners([documents, files])
}

/** @returns of how many documents something is still to be applied */
export function countPending(database: Database): Promise<number> {
  return queryNumber(database, sql`SELECT COUNT(*) FROM device_books WHERE pending`)
}

/**
 * The ids of the documents of which something is to be applied, those of one reader after those of
 * another. What the records refuse of a document is tried again when the device sends more of it.
 */
export function pendingDocuments(deps: RunnerDeps): Jobs<string> {
  return {
    next: inTurn(deps.database, 'device_books', sql`pending`),
    run: (id) =>
      throttle(() => applyDocument(deps, id)).catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        deps.log.warn({ err: error, document: id }, 'could not apply what a device sent')
        await deps.records.write(async (tx) => {
          if (await tx.find('device_books', id)) await tx.update('device_books', id, done)
        })
      }),
  }
}

const done = { pending: false } as const

/** Applies what is pending of a document, or some of its days if they are many. */
async function applyDocument({ database, records }: RunnerDeps, id: string): Promise<void> {
  const known = await records.find('device_books', id)
  if (!known) return
  const same = await sameBooks(database, known)
  await records.write(async (tx) => {
    await lockReader(tx, known.user)
    const document = await tx.find('device_books', id)
    if (!document?.pending) return
    const { book_key, timed_key } = document
    const isLeft = timed_key !== '' && timed_key !== book_key
    if (timed_key !== book_key) {
      const task = `${isLeft ? 'from' : 'to'} ${timed_key || book_key}`
      const { effect } = document
      const after = effect && 'task' in effect && effect.task === task ? effect.day : ''
      const day = await applyNextDays(tx, document, timed_key || book_key, after)
      if (day) {
        await tx.update('device_books', id, { effect: { task, day } })
        return
      }
    }
    const quoted = await applyQuotes(tx, document, quotedBook(document, same))
    if (isLeft) await leaveBook(tx, document)
    if (isLeft && book_key) {
      // Its days are applied to the new book in the next turns.
      await tx.update('device_books', id, { timed_key: '', effect: null })
      return
    }
    // A person decides which book it is.
    const values = book_key
      ? await applyPushes(tx, document)
      : {
          proposal: document.proposal || (same[0]?.key ?? ''),
          pushed: askedAt(document, quoted),
          effect: null,
        }
    await tx.update('device_books', id, { ...values, timed_key: book_key, ...done })
  })
}

/**
 * @param quoted the book that has the document's highlights; '' for none
 * @returns when a document was sent, for the question which book it is; '' if nothing waits for the
 *   answer, because highlights alone came and have found their book
 */
function askedAt(
  { pushed, progress, percentage, finishes }: Stored<'device_books'>,
  quoted: string,
): string {
  const isWaiting = !quoted || progress !== '' || percentage > 0 || Boolean(finishes?.length)
  return isWaiting ? pushed || formatDate(new Date()) : ''
}

/** Takes back a document's finishes from the book that it was, and leaves the book to its others. */
async function leaveBook(
  tx: LibraryTransaction,
  { id, user, timed_key, finishes }: Stored<'device_books'>,
): Promise<void> {
  if (!finishes?.length) return
  await tx.update('device_books', id, { finishes: await releaseFinishes(tx, { finishes }) })
  await updateRows(
    tx,
    'device_books',
    sql`"user" = ${user} AND book_key = ${timed_key}`,
    (some) => sql`UPDATE device_books SET pending = TRUE WHERE ${some}`,
  )
}

/** Applies a document's finishes, and its pushes in the order of their days. */
async function applyPushes(tx: LibraryTransaction, document: Stored<'device_books'>) {
  const copy = await findCopy(tx, document)
  if (!copy) return { effect: effectOf(document) }
  let effect = await applyFinishes(tx, document, effectOf(document))
  const pushes = (document.pushes ?? []).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  for (const push of pushes) {
    if (push.applied) continue
    deviceWrites(tx).isTimed = push.isTimed ?? (await isTimed(tx, document, push.day))
    const before = effect?.created.length ?? 0
    effect = await applyPush(tx, copy, push, effect)
    const begun = effect?.created.slice(before).find((one) => one.collection === 'readings')
    if (begun && push.isTimed) await beginWhenHeard(tx, document, begun.id, push.day)
  }
  return { effect, pushes: pushes.map((push) => ({ ...push, applied: true })) }
}

/** A book of the reader's that a document may be. */
interface SameBook {
  key: string
  /** Whether its whole title is the document's, too. */
  isExact: boolean
}

/** @returns the reader's books with the title and author of a document that isn't bound */
async function sameBooks(
  database: Database,
  { user, title, authors, book_key }: Stored<'device_books'>,
): Promise<SameBook[]> {
  if (book_key || !title) return []
  const named = { title, authors: authors ?? [] }
  const books = await findOwnBooks(database, user, workTitle(title), maxCompared)
  return books
    .filter((book) => isSameWork(named, book))
    .map((book) => ({ key: bookKey(book), isExact: compareTitles(named, book) === 'same' }))
}

/**
 * @returns the book whose quotes a document's highlights become although nobody has said that it is
 *   this book: the only one of its title and author; '' for none
 */
function quotedBook({ ignored }: Stored<'device_books'>, same: readonly SameBook[]): string {
  const [only, ...others] = same.filter(({ isExact }) => isExact)
  return only && !others.length && !ignored ? only.key : ''
}
