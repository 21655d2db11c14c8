import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { DirectoryEntry, Page } from '#shared/directory.ts'
import type { UserBook } from '#shared/user-book.ts'

/** Rows of one kind in the palette. */
const most = 5

/** Texts shorter than this find too much to be of use. */
const fewestLetters = 2

export type PaletteBook = Pick<
  UserBook,
  | 'id'
  | 'title'
  | 'authors'
  | 'isbn'
  | 'image'
  | 'images'
  | 'status'
  | 'progress'
  | 'progress_percent'
  | 'page_count'
>

/** A reader's own books by title or author, those they are reading where nothing is asked for. */
export function ownBooksQuery(api: PocketBase, user: string, text: string) {
  const isSearch = text.length >= fewestLetters
  return queryOptions({
    queryKey: ['books', 'palette', user, isSearch ? text : ''],
    queryFn: async () => {
      const filter = isSearch
        ? api.filter('user = {:user} && (title ~ {:text} || authors ~ {:text})', { user, text })
        : api.filter('user = {:user} && status = "reading"', { user })
      const list = await api.collection<PaletteBook>('user_books').getList(1, most, {
        filter,
        sort: '-updated',
        skipTotal: true,
        fields: 'id,title,authors,isbn,image,images,status,progress,progress_percent,page_count',
      })
      return list.items
    },
    enabled: user !== '',
    placeholderData: keepPreviousData,
  })
}

/** Readers with a public profile, by name. */
export function peopleQuery(api: PocketBase, text: string) {
  return queryOptions({
    queryKey: ['people', text],
    queryFn: async () => {
      const query = { q: text, sort: 'a-z' }
      const { data } = await api.send<{ data: Page<DirectoryEntry> }>('/api/v1/users', { query })
      return data.items.slice(0, most)
    },
    enabled: text.length >= fewestLetters,
  })
}
