import { infiniteQueryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { DirectoryForm } from '#shared/directory-form.ts'
import type { DirectoryEntry, Page } from '#shared/directory.ts'
import type { ReportForm } from '#shared/report.ts'
import { withErrorMessage } from './errors.ts'
import { t } from '#web/i18n/profile.ts'
import { pageByPage } from './pages-in-sight.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

/** Readers with a public profile, fifteen a page. */
export function readersQuery(api: PocketBase, { q, sort }: Pick<DirectoryForm, 'q' | 'sort'>) {
  return infiniteQueryOptions({
    queryKey: keys.readers({ q, sort }),
    queryFn: pageByPage<Page<DirectoryEntry>>(({ pageParam: page }) =>
      withErrorMessage(t('failedToGetUsers'), () =>
        fetchData(api, '/api/v1/users', { query: { q, sort, page } }),
      ),
    ),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page < last.totalPages ? last.page + 1 : undefined),
  })
}

/** Tells the operator what is wrong with a profile. */
export function reportProfile(api: PocketBase, username: string, form: ReportForm): Promise<void> {
  const path = `/api/v1/users/${encodeURIComponent(username)}/reports`
  return api.send(path, { method: 'POST', body: form })
}
