import { sql, type RawBuilder } from 'kysely'
import { ApiError, type Database, type Records, type TrashEntry } from '#records/index.ts'
import { activityLabel, type Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { Quote, Reading } from '#shared/reading.ts'
import { trashDays, type TrashCollection, type TrashItem, type RestoreForm } from '#shared/trash.ts'
import type { UserBook } from '#shared/user-book.ts'
import { query } from '#server/query.ts'

const life = trashDays * 24 * 60 * 60 * 1000

/** The most entries listed; older ones appear as these are restored or deleted. */
const listed = 500

/** @returns what a reader can restore, newest first */
export async function listTrash(
  database: Database,
  records: Pick<Records, 'listTrash'>,
  user: string,
): Promise<TrashItem[]> {
  const removals = await records.listTrash(user, listed)
  const names = await namesFor(database, user, removals)
  return removals.map((removal) => ({
    ...describe(removal, names),
    collection: removal.collection as TrashCollection,
    id: removal.record.id,
    removed: new Date(removal.removed).toISOString(),
    ends: new Date(removal.removed + life).toISOString(),
  }))
}

type Described = Omit<TrashItem, 'collection' | 'id' | 'removed' | 'ends'>

const nothing: Described = {
  name: '',
  shelf: '',
  authors: [],
  cover: '',
  quoted: '',
  started: '',
  finished: '',
  books: 0,
}

// An uploaded cover isn't shown: it has no address while its book is in the trash.
function describe({ collection, record, others }: TrashEntry, names: Names): Described {
  if (collection === 'bookshelves') {
    const { name } = record as unknown as Bookshelf
    return { ...nothing, name, books: others }
  }
  if (collection === 'activities') {
    const activity = record as unknown as Activity
    return { ...nothing, name: sentence(activity), cover: activity.data.cover }
  }
  if (collection === 'readings') {
    const { book_key, started, finished } = record as unknown as Reading
    return { ...nothing, name: titleOf(book_key, names), started, finished }
  }
  if (collection === 'quotes') {
    const { book_key, text } = record as unknown as Quote
    return { ...nothing, name: beginning(text), quoted: titleOf(book_key, names) }
  }
  const { title, authors, images, shelf } = record as unknown as UserBook
  const [first = ''] = images
  const cover = first.startsWith('http') ? first : ''
  return { ...nothing, name: title, shelf: names.shelves.get(shelf) ?? '', authors, cover }
}

/** The longest excerpt of a quote, in characters. */
const maxQuoteLength = 160

function beginning(text: string): string {
  const letters = [...text]
  return letters.length > maxQuoteLength ? `${letters.slice(0, maxQuoteLength).join('')}…` : text
}

/** For a book that was deleted permanently only the key is left. */
function titleOf(key: string, { titles }: Names): string {
  return titles.get(key) ?? key.split('|')[0]!
}

/** The label, with the title if it isn't part of it. */
function sentence(activity: Activity): string {
  const label = activityLabel(activity)
  const { title } = activity.data
  return label.includes(title) ? label : `${label} ${title}`
}

/** Names of shelves by id and titles of books by key, for the entries. */
interface Names {
  shelves: Map<string, string>
  titles: Map<string, string>
}

async function namesFor(
  database: Database,
  user: string,
  removals: readonly TrashEntry[],
): Promise<Names> {
  const values = (name: 'shelf' | 'book_key') => [
    ...new Set(
      removals.flatMap(({ record: { [name]: value } }) =>
        typeof value === 'string' && value ? value : [],
      ),
    ),
  ]
  const named = async (
    ids: string[],
    statement: (ids: RawBuilder<unknown>) => RawBuilder<unknown>,
  ) => (ids.length ? await query(database, statement(sql.join(ids))) : [])
  const shelves = await named(
    values('shelf'),
    (ids) => sql`SELECT id, name FROM bookshelves WHERE id IN (${ids})`,
  )
  const books = await named(
    values('book_key'),
    (keys) => sql`SELECT book_key, title FROM user_books
      WHERE "user" = ${user} AND book_key IN (${keys}) ORDER BY updated, id`,
  )
  const removed = removals.flatMap(({ collection, record: { book_key, title } }) =>
    collection === 'user_books' ? [[book_key, title]] : [],
  )
  const map = (rows: readonly (readonly unknown[])[]) =>
    new Map(rows.map(([key, name]) => [String(key), String(name)]))
  return { shelves: map(shelves), titles: map([...removed, ...books]) }
}

/**
 * Undoes removals, all of them or none.
 *
 * @throws ApiError 404 if the reader removed no such record, or more than 30 days ago; 409 with the
 *   reason why one can't be restored
 */
export async function restoreFromTrash(
  records: Pick<Records, 'write'>,
  user: string,
  { collection, ids }: RestoreForm,
): Promise<void> {
  try {
    await records.write(async (tx) => {
      for (const id of new Set(ids)) await tx.restore(user, collection, id)
    })
  } catch (error) {
    // A conflict, not a bad request: the shelf is gone or the plan is full.
    if (!(error instanceof ApiError && error.status === 400)) throw error
    const { data, message } = error
    const field = Object.keys(data).find((name) => name in reasons)
    const reason = field ? reasons[field as keyof typeof reasons] : message
    throw new ApiError(409, reason, data, error)
  }
}

const reasons = {
  shelf: 'This book’s shelf was removed too. Restore the shelf first.',
  isbn: 'This book is already on the shelf.',
  book_key: 'The book isn’t on your shelves. Restore or add the book first.',
}
