import * as z from 'zod'
import { sql, type RawBuilder } from 'kysely'
import { ApiError, text, type Database, type StoredRecord } from '#records/index.ts'
import type {
  CollectionName,
  LibraryRecords,
  LibraryTrashEntry,
  Stored,
} from '#server/collections/stored.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { trashDays, type TrashItem, maxRestored } from '#shared/trash.ts'
import { recordId } from '#shared/record-id.ts'
import { rule } from '#shared/rule.ts'
import { charactersOf } from '#shared/text.ts'
import { query } from '#server/storage/query.ts'
import { schema } from '#server/collections/schema.ts'

/** The collections whose records can be restored. */
export const trashCollections = schema.collections
  .filter(({ trashLife }) => trashLife)
  .map(({ name }) => name)

const trashCollection = z.enum(trashCollections, rule('collection'))

/** The name of a collection and the id of one of its records. */
export const trashedRecord = z.object({ collection: trashCollection, id: recordId })

/** The records of one collection to restore. */
export const restoreForm = z.object({
  collection: trashCollection,
  ids: z.array(recordId).min(1, rule('recordRequired')).max(maxRestored),
})

const life = trashDays * 24 * 60 * 60 * 1000

/** The most entries listed; older ones appear as these are restored or deleted. */
const listed = 500

/** @returns what a reader can restore, newest first */
export async function listTrash(
  database: Database,
  records: Pick<LibraryRecords, 'listTrash'>,
  user: string,
): Promise<(TrashItem & { collection: CollectionName })[]> {
  const removals = await records.listTrash(user, listed)
  const names = await namesFor(database, user, removals)
  return removals.map((removal) => ({
    ...describe(removal, names),
    collection: removal.collection,
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
  outcome: '',
  books: 0,
  entry: null,
}

// An uploaded cover isn't shown: it has no address while its book is in the trash.
function describe({ collection, record, others }: LibraryTrashEntry, names: Names): Described {
  switch (collection) {
    case 'bookshelves':
      return { ...nothing, name: record.name, books: others }
    case 'activities':
      return {
        ...nothing,
        name: record.data.title,
        cover: record.data.cover,
        entry: entryOf(record),
      }
    case 'readings': {
      const { book_key, started, finished, outcome } = record
      return { ...nothing, name: titleOf(book_key, names), started, finished, outcome }
    }
    case 'quotes':
      return {
        ...nothing,
        name: beginning(record.text),
        quoted: titleOf(record.book_key, names),
      }
    case 'user_books': {
      const { title, authors, images, shelf } = record
      const [first = ''] = images
      const cover = first.startsWith('http') ? first : ''
      return { ...nothing, name: title, shelf: names.shelves.get(shelf) ?? '', authors, cover }
    }
    default:
      return { ...nothing, name: firstText(collection, record) }
  }
}

/** @returns what names a record of a collection that has no line of its own above */
function firstText(collection: CollectionName, record: StoredRecord): string {
  const texts = schema.get(collection).fields.filter(({ type }) => type === 'text')
  const found = texts.find(({ name }) => name !== 'id' && record[name])
  return found ? beginning(String(record[found.name])) : ''
}

/** The longest excerpt of a quote, in characters. */
const maxQuoteLength = 160

function beginning(text: string): string {
  const letters = charactersOf(text)
  return letters.length > maxQuoteLength ? `${letters.slice(0, maxQuoteLength).join('')}…` : text
}

/** For a book that was deleted permanently only the key is left. */
function titleOf(key: string, { titles }: Names): string {
  return titles.get(key) ?? key.split('|')[0]!
}

function entryOf({ event_type, data }: Stored<'activities'>): TrashItem['entry'] {
  const { title, shelf, progress, percent } = data
  return { event_type, data: { title, shelf, progress, ...(percent && { percent }) } }
}

/** Names of shelves by id and titles of books by key, for the entries. */
interface Names {
  shelves: Map<string, string>
  titles: Map<string, string>
}

async function namesFor(
  database: Database,
  user: string,
  removals: readonly LibraryTrashEntry[],
): Promise<Names> {
  const values = (name: 'shelf' | 'book_key') => [
    ...new Set(
      removals.flatMap(({ record }: { record: StoredRecord }) => {
        const value = record[name]
        return typeof value === 'string' && value ? value : []
      }),
    ),
  ]
  const named = async (
    ids: string[],
    statement: (ids: RawBuilder<unknown>) => RawBuilder<unknown>,
  ) =>
    ids.length ? await query(database, statement(sql.join(ids)), { key: text, name: text }) : []
  const shelves = await named(
    values('shelf'),
    (ids) => sql`SELECT id, name FROM bookshelves WHERE id IN (${ids})`,
  )
  const books = await named(
    values('book_key'),
    (keys) => sql`SELECT book_key, title FROM user_books
      WHERE "user" = ${user} AND book_key IN (${keys}) ORDER BY updated, id`,
  )
  const removed = removals.flatMap(({ collection, record }) =>
    collection === 'user_books' ? { key: record.book_key, name: record.title } : [],
  )
  const map = (rows: readonly { key: string; name: string }[]) =>
    new Map(rows.map(({ key, name }) => [key, name]))
  return { shelves: map(shelves), titles: map([...removed, ...books]) }
}

/**
 * Undoes removals, all of them or none.
 *
 * @throws ApiError 404 if the reader removed no such record, or more than 30 days ago; 409 with the
 *   reason why one can't be restored
 */
export async function restoreFromTrash(
  records: Pick<LibraryRecords, 'write'>,
  user: string,
  { collection, ids }: z.infer<typeof restoreForm>,
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
  shelf: answers.shelfRemoved,
  isbn: answers.bookOnShelf,
  book_key: answers.bookNotOnShelves,
}
