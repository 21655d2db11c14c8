import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Quote, Reading } from '#shared/reading.ts'
import type { TagListForm, TagPage } from '#shared/tag-list.ts'
import { maxTagsPerPage } from '#shared/tags.ts'
import { bookKey, type UserBook } from '#shared/user-book.ts'
import { ifInvalidated } from './query-client.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'
import { pagedQuery } from './library-lists.ts'

/** The reader and the book's key, by which its readings and quotes are stored. */
export type BookRef = Pick<UserBook, 'user' | 'book_key' | 'isbn' | 'title' | 'authors'>

/** Others don't get the key of a book, and make it from what they see. */
const keyOf = (book: BookRef) => book.book_key ?? bookKey(book)

/** Each time through a book that the viewer may see, last one first. */
export function readingsQuery(api: PocketBase, book: BookRef) {
  return listQuery<Reading>(api, 'readings', book, '-started,-finished,-created,id')
}

/** The most spines that fit on the ledge of the finish sheet. */
const maxOnLedge = 60

/** The readings a reader finished in a year, newest first, with their number. */
export function finishedInYearQuery(api: PocketBase, user: string, year: string) {
  const params = { user, year, next: String(Number(year) + 1) }
  return queryOptions({
    queryKey: keys.finishedInYear(user, year),
    queryFn: () =>
      api
        .collection<Pick<Reading, 'id' | 'title' | 'authors' | 'pages'>>('readings')
        .getList(1, maxOnLedge, {
          filter: `${api.filter(
            'user = {:user} && finished >= {:year} && finished < {:next}',
            params,
          )} && outcome = "finished" && uncounted = false`,
          sort: '-finished,-created,id',
          fields: 'id,title,authors,pages',
        }),
    refetchOnMount: ifInvalidated,
  })
}

/** A reader's quotes from a book, by page. */
export function quotesQuery(api: PocketBase, book: BookRef) {
  return listQuery<Quote>(api, 'quotes', book, 'page,percent,created,id')
}

/** Entries in a page; a quote may have 20,000 characters. */
const entriesPerPage = 15

function listQuery<T>(api: PocketBase, collection: string, book: BookRef, sort: string) {
  const { user } = book
  const key = keyOf(book)
  return {
    ...pagedQuery<T>({
      key: keys.journalEntries(collection, user, key),
      fetch: (page) =>
        api.collection<T>(collection).getList(page, entriesPerPage, {
          filter: api.filter('user = {:user} && book_key = {:key}', { user, key }),
          sort,
        }),
    }),
    refetchOnMount: ifInvalidated,
  }
}

/** The time through a book that was finished last, as far as its record tells. */
export function lastFinishedQuery(api: PocketBase, book: BookRef) {
  const { user } = book
  const key = keyOf(book)
  return queryOptions({
    queryKey: keys.lastFinished(user, key),
    queryFn: async () => {
      const own = api.filter('user = {:user} && book_key = {:key}', { user, key })
      const { items } = await api.collection<Reading>('readings').getList(1, 1, {
        filter: `${own} && outcome = "finished"`,
        sort: '-updated,id',
        skipTotal: true,
      })
      return items[0] ?? null
    },
    refetchOnMount: ifInvalidated,
  })
}

/** The form of a reading. */
export type ReadingEdit = Partial<
  Pick<
    Reading,
    ('started' | 'finished' | 'outcome' | 'format') | ('pages' | 'minutes' | 'rating' | 'uncounted')
  >
>
export type QuoteEdit = Partial<Pick<Quote, 'text' | 'note' | 'page' | 'percent' | 'isPrivate'>>

/** Writes a reading or a quote. @param id of the one to change; left out for a new one */
export async function saveJournalEntry(
  api: PocketBase,
  collection: 'readings' | 'quotes',
  book: BookRef,
  edit: ReadingEdit | QuoteEdit,
  id?: string,
): Promise<void> {
  const records = api.collection(collection)
  if (id) await records.update(id, edit)
  else await records.create({ user: book.user, book_key: keyOf(book), ...edit })
}

export function deleteJournalEntry(
  api: PocketBase,
  collection: 'readings' | 'quotes',
  id: string,
): Promise<boolean> {
  return api.collection(collection).delete(id)
}

/** The most used tags of a reader's books that the viewer may see. */
export function tagsQuery(api: PocketBase, username: string) {
  return queryOptions({
    queryKey: keys.tags(username.toLowerCase()),
    queryFn: async () =>
      (await fetchTags(api, username, { page: 1, perPage: maxTagsPerPage })).items,
    refetchOnMount: ifInvalidated,
  })
}

export function fetchTags(api: PocketBase, username: string, query: Partial<TagListForm>) {
  const path = `/api/v1/users/${encodeURIComponent(username)}/tags`
  return fetchData<TagPage>(api, path, { query })
}
