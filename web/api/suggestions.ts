import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import {
  canRemember,
  minSuggestLength,
  type RememberedBook,
  type Suggestions,
} from '#shared/suggestion.ts'
import { displayWidth } from '#shared/text.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

/**
 * What a reader may be typing: their own books, then the catalogue's.
 *
 * @param user whose own books come along, '' for a visitor
 */
export function suggestQuery(api: PocketBase, user: string, text: string) {
  return queryOptions({
    queryKey: keys.suggest(user, text),
    queryFn: ({ signal }) =>
      fetchData<Suggestions>(api, '/api/v1/book-info/suggest', { query: { q: text }, signal }),
    enabled: displayWidth(text.trim()) >= minSuggestLength && displayWidth(text) <= 255,
    // While the text grows, the old suggestions stay; another text starts afresh.
    placeholderData: (before: Suggestions | undefined, query) => {
      const earlier = query?.queryKey[2]
      return earlier && (text.startsWith(earlier) || earlier.startsWith(text)) ? before : undefined
    },
    staleTime: 10_000,
    retry: false,
  })
}

/**
 * The reader's own books by what is remembered of them, each with where the words stand.
 *
 * @param user whose books; '' for a visitor, who has none
 * @param titles `false` leaves out what {@link suggestQuery} finds
 */
export function rememberedBooksQuery(
  api: PocketBase,
  user: string,
  text: string,
  { titles }: { titles: boolean },
) {
  return queryOptions({
    queryKey: keys.remember(user, text, titles),
    queryFn: async ({ signal }) => {
      const query = { q: text, titles }
      const path = '/api/v1/library/search'
      return (await fetchData<{ books: RememberedBook[] }>(api, path, { query, signal })).books
    },
    enabled: user !== '' && canRemember(text),
    staleTime: 10_000,
    retry: false,
  })
}
