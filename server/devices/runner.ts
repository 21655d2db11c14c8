import { sql } from 'kysely'
import type { Logger } from 'pino'
import { named, text, type Database } from '#records/index.ts'
import { isSameWork, workTitle } from '#server/titles/compare.ts'
import { throttle } from '#server/runtime/throttle.ts'
import { deviceWrites } from '#server/library/moment.ts'
import { findOwnBooks } from '#server/library/own-books.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { runJobs, type JobRunner, type Jobs } from '#server/runtime/jobs.ts'
import { query } from '#server/storage/query.ts'
import { bookKey } from '#shared/user-book.ts'
import { applyPush, findCopy } from './binding.ts'
import { sentStatistics, type StatisticsDeps } from './read-statistics.ts'
import { applyBinding, isTimed } from './reading-times.ts'

/** The reader's books that a document is compared with. */
const maxCompared = 20

interface RunnerDeps {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'find'>
}

/**
 * Applies what devices have sent, in the background.
 *
 * @returns to be woken when something has been stored, or a book was bound
 */
export function runDevices(
  deps: Omit<StatisticsDeps, 'signal'> & { log: Pick<Logger, 'error'> },
): JobRunner {
  const onError = (error: unknown) =>
    deps.log.error({ err: error }, 'failed to apply what devices sent')
  const documents = runJobs(pendingDocuments(deps), { onError })
  const { next, run } = sentStatistics(deps)
  const statistics = runJobs(
    {
      next,
      async run(file, signal) {
        await run(file, signal)
        // The documents that these have brought.
        documents.wake()
      },
    },
    { onError },
  )
  return {
    wake() {
      documents.wake()
      statistics.wake()
    },
    close: async () => void (await Promise.all([documents.close(), statistics.close()])),
  }
}

/** The ids of the documents of which something is to be applied. */
export function pendingDocuments({ database, records }: RunnerDeps): Jobs<string> {
  return {
    async next() {
      const pending = sql`SELECT id FROM device_books WHERE pending ORDER BY id LIMIT 1`
      return named(await query(database, pending), { id: text })[0]?.id
    },
    run: (id) => throttle(() => applyDocument({ database, records }, id)),
  }
}

async function applyDocument({ database, records }: RunnerDeps, id: string): Promise<void> {
  const known = await records.find('device_books', id)
  const proposal = known && (await proposalFor(database, known))
  if (!known) return
  await records.write(async (tx) => {
    await lockReader(tx, known.user)
    const document = await tx.find('device_books', id)
    if (!document?.pending) return
    await applyBinding(tx, document)
    // A person decides which book it is.
    const values = document.book_key
      ? await applyPushes(tx, document)
      : { proposal: proposal ?? '' }
    const done = { timed_key: document.book_key, pending: false }
    await tx.update('device_books', id, { ...values, ...done })
  })
}

/** Applies a document's pushes in the order of their days. */
async function applyPushes(tx: LibraryTransaction, document: Stored<'device_books'>) {
  const copy = await findCopy(tx, document)
  if (!copy) return {}
  let { effect } = document
  const pushes = (document.pushes ?? []).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  for (const push of pushes) {
    if (push.applied) continue
    deviceWrites(tx).isTimed = await isTimed(tx, document, push.day)
    effect = await applyPush(tx, copy, push, effect)
  }
  return { effect, pushes: pushes.map((push) => ({ ...push, applied: true })) }
}

/** @returns the key of the reader's book with the document's title and author; '' for none */
async function proposalFor(
  database: Database,
  { user, title, authors, book_key, proposal }: Stored<'device_books'>,
): Promise<string> {
  if (book_key || proposal || !title) return proposal
  const named = { title, authors: authors ?? [] }
  const books = await findOwnBooks(database, user, workTitle(title), maxCompared)
  const same = books.find((book) => isSameWork(named, book))
  return same ? bookKey(same) : ''
}
