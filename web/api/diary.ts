import { infiniteQueryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { DiaryPage } from '#shared/diary.ts'
import type { ReadingPartForm } from '#shared/statistics.ts'
import type { TagPage } from '#shared/tag-list.ts'
import { fetchTags } from './book-journal.ts'
import { fetchData } from './fetch-data.ts'
import { pageByPage } from './pages-in-sight.ts'
import { ifInvalidated } from './query-client.ts'
import { keys } from './query-keys.ts'

/** Some of a reader's readings, or all finished and stopped ones; latest first. */
export function diaryQuery(
  api: PocketBase,
  username: string,
  selection: Partial<ReadingPartForm> = {},
) {
  return infiniteQueryOptions({
    queryKey: keys.diary(username.toLowerCase(), selection),
    queryFn: pageByPage<DiaryPage>(({ pageParam: page }) => {
      const path = `/api/v1/users/${encodeURIComponent(username)}/diary`
      return fetchData(api, path, { query: { ...selection, page } })
    }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
  })
}

/** All tags of a reader's books that the viewer may see, most used first. */
export function tagPagesQuery(api: PocketBase, username: string) {
  return infiniteQueryOptions({
    queryKey: keys.tagPages(username.toLowerCase()),
    queryFn: pageByPage<TagPage>(({ pageParam: page }) => fetchTags(api, username, { page })),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
    refetchOnMount: ifInvalidated,
  })
}
