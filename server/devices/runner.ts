import { sql } from 'kysely'
import type { Logger } from 'pino'
import { named, text, type Database } from '#records/index.ts'
import { isSameWork, workTitle } from '#server/titles/compare.ts'
import { throttle } from '#server/runtime/throttle.ts'
import { findOwnBooks } from '#server/library/own-books.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { runInBackground, type BackgroundWork } from '#server/runtime/background-work.ts'
import { query } from '#server/storage/query.ts'
import { bookKey } from '#shared/user-book.ts'
import { applyPush, findCopy } from './binding.ts'

/** Documents read at a time. */
const atOnce = 50
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
export function runDevices(deps: RunnerDeps & { log: Pick<Logger, 'error'> }): BackgroundWork {
  return runInBackground((isOver) => applyPending(deps, isOver), {
    onError: (error) => deps.log.error({ err: error }, 'failed to apply what devices sent'),
  })
}

/** Applies everything that is stored. */
export async function applyPending(
  { database, records }: RunnerDeps,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (let last = ''; !isOver();) {
    const rows = await query(
      database,
      sql`SELECT id FROM device_books WHERE pending AND id > ${last}
        ORDER BY id LIMIT ${sql.lit(atOnce)}`,
    )
    const ids = named(rows, { id: text }).map(({ id }) => id)
    for (const id of ids) {
      if (isOver()) return
      await throttle(() => applyDocument({ database, records }, id))
    }
    if (ids.length < atOnce) return
    last = ids.at(-1)!
  }
}

async function applyDocument({ database, records }: RunnerDeps, id: string): Promise<void> {
  const known = await records.find('device_books', id)
  const proposal = known && (await proposalFor(database, known))
  await records.write(async (tx) => {
    const document = await tx.find('device_books', id)
    if (!document?.pending) return
    // A person decides which book it is.
    const values = document.book_key
      ? await applyPushes(tx, document)
      : { proposal: proposal ?? '' }
    await tx.update('device_books', id, { ...values, pending: false })
  })
}

/** Applies a document's pushes in the order of their days. */
async function applyPushes(tx: LibraryTransaction, document: Stored<'device_books'>) {
  const copy = await findCopy(tx, document)
  if (!copy) return {}
  let { effect } = document
  const pushes = (document.pushes ?? []).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  for (const push of pushes) if (!push.applied) effect = await applyPush(tx, copy, push, effect)
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
