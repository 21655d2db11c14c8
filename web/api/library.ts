import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { BatchRequestResult, BatchService } from 'pocketbase'
import type { Bookshelf, ShelfForm, ShelfKind } from '#shared/bookshelf.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { PartialDate } from '#shared/partial-date.ts'
import type { PersonalFields, UserBook, UserBookForm } from '#shared/user-book.ts'
import { ifInvalidated } from './query-client.ts'
import { restoreRecords } from './trash.ts'
import { invalidateCollections, keys, cachedCollections } from './query-keys.ts'

/** The mutation key of edits of books, which are shown before they are saved. */
export const bookEditKey = ['book-edits']

/**
 * Invalidates what a change of books or shelves may have touched.
 *
 * @param refetch `none` leaves it to the next screen: the one that is left must not ask for what is gone
 */
export function refreshLibrary(queries: QueryClient, refetch: 'active' | 'none' = 'active'): void {
  void invalidateCollections(queries, cachedCollections, { refetch })
  void queries.invalidateQueries({ queryKey: keys.trash, refetchType: refetch })
}

type ShelfName = Pick<Bookshelf, 'id' | 'name' | 'visibility' | 'kind'>

/** All of a reader's shelves by name, to choose from. */
export function shelfNamesQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.shelfNames(user),
    queryFn: () =>
      api.collection<ShelfName>('bookshelves').getFullList({
        filter: api.filter('user = {:user}', { user }),
        sort: 'name',
        fields: 'id,name,visibility,kind',
      }),
    refetchOnMount: ifInvalidated,
  })
}

/** The reader's records of the book; its ISBN-10 and ISBN-13 count as the same. */
export function copiesQuery(api: PocketBase, user: string, isbn: string) {
  return queryOptions({
    queryKey: keys.copies(user, isbn),
    queryFn: () =>
      api.collection<UserBook>('user_books').getFullList({
        filter: api.filter('user = {:user} && (isbn = {:isbn13} || isbn = {:isbn10})', {
          user,
          isbn13: toIsbn13(isbn) ?? isbn,
          isbn10: toIsbn10(isbn) ?? isbn,
        }),
        expand: 'shelf',
      }),
    staleTime: 5 * 60_000,
    refetchOnMount: ifInvalidated,
  })
}

/** A record of a book, if the viewer can see it, with its reader. */
export function recordQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.record(id),
    queryFn: () =>
      api.collection<UserBook>('user_books').getFullList({
        filter: api.filter('id = {:id}', { id }),
        expand: 'shelf,user',
      }),
    refetchOnMount: ifInvalidated,
  })
}

/** All of the viewer's own records of the same book, that one included. */
export function copiesOfRecordQuery(api: PocketBase, book: UserBook | undefined) {
  const { id = '', user = '', book_key = '' } = book ?? {}
  return queryOptions({
    queryKey: keys.copiesOfRecord(id),
    queryFn: () =>
      api.collection<UserBook>('user_books').getFullList({
        filter: api.filter('user = {:user} && book_key = {:book_key}', { user, book_key }),
        expand: 'shelf,user',
      }),
    refetchOnMount: ifInvalidated,
  })
}

/** A shelf to create. */
export type NewShelf = ShelfForm & { kind?: ShelfKind }

export function createShelf(api: PocketBase, form: NewShelf): Promise<Bookshelf> {
  return api.collection<Bookshelf>('bookshelves').create(form)
}

/** A picture of one's own, beside the fields of the form; '' takes it away. */
interface WithPicture {
  image?: File | ''
}

/** One book of the reader's own, with its shelf. */
export function readBook(api: PocketBase, id: string): Promise<UserBook> {
  return api.collection<UserBook>('user_books').getOne(id, { expand: 'shelf,user' })
}

export function addBook(api: PocketBase, form: UserBookForm & WithPicture): Promise<UserBook> {
  return api.collection<UserBook>('user_books').create({ ...form }, { expand: 'shelf,user' })
}

/** Requests in one batch, as many as the record API takes. */
export const batchSize = 50

/** Sends requests in as few batches as possible. @returns their answers */
async function inBatches<Item>(
  api: PocketBase,
  items: readonly Item[],
  request: (books: ReturnType<BatchService['collection']>, item: Item) => void,
): Promise<BatchRequestResult[]> {
  const answers: BatchRequestResult[] = []
  for (let i = 0; i < items.length; i += batchSize) {
    const batch = api.createBatch()
    for (const item of items.slice(i, i + batchSize)) request(batch.collection('user_books'), item)
    answers.push(...(await batch.send()))
  }
  return answers
}

/** Adds books, as many as a batch holds in one step. @returns the ids of their records */
export async function addBooks(
  api: PocketBase,
  forms: readonly UserBookForm[],
): Promise<readonly string[]> {
  const answers = await inBatches(api, forms, (books, form) => books.create({ ...form }))
  return answers.map(({ body }) => (body as UserBook).id)
}

/** Removes books likewise. */
export async function removeBooks(api: PocketBase, ids: readonly string[]): Promise<void> {
  await inBatches(api, ids, (books, id) => books.delete(id))
}

export type BookEdit = Partial<UserBookForm & PersonalFields> & WithPicture

/** An edit's data besides the changed fields. */
export interface EditKind {
  /** It takes the one before it back. */
  isUndo?: boolean | undefined
  /** For a removed book: it is restored to its shelf first. */
  isRemoved?: boolean
  /** With the status `completed`: when the book was finished, if it wasn't now; '' is unknown. */
  finished?: PartialDate | undefined
}

/**
 * The parameters of an edit. `undo` says that a change takes the one before it back: the timeline
 * then tells of neither.
 */
export function editParameters({ isUndo = false, finished }: EditKind): Record<string, unknown> {
  return { ...(isUndo && { undo: true }), ...(finished !== undefined && { finished }) }
}

/** @param patience milliseconds after which nobody seems to answer; by default the browser's own */
export async function updateBook(
  api: PocketBase,
  id: string,
  { isUndo = false, isRemoved = false, finished, ...edit }: BookEdit & EditKind,
  patience?: number,
): Promise<UserBook> {
  if (isRemoved) await restoreRecords(api, { collection: 'user_books', ids: [id] })
  const query = { expand: 'shelf,user', ...editParameters({ isUndo, finished }) }
  const signal = patience === undefined ? {} : { signal: AbortSignal.timeout(patience) }
  return api.collection<UserBook>('user_books').update(id, edit, { query, ...signal })
}

export function removeBook(api: PocketBase, id: string): Promise<boolean> {
  return api.collection('user_books').delete(id)
}
