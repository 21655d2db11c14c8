import { sql } from 'kysely'
import { ApiError, type Database, type Records, type TrashEntry } from '#records/index.ts'
import { activityLabel, type Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { removedDays, type Removable, type RemovedItem, type RestoreForm } from '#shared/removed.ts'
import type { UserBook } from '#shared/user-book.ts'
import { query } from '#server/query.ts'

const life = removedDays * 24 * 60 * 60 * 1000

/** More than anybody reads; what is older comes into sight as these are dealt with. */
const listed = 500

/** @returns what a reader can have back, newest first */
export async function listRemovedItems(
  database: Database,
  records: Pick<Records, 'listTrash'>,
  user: string,
): Promise<RemovedItem[]> {
  const removals = await records.listTrash(user, listed)
  const names = await shelfNames(database, removals)
  return removals.map((removal) => ({
    ...describe(removal, names),
    collection: removal.collection as Removable,
    id: removal.record.id,
    removed: new Date(removal.removed).toISOString(),
    ends: new Date(removal.removed + life).toISOString(),
  }))
}

type Described = Pick<RemovedItem, 'name' | 'shelf' | 'authors' | 'cover' | 'books'>

// A picture of its own is not shown: it has no address as long as its book is away.
function describe(
  { collection, record, others }: TrashEntry,
  shelves: Map<string, string>,
): Described {
  if (collection === 'bookshelves') {
    const { name } = record as unknown as Bookshelf
    return { name, shelf: '', authors: [], cover: '', books: others }
  }
  if (collection === 'activities') {
    const activity = record as unknown as Activity
    const { data } = activity
    return { name: sentence(activity), shelf: '', authors: [], cover: data.cover, books: 0 }
  }
  const { title, authors, images, shelf } = record as unknown as UserBook
  const [first = ''] = images
  const cover = first.startsWith('http') ? first : ''
  return { name: title, shelf: shelves.get(shelf) ?? '', authors, cover, books: 0 }
}

/** The label, with the title where it does not name it. */
function sentence(activity: Activity): string {
  const label = activityLabel(activity)
  const { title } = activity.data
  return label.includes(title) ? label : `${label} ${title}`
}

async function shelfNames(
  database: Database,
  removals: readonly TrashEntry[],
): Promise<Map<string, string>> {
  const ids = new Set(
    removals.flatMap(({ record: { shelf } }) => (typeof shelf === 'string' && shelf ? shelf : [])),
  )
  if (!ids.size) return new Map()
  const rows = await query(
    database,
    sql`SELECT id, name FROM bookshelves WHERE id IN (${sql.join([...ids])})`,
  )
  return new Map(rows.map(([id, name]) => [String(id), String(name)]))
}

/**
 * Undoes removals, all of them or none.
 *
 * @throws ApiError 404 if the reader removed no such record, or more than 30 days ago; 409 with the
 *   sentence why one cannot be where it was
 */
export async function restoreRemoved(
  records: Pick<Records, 'write'>,
  user: string,
  { collection, ids }: RestoreForm,
): Promise<void> {
  try {
    await records.write(async (tx) => {
      for (const id of new Set(ids)) await tx.restore(user, collection, id)
    })
  } catch (error) {
    // Nothing is wrong with what was asked: it is the shelf that is gone, or the plan that is full.
    if (!(error instanceof ApiError && error.status === 400)) throw error
    const { data, message } = error
    const reason = 'shelf' in data ? shelfGone : 'isbn' in data ? alreadyBack : message
    throw new ApiError(409, reason, data, error)
  }
}

const shelfGone = 'This book’s shelf was removed too. Restore the shelf first.'
const alreadyBack = 'This book is already on the shelf.'
