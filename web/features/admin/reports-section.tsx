import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AdminReport } from '#shared/admin.ts'
import { adminReportsQuery, closeReport, hideReader } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { t } from '#web/i18n/admin.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Day } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAct } from './confirmed-acts.tsx'
import { DataTable, type Column } from './data-table.tsx'

const columns = (): Column<AdminReport>[] => [
  {
    label: t('reported'),
    cell: ({ reported, isHidden }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <TextLink asChild>
          <Link to={`/u/${encodeURIComponent(reported)}`}>
            <bdi className="md:whitespace-nowrap">{reported}</bdi>
          </Link>
        </TextLink>
        {isHidden ? <Badge tone="danger">{t('isHidden')}</Badge> : null}
      </span>
    ),
  },
  { label: t('reason'), cell: ({ reason }) => t(`reason.${reason}`) },
  {
    label: t('details'),
    isLong: true,
    cell: ({ details }) => (
      <p dir="auto" className="whitespace-pre-line">
        {details}
      </p>
    ),
  },
  {
    label: t('reporter'),
    cell: ({ reporter }) =>
      reporter ? <bdi className="md:whitespace-nowrap">{reporter}</bdi> : t('deletedAccount'),
  },
  { label: t('created'), cell: ({ created }) => <Day timestamp={created} /> },
]

/** The open reports of profiles. */
export function ReportsSection() {
  const query = useQuery(adminReportsQuery(useApi()))
  const items = query.data?.items ?? []
  if (query.isError && !query.data) return <ErrorState {...dataError(query)} />
  if (query.data && items.length === 0) return <EmptyState>{t('noReports')}</EmptyState>
  return (
    <DataTable
      label={t('reports')}
      columns={columns()}
      rows={items}
      keyOf={({ id }) => id}
      actions={(report) => <ReportActs report={report} />}
    />
  )
}

function ReportActs({ report: { id, reported, isHidden } }: { report: AdminReport }) {
  const hide = useAct(
    hideReader(reported, !isHidden),
    () => void toast.success(t(isHidden ? 'shownAgain' : 'profileHidden')),
  )
  const close = useAct(closeReport(id), () => void toast.success(t('reportClosed')))
  return (
    <span className="inline-flex flex-wrap gap-2 md:justify-end">
      <Button size="sm" pending={hide.isPending} onClick={() => hide.mutate()}>
        {t(isHidden ? 'unhide' : 'hide')}
      </Button>
      <Button size="sm" pending={close.isPending} onClick={() => close.mutate()}>
        {t('closeReport')}
      </Button>
    </span>
  )
}
