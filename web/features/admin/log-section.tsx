import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { adminLogQuery } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { t } from '#web/i18n/admin.ts'
import { formatDate } from '#web/i18n/format.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { DataTable, Pager } from './data-table.tsx'
import { pageOf } from './sections.ts'

/** What administrators and the operator's commands have done. */
export function LogSection() {
  const [search] = useSearchParams()
  const page = pageOf(search)
  const query = useQuery(adminLogQuery(useApi(), page))
  if (query.isError && !query.data) return <ErrorState {...dataError(query)} />
  if (!query.data) return null
  const { items, totalPages } = query.data
  if (items.length === 0) return <EmptyState>{t('noLog')}</EmptyState>
  return (
    <>
      <DataTable
        label={t('log')}
        columns={[
          { label: t('when'), cell: ({ at }) => <Moment at={at} /> },
          { label: t('who'), cell: ({ actor }) => (actor ? <bdi>{actor}</bdi> : t('byCommand')) },
          { label: t('what'), cell: ({ act }) => t(`act.${act}`) },
          { label: t('whom'), cell: ({ subject }) => <bdi>{subject}</bdi> },
        ]}
        rows={items}
        keyOf={({ id }) => id}
      />
      <Pager page={page} pages={totalPages} />
    </>
  )
}

function Moment({ at }: { at: string }) {
  const isHydrated = useHydrated()
  return (
    <time dateTime={at}>
      {formatDate(new Date(at), {
        dateStyle: 'medium',
        timeStyle: 'short',
        ...(!isHydrated && { timeZone: 'UTC' }),
      })}
    </time>
  )
}
