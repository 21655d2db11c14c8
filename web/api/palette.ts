import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { DirectoryEntry, Page } from '#shared/directory.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { ifInvalidated } from './query-client.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

/** Rows of one kind in the palette. */
const max = 5

/** Texts shorter than this find too much to be of use. */
const fewestLetters = 2

/** The books a reader is reading, last changed first. */
export function readingQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.paletteBooks(user),
    queryFn: async () => {
      const list = await api.collection<OwnBook>('user_books').getList(1, max, {
        filter: api.filter('user = {:user} && status = "reading"', { user }),
        sort: '-updated',
        skipTotal: true,
        fields: 'id,title,authors,isbn,image,images,status,progress,progress_percent,page_count',
      })
      return list.items
    },
    enabled: user !== '',
    refetchOnMount: ifInvalidated,
  })
}

/** Readers with a public profile, by name. */
export function foundReadersQuery(api: PocketBase, text: string) {
  return queryOptions({
    queryKey: keys.foundReaders(text),
    queryFn: async () => {
      const query = { q: text, sort: 'a-z' }
      const page = await fetchData<Page<DirectoryEntry>>(api, '/api/v1/users', { query })
      return page.items.slice(0, max)
    },
    enabled: text.length >= fewestLetters,
  })
}
